"""Texts in batches get the same results and traces as in single runs."""

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
    """Check that each result agrees with the trace that ``explain`` returns for its text."""
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
def test_texts_in_a_batch_equal_single_runs(tmp_path, kind, settings):
    check_equal(zoo.load_folder(save_tiny(tmp_path, kind, **settings), "cpu"), TEXTS)


@pytest.mark.parametrize("name", ["dragg-sst5", "em-sst5"])
def test_treebank_sentences_in_a_batch_equal_single_runs(treebank, name):
    split = read_split("sst", treebank, "test", 5).evenly(40)
    check_equal(zoo.load(name, "cpu"), [as_typed(words) for words in split.words])


def check_equal_traces(checkpoint, texts, edits=()):
    """Check that each trace or error is the one from ``explain`` for its text, except for rounding."""
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
        for name in alone:  # with all arrays set to 0, only the rest can differ
            if not isinstance(alone[name], list):
                alone[name][...] = together[name][...] = 0
        assert together == alone


@pytest.mark.parametrize(("kind", "settings"), SETTINGS)
def test_traces_of_a_batch_equal_single_traces(tmp_path, kind, settings):
    checkpoint = zoo.load_folder(save_tiny(tmp_path, kind, **settings), "cpu")
    check_equal_traces(checkpoint, [*TEXTS, None, 3.5])
    check_equal_traces(checkpoint, TEXTS[:4], edits=["drop:good"])  # some of these texts lack the word


def test_traces_of_treebank_sentences_equal_single_traces(treebank):
    texts = [as_typed(words) for words in read_split("sst", treebank, "dev", 5).evenly(8).words]
    for name in ("dragg-sst5", "em-sst5", "agt-sst5"):
        check_equal_traces(zoo.load(name, "cpu"), texts)


def test_texts_with_the_same_edits_run_in_one_batch(tiny, monkeypatch):
    check_equal_traces(tiny, TEXTS, edits=["capsule:0", "couplings:shuffled"])
    alone = []
    monkeypatch.setattr(many, "explain", lambda *args: alone.append(args))
    list(explain_many(tiny, TEXTS[:2], edits=["capsule:0"]))
    assert not alone


def test_explain_many_takes_only_a_few_texts_ahead(tiny, monkeypatch):
    monkeypatch.setattr(many, "MAX_AHEAD", 3)
    taken = []
    traces = explain_many(tiny, (taken.append(text) or text for text in ["good"] * 10))
    assert not taken
    assert next(traces).tokens == ["good"]
    assert len(taken) == 3
    assert len(list(traces)) == 9


def test_a_failing_text_does_not_affect_other_traces(tiny, monkeypatch):
    steps = type(tiny.model).steps

    def fail_on_bad(model, words, *args, **settings):
        if (words == tiny.reader.vocabulary.ids_of(["bad"])[0][0]).any():
            raise RuntimeError("out of memory")
        return steps(model, words, *args, **settings)

    monkeypatch.setattr(type(tiny.model), "steps", fail_on_bad)
    good, bad, film = explain_many(tiny, ["good", "bad", "film"])
    assert (good.tokens, str(bad), film.tokens) == (["good"], "out of memory", ["film"])


def test_traces_of_pairs_of_pictures_equal_single_traces(tiny_em_smallnorb):
    pair = np.random.default_rng(0).integers(0, 256, (2, 48, 48), np.uint8)
    check_equal_traces(tiny_em_smallnorb, [pair, "a text", pair[:1]])


def test_impossible_arguments_are_refused_at_once(tiny):
    with pytest.raises(ValueError, match="number of iterations is 0"):
        explain_many(tiny, ["good"], n_iters=0)
    with pytest.raises(TypeError, match=r"wanted core\.explain for one"):
        explain_many(tiny, "good")
    with pytest.raises(TypeError, match="wanted a loaded network"):
        explain_many("tiny", ["good"])


def test_a_kind_without_batched_runs_runs_texts_one_by_one(tiny, monkeypatch):
    monkeypatch.setattr(type(network_of(tiny)), "summaries", Network.summaries)
    check_equal(tiny, TEXTS)


def test_a_failing_text_does_not_affect_other_results(tiny, monkeypatch):
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
    assert list(batches({0: 10_000})) == [[0]]  # a text above the limit gets a batch for itself


def test_a_summary_by_hand():
    probabilities = np.array([[0.6, 0.4], [0.2, 0.8], [0.7, 0.3], [0.9, 0.1]], np.float32)
    coupling = np.array([[0.5, 0.5], [1, 0]], np.float32)
    summary = summarize(probabilities, [coupling])
    assert (summary.best, summary.certainty, summary.settled_at) == (0, pytest.approx(0.9), 3)
    assert summary.entropy == pytest.approx(0.5)  # the mean of 1 bit and 0 bits
    assert summarize(probabilities[2:]).settled_at == 1
    assert summarize(probabilities).entropy is None
