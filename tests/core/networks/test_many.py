"""Texts in batches have the numbers of single runs."""

import numpy as np
import pytest

from core import explain, explain_many, zoo
from core.datasets import read_split
from core.inputs.text import as_typed
from core.networks import Network, many, network_of
from core.networks.many import batches, run_texts
from core.networks.summary import summarize, summarize_trace
from tests.conftest import TINY, save_tiny

TEXTS = [
    "A good film. It isn't bad. Is it?",
    "good",
    "",
    "An unheard-of film: bad, bad, bad... and good!",
    "👩‍👩‍👧 مرحبا <b>bad</b>",
    "a good film. " * 200,
    "\u200b",
    "x" * 10_000,
]
SETTINGS = [(kind, {}) for kind, tiny in TINY.items() if tiny.corpus != "smallnorb"]
SETTINGS += [("dragg", {"normalize": "input"}), ("dragg-documents", {"normalize": "input"})]


def check_equal(checkpoint, texts):
    """Each result equals the trace that ``explain`` returns for its text."""
    for text, result in zip(texts, run_texts(checkpoint, texts), strict=True):
        try:
            trace = explain(checkpoint, text)
        except ValueError as error:
            assert result.error == str(error)
            assert result.summary is None
            continue
        alone, together = summarize_trace(trace), result.summary
        np.testing.assert_allclose(together.probabilities, alone.probabilities, atol=1e-5)
        assert together.entropy == (None if alone.entropy is None else pytest.approx(alone.entropy, abs=1e-5))
        assert together.settled_at == alone.settled_at
        assert list(together.notices) == trace.notices
        assert not result.error


@pytest.mark.parametrize(("kind", "settings"), SETTINGS)
def test_texts_together_are_as_each_alone(tmp_path, kind, settings):
    check_equal(zoo.load_folder(save_tiny(tmp_path, kind, **settings), "cpu"), TEXTS)


@pytest.mark.parametrize("name", ["dragg-sst5", "em-sst5"])
def test_sentences_of_the_treebank_together_are_as_each_alone(treebank, name):
    split = read_split("sst", treebank, "test", 5).evenly(40)
    check_equal(zoo.load(name, "cpu"), [as_typed(words) for words in split.words])


def check_equal_traces(checkpoint, texts, edits=()):
    """Each trace, or each error, is that of ``explain`` for its text; numbers to rounding."""
    for text, together in zip(texts, explain_many(checkpoint, texts, edits=edits), strict=True):
        try:
            alone = explain(checkpoint, text, edits=edits)
        except (TypeError, ValueError) as error:
            assert (type(together), str(together)) == (type(error), str(error))
            continue
        for name in alone:
            if isinstance(alone[name], list):
                assert together[name] == alone[name]
                continue
            base = together[name].base
            assert base is None or base.nbytes <= together[name].nbytes, f"{name} keeps the array of a whole batch"
            np.testing.assert_allclose(together[name], alone[name], rtol=1e-5, atol=2e-5, err_msg=name)
            assert together[name].dtype == alone[name].dtype
        numbers = {name: together[name] for name in alone}
        for trace in (together, alone):
            for name in numbers:
                if not isinstance(numbers[name], list):
                    trace[name][...] = 0
        assert together == alone


@pytest.mark.parametrize(("kind", "settings"), SETTINGS)
def test_traces_of_many_texts_are_those_of_each(tmp_path, kind, settings):
    checkpoint = zoo.load_folder(save_tiny(tmp_path, kind, **settings), "cpu")
    check_equal_traces(checkpoint, [*TEXTS, None, 3.5])
    check_equal_traces(checkpoint, TEXTS[:4], edits=["drop:good"])  # not all of them have the word


def test_traces_of_sentences_of_the_treebank_are_those_of_each(treebank):
    texts = [as_typed(words) for words in read_split("sst", treebank, "dev", 5).evenly(8).words]
    for name in ("dragg-sst5", "em-sst5", "agt-sst5"):
        check_equal_traces(zoo.load(name, "cpu"), texts)


