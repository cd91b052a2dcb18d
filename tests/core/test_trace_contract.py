"""The names, axes, files and meanings of the arrays in every kind of network's trace."""

import io
import json
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
import torch

import core
from core import Trace, zoo
from core.networks import NETWORKS
from core.stored import BY_KIND, COMMON
from core.traces.drnn import MAX_WINDOW
from tests.conftest import save_tiny
from tests.core.samples import REVIEW, SENTENCE, pair

CONTRACT = json.loads(Path(__file__).with_name("trace_fields.json").read_text())
SAMPLES = {"em-smallnorb": pair(48, 40), "dragg-documents": REVIEW}
STEPS = {"agt": 3, "drnn": MAX_WINDOW}  # steps of tiny networks without iterations
WORDS = 8  # the number of words in SENTENCE
SIZES = {  # sizes of the axes of the tiny networks' traces of four steps
    "dragg": {"t": 4, "i": WORDS, "j": 3, "h": 4, "k": 5},
    "dragg-documents": {"t": 4, "i": 13, "s": 3, "j": 3, "h": 4, "k": 5},
    "cccaps": {"t": 4, "n": WORDS, "i": 3, "h": 3, "k": 5, "d": 2, "q": 2, "e": 3},
    "em-sst": {"t": 4, "n": 9, "i": 9 * 7, "j": 3, "h": 2, "k": 5},  # pieces, and layers of MiniLM
    "em-smallnorb": {"t": 4, "i": 3 * 2 * 3, "j": 3, "h": 16, "k": 5},
    "em-smallnorb-places": {"t": 4, "row": 3, "column": 2, "j": 3, "h": 16, "k": 5},
    "agt": {"t": 3, "a": 3, "g": 2, "i": WORDS, "h": 4, "k": 5},
    "drnn": {"t": MAX_WINDOW, "i": WORDS, "k": 5},
}


@pytest.fixture
def run(tmp_path):
    """A function that explains the sample of a kind with a tiny network."""

    def run(kind, n=4):
        if kind == "em-smallnorb-places":
            return run("em-smallnorb", n).by_place()
        checkpoint = zoo.load_folder(save_tiny(tmp_path, kind), "cpu")
        return core.explain(checkpoint, SAMPLES.get(kind, SENTENCE), None if kind in STEPS else n)

    return run


def axes_of(trace_class):
    """The axes of every stored name; empty for a value that is not an array."""
    plain = {f.name if f.name in COMMON else f"extra.{f.name}": "" for f in fields(trace_class)}
    arrays = {place: " ".join(axes) for place, axes, _ in trace_class.stored_arrays()}
    routings = {f"extra.{f.name}" for f in fields(trace_class) if "letters" in f.metadata}
    return {place: axes for place, axes in (plain | arrays).items() if place not in routings}


def test_names_and_axes_match_the_contract():
    """Pages, scripts and saved traces rely on these names. The file may grow, but no name may change."""
    assert {kind: axes_of(trace_class) for kind, trace_class in BY_KIND.items() if kind in CONTRACT} == CONTRACT
    assert NETWORKS.keys() <= CONTRACT.keys()
    assert {f.name for f in fields(Trace)} == COMMON


@pytest.mark.parametrize("kind", CONTRACT)
def test_files_keep_the_sizes_and_types_of_a_trace(kind, run):
    trace = run(kind)
    assert trace.sizes() == SIZES[kind]
    assert trace.n_steps == SIZES[kind]["t"]
    for restored in (Trace.from_json(trace.to_json()), Trace.from_npz(trace.to_npz())):
        assert restored == trace
        for place, _, dtype in type(trace).stored_arrays():
            if dtype is not str:
                assert value_at(restored, place).dtype == value_at(trace, place).dtype == dtype


@pytest.mark.parametrize("kind", CONTRACT)
@pytest.mark.parametrize("n", [1, 2, 4])
def test_the_first_steps_equal_a_shorter_run(kind, n, run):
    """The first n steps equal a run of n steps. No run has fewer layers or windows, so these are only cut."""
    full = run(kind, 10)
    cut = full.first(n)
    if kind not in STEPS:
        assert cut == run(kind, n)
    sizes = SIZES[kind] | {"t": min(n, full.n_steps)}
    if kind == "agt":
        sizes |= {"a": sizes["t"], "g": sizes["t"] - 1}
    assert cut.sizes() == sizes
    assert Trace.from_json(cut.to_json()) == Trace.from_npz(cut.to_npz()) == cut
    for place, axes, _ in type(full).stored_arrays():
        part = value_at(cut, place)
        assert np.array_equal(part, value_at(full, place)[: len(part)]), (place, axes)