def test_traces_of_many_texts_with_an_edit_of_all_run_together(tiny, monkeypatch):
    check_equal_traces(tiny, TEXTS, edits=["capsule:0", "couplings:shuffled"])
    alone = []
    monkeypatch.setattr(many, "explain", lambda *args: alone.append(args))
    list(explain_many(tiny, TEXTS[:2], edits=["capsule:0"]))
    assert not alone


def test_traces_come_as_texts_do(tiny, monkeypatch):
    monkeypatch.setattr(many, "MAX_AHEAD", 3)
    taken = []
    traces = explain_many(tiny, (taken.append(text) or text for text in ["good"] * 10))
    assert not taken
    assert next(traces).tokens == ["good"]
    assert len(taken) == 3
    assert len(list(traces)) == 9


def test_a_text_that_fails_in_a_batch_spoils_no_trace(tiny, monkeypatch):
    run = type(tiny.model).steps

    def fails(model, words, *args, **settings):
        if (words == tiny.reader.vocabulary.ids_of(["bad"])[0][0]).any():
            raise RuntimeError("out of memory")
        return run(model, words, *args, **settings)

    monkeypatch.setattr(type(tiny.model), "steps", fails)
    good, bad, film = explain_many(tiny, ["good", "bad", "film"])
    assert (good.tokens, str(bad), film.tokens) == (["good"], "out of memory", ["film"])


def test_pairs_of_pictures_have_traces_too(tiny_em_smallnorb):
    pair = np.random.default_rng(0).integers(0, 256, (2, 48, 48), np.uint8)
    check_equal_traces(tiny_em_smallnorb, [pair, "a text", pair[:1]])


def test_what_no_text_can_run_with_is_refused_at_once(tiny):
    with pytest.raises(ValueError, match="number of iterations is 0"):
        explain_many(tiny, ["good"], n_iters=0)
    with pytest.raises(TypeError, match=r"wanted core\.explain for one"):
        explain_many(tiny, "good")
    with pytest.raises(TypeError, match="wanted a loaded network"):
        explain_many("tiny", ["good"])


def test_a_kind_that_has_no_batched_run_runs_one_by_one(tiny, monkeypatch):
    monkeypatch.setattr(type(network_of(tiny)), "summaries", Network.summaries)
    check_equal(tiny, TEXTS)


def test_a_text_that_fails_spoils_no_other(tiny, monkeypatch):
    def run(checkpoint, texts):
        if "bad" in texts:
            raise RuntimeError("out of memory\nlong explanation")
        return [summarize(np.array([[0.5, 0.5]])) for _ in texts]

    monkeypatch.setattr(network_of(tiny), "summaries", run, raising=False)
    assert [result.error for result in run_texts(tiny, ["good", "bad", "film"])] == ["", "out of memory", ""]


def test_pictures_are_refused(tiny_em_smallnorb):
    with pytest.raises(ValueError, match="reads pictures, not text"):
        run_texts(tiny_em_smallnorb, ["good"])


def test_batches_hold_similar_lengths_within_the_limits():
    lengths = {k: (k * 37) % 500 + 1 for k in range(300)}
    made = list(batches(lengths))
    assert sorted(k for batch in made for k in batch) == list(range(300))
    for batch in made:
        assert len(batch) <= many.MAX_BATCH
        assert len(batch) * max(lengths[k] for k in batch) <= many.MAX_POSITIONS
    assert list(batches({0: 10_000})) == [[0]]  # a text that is longer than a batch is one


def test_a_summary_by_hand():
    probabilities = np.array([[0.6, 0.4], [0.2, 0.8], [0.7, 0.3], [0.9, 0.1]], np.float32)
    coupling = np.array([[0.5, 0.5], [1, 0]], np.float32)
    summary = summarize(probabilities, [coupling])
    assert (summary.best, summary.certainty, summary.settled_at) == (0, pytest.approx(0.9), 3)
    assert summary.entropy == pytest.approx(0.5)  # one bit and none
    assert summarize(probabilities[2:]).settled_at == 1
    assert summarize(probabilities).entropy is None