@pytest.mark.parametrize("kind", CONTRACT)
def test_each_array_is_stored_once_and_as_an_array(kind, run):
    trace = run(kind)
    arrays = {place for place, _, dtype in type(trace).stored_arrays() if dtype is not str}
    with np.load(io.BytesIO(trace.to_npz()), allow_pickle=False) as file:
        assert set(file.files) == arrays | {"json"}
        for place in arrays:
            assert np.array_equal(file[place], value_at(trace, place))
        rest = json.loads(str(file["json"]))
    stored = json.loads(trace.to_json())
    assert stored.keys() == rest.keys() | {place for place in arrays if "." not in place}
    assert not arrays & {*rest, *(f"extra.{name}" for name in rest["extra"])}
    assert not any(rest["layers"])
    assert stored["kind"] == kind
    assert (stored["edits"], stored["notices"]) == ([], [])


def value_at(trace, place):
    """The value at a stored place."""
    names = place.split(".")
    if names[0] == "layers":
        routings = [getattr(trace, f.name) for f in fields(trace) if "letters" in f.metadata]
        return getattr(routings[int(names[1])], names[2])
    return getattr(trace, names[-1])


@pytest.mark.parametrize("kind", CONTRACT)
def test_arrays_have_the_same_names_in_files_and_in_python(kind, run):
    trace = run(kind)
    with np.load(io.BytesIO(trace.to_npz())) as file:
        assert set(trace.keys()) == set(file.files) - {"json"} | {p for p, _, d in trace.stored_arrays() if d is str}
    assert all(trace[place] is value_at(trace, place) for place in trace.keys())  # noqa: SIM118
    assert all(trace[path] is value for path, _, value in trace.arrays())
    with pytest.raises(KeyError, match=r"There is no array 'probabilites' in a trace of .* Did you mean probabilities"):
        trace["probabilites"]


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "{}", "3", '{"kind": "other"}', '{"kind": "dragg", "layers": []}', "[" * 100_000]
)
def test_other_content_is_refused_in_one_sentence(content):
    with pytest.raises(ValueError, match="this is not a stored trace"):
        Trace.from_json(content)
    with pytest.raises(ValueError, match="this is not a stored trace"):
        Trace.from_npz(content.encode())


def test_a_file_of_another_kind_is_refused_by_a_class(run):
    with pytest.raises(ValueError, match="this is a trace of kind 'agt', wanted 'drnn'"):
        BY_KIND["drnn"].from_json(run("agt").to_json())


def test_arrays_that_do_not_fit_are_refused(run):
    trace = run("agt")
    with pytest.raises(ValueError, match=r"attention has shape \[3, 7\], wanted \[a = 3, i = 8\]"):
        replace(trace, attention=trace.attention[:, :7])
    with pytest.raises(ValueError, match=r"scores has shape \[3\], wanted \[a = 3, i = 8\]"):
        replace(trace, scores=trace.scores[:, 0])
    with pytest.raises(ValueError, match="3 layers have 1 gates and 3 attentions"):
        replace(trace, gates=trace.gates[:1])


def test_traces_with_other_values_differ(run):
    trace = run("dragg")
    assert trace != replace(trace, probabilities=trace.probabilities + 1)
    assert trace != replace(trace, tokens=[*trace.tokens[1:], "other"])
    assert trace != run("agt")


def test_a_document_trace_assigns_words_to_sentences(run):
    trace = run("dragg-documents")
    assert trace.sentence_of.tolist() == [0] * 4 + [1] * 5 + [2] * 4
    assert [REVIEW[a:b] for a, b in trace.spans] == trace.tokens


def test_a_document_trace_splits_into_traces_of_one_routing(run):
    trace = run("dragg-documents")
    sentences, words = trace.of_sentences(), trace.of_sentence(1)
    assert sentences.tokens == ["A good film.", "Isn't it bad?", "Film, film!"]
    assert [REVIEW[a:b] for a, b in sentences.spans] == sentences.tokens
    assert np.array_equal(sentences.inputs_to_capsules.coupling, trace.sentences_to_document.coupling)
    assert words.tokens == ["Is", "n't", "it", "bad", "?"]
    assert np.array_equal(words.inputs_to_capsules.agreement, trace.words_to_sentences.agreement[:, 4:9])
    assert np.array_equal(words.inputs_to_capsules.activation, trace.words_to_sentences.activation[:, 1])


def test_codes_and_contributions_agree_with_words_and_parts(run):
    trace = run("cccaps")
    assert np.array_equal(trace.probabilities, trace.features_to_classes.activation)
    np.testing.assert_allclose(trace.codes.sum(2), np.tile(trace.known, (2, 1)).T, rtol=1e-6)
    np.testing.assert_allclose(trace.contributions.sum(0), np.linalg.norm(trace.parts.sum(0), axis=1), rtol=1e-5)


def test_the_parts_of_words_sum_to_the_routed_capsules(tiny_cccaps):
    trace = core.explain(tiny_cccaps, SENTENCE)
    features = torch.tensor(trace.parts).sum(0).flatten()
    *_, last = tiny_cccaps.model.route(features[None])
    np.testing.assert_allclose(last.coupling[0], trace.features_to_classes.coupling[-1], rtol=1e-5)
    logits = tiny_cccaps.model(**tiny_cccaps.inputs([["a", "good", "film", ",", "is", "n't", "it", "?"]]))
    np.testing.assert_allclose(logits[0], trace.probabilities[-1], rtol=1e-5)


def test_plain_word_vectors_have_no_codes(tiny_folder):
    folder = save_tiny(tiny_folder.parent, "cccaps", "tiny-plain", routing="dynamic", embedding="plain")
    trace = core.explain(zoo.load_folder(folder, "cpu"), "good film")
    assert trace.codes.shape == (2, 0, 0)
    assert trace.routing == "dynamic"
    assert Trace.from_json(trace.to_json()) == trace


def test_pieces_of_a_transformer_are_joined_to_words(run):
    trace = run("em-sst")
    assert trace.pieces == ["A", "good", "film", ",", "isn", "'", "t", "it", "?"]
    assert trace.n_layers == 7
    assert trace.pieces_of_words == ["A", "good", "film", ",", "isn·'·t", "it", "?"]
    assert trace.credit_of_words.shape == (4, 7, 5)
    np.testing.assert_allclose(trace.credit_of_words.sum(1), trace.parts_to_classes.scores, rtol=1e-4, atol=1e-4)


def test_a_picture_trace_has_a_grid_of_places(run):
    trace = run("em-smallnorb")
    assert trace.grid == [3, 2]
    assert trace.centres == {"first": 14, "step": 8, "field": 29}
    assert trace.tokens == trace.spans == []


def test_a_trace_of_layers_has_attention_and_no_iterations(run, tiny_agt):
    trace = run("agt")
    assert json.loads(trace.to_json())["layers"] == []
    assert trace.known.tolist() == [True, True, True, False, True, True, False, False]
    np.testing.assert_allclose(trace.attention.sum(1), 1, rtol=1e-6)
    with pytest.raises(ValueError, match="tiny-agt has layers, not iterations"):
        core.explain(tiny_agt, SENTENCE, n_iters=3)


def test_layers_that_do_not_attend_have_a_gate(tiny_folder):
    trace = core.explain(zoo.load_folder(save_tiny(tiny_folder.parent, "agt", n_attending=1), "cpu"), SENTENCE)
    assert [(len(cut.attention), len(cut.gates)) for cut in map(trace.first, (1, 2, 3))] == [(1, 0), (1, 1), (1, 2)]


def test_the_decisive_words_end_where_the_evidence_is_largest(run, tiny_drnn):
    trace = run("drnn")
    assert json.loads(trace.to_json())["layers"] == []
    assert (trace.window, trace.unit, trace.pooling, trace.components) == (2, "gru", "max", 6)
    assert (trace.wins.sum(1) <= 6).all()  # no word wins a component to which none contributes
    assert len(trace.decisive) == MAX_WINDOW
    for window, (start, end) in enumerate(trace.decisive, 1):
        best = trace.probabilities[window - 1].argmax()
        assert end == trace.evidence[window - 1, :, best].argmax() + 1
        assert start == max(0, end - window)
    with pytest.raises(ValueError, match="tiny-drnn has windows, not iterations"):
        core.explain(tiny_drnn, SENTENCE, n_iters=3)
