"""Edited runs of every kind of network: the trace, the effect of each edit, and the refused edits."""

import json

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import core
from core import Trace, edits, zoo
from core.edits import Couplings, DropAttention, DropCapsule, DropInput, ReplaceWord, SetCoupling, SetGate, ShiftPose
from core.networks import NETWORKS
from tests.conftest import TINY, save_tiny
from tests.core.samples import REVIEW, SENTENCE, pair

SAMPLES = {"em-smallnorb": pair(48, 40), "dragg-documents": REVIEW}
ROUTING_EDITS = ["drop:1", "capsule:0", "couple:1,0=0.5", "couplings:shuffled", "freeze:1"]
TEXT_EDITS = ["replace:1=bad"]
SECOND_ROUTING_EDITS = [f"{edit}@1" for edit in ROUTING_EDITS]
ADMITTED = {
    "dragg": ROUTING_EDITS + TEXT_EDITS,
    "dragg-documents": ROUTING_EDITS + TEXT_EDITS + SECOND_ROUTING_EDITS + [f"{edit}@0" for edit in ROUTING_EDITS],
    "cccaps": [*ROUTING_EDITS, *TEXT_EDITS, "sharpness:9"],
    "em-sst": ROUTING_EDITS + TEXT_EDITS + SECOND_ROUTING_EDITS,
    "em-smallnorb": [*ROUTING_EDITS, *SECOND_ROUTING_EDITS, "pose:1,2,3=5"],
    "agt": [*TEXT_EDITS, "drop:1", "gate:1=0", "attention:1"],
    "drnn": [*TEXT_EDITS, "drop:1"],
}
EVERY_EDIT = [(kind, edit) for kind, admitted in ADMITTED.items() for edit in admitted]


@pytest.fixture
def load(tmp_path):
    """A function that loads the tiny network of a kind."""
    return lambda kind, **settings: zoo.load_folder(save_tiny(tmp_path, kind, **settings), "cpu")


def explain(checkpoint, *changes, n_iters=None):
    """Explain the sample of the network's kind with these edits."""
    return core.explain(checkpoint, SAMPLES.get(checkpoint.kind, SENTENCE), n_iters, changes)


@pytest.mark.parametrize(("kind", "edit"), EVERY_EDIT)
def test_the_trace_of_an_edited_run_lists_its_edits(kind, edit, load):
    checkpoint = load(kind)
    trace, plain = explain(checkpoint, edit), explain(checkpoint)
    assert (trace.edits, plain.edits) == ([edit], [])
    assert trace.sizes() == plain.sizes() or edit in TEXT_EDITS
    assert np.isfinite(trace.probabilities).all()
    if kind != "em-sst":  # this tiny network sends everything to one part, whatever the others get
        assert not np.array_equal(trace.probabilities, plain.probabilities)
    for restored in (Trace.from_json(trace.to_json()), Trace.from_npz(trace.to_npz())):
        assert restored == trace
    json.loads(trace.to_json(), parse_constant=pytest.fail)  # no NaN, no infinity
    heading, edited, *rest = trace.summary()
    assert heading.startswith(f"{checkpoint.name} on cpu, ")
    assert edited == f"edited: {trace.edits_in_words()[0]} ({edit})"
    assert trace.describe(edit) != edit
    assert len(rest) > 2
    assert core.explain(checkpoint, SAMPLES.get(kind, SENTENCE), edits=trace.edits) == trace
    assert trace.first(1).edits == [edit]


@pytest.mark.parametrize(
    ("kind", "named", "numbered"),
    [
        ("dragg", "drop:good", "drop:1"),
        ("dragg", "drop:,", "drop:3"),
        ("dragg", "couple:n't,capsule 2=0.5", "couple:5,1=0.5"),
        ("dragg", "couple:word 6,1=0.5", "couple:5,1=0.5"),
        ("dragg", "replace:good=bad", "replace:1=bad"),
        ("dragg-documents", "drop:film#2", "drop:11@0"),
        ("dragg-documents", "drop:sentence 2", "drop:1"),
        ("dragg-documents", "couple:bad,capsule 1=0.5", "couple:7,0=0.5@0"),
        ("cccaps", "couple:feature 3,very negative=0.5", "couple:2,0=0.5"),
        ("cccaps", "capsule:neutral", "capsule:2"),
        ("em-sst", "drop:isn't", "drop:4"),
        ("em-sst", "capsule:part 3", "capsule:2"),
        ("em-sst", "capsule:neutral", "capsule:2@1"),
        ("em-sst", "couple:part 3,neutral=0.5", "couple:2,2=0.5@1"),
        ("em-smallnorb", "drop:place 5", "drop:4"),
        ("em-smallnorb", "capsule:car", "capsule:4@1"),
        ("em-smallnorb", "pose:part 2,row 1,column 4=0.5", "pose:1,0,3=0.5"),
        ("agt", "drop:good", "drop:1"),
        ("agt", "gate:layer 2=0", "gate:1=0"),
        ("agt", "attention:layer 1", "attention:0"),
        ("drnn", "drop:good", "drop:1"),
    ],
)
def test_edits_take_the_names_on_the_screen(kind, named, numbered, load):
    checkpoint = load(kind)
    trace = explain(checkpoint, named)
    assert trace.edits == [numbered]
    assert trace == explain(checkpoint, numbered)


def test_names_refer_to_the_text_after_replacements(load):
    trace = explain(load("dragg"), "drop:film", "replace:good=very bad", "replace:very=so")
    assert trace.edits == ["drop:3", "replace:1=very bad", "replace:1=so"]
    assert trace.tokens[1:4] == ["so", "bad", "film"]
    assert trace.edits_in_words() == ["without “film”", "word 2 → “very bad”", "word 2 → “so”"]


def test_cuts_and_doses_take_names_too(load):
    checkpoint = load("dragg")
    edits = {"named": ["drop:good"], "numbered": ["drop:1"]}
    named, numbered = (core.cuts(checkpoint, SENTENCE, edits=some) for some in edits.values())
    assert np.array_equal(named, numbered)
    doses = [
        core.doses(checkpoint, SENTENCE, e, [0.25]).probabilities for e in ("couple:film,capsule 1=0", "couple:2,0=0")
    ]
    assert np.array_equal(*doses)


def test_a_refused_named_edit_is_quoted_with_its_number(load):
    with pytest.raises(ValueError, match=r"layer is 0 in gate:L=V, wanted 1 to 2 \(gate:layer 1=0 is gate:0=0\)"):
        explain(load("agt"), "gate:layer 1=0")


@pytest.mark.parametrize(("kind", "edit"), [(k, e) for k, e in EVERY_EDIT if k not in ("agt", "drnn")])
def test_the_first_steps_equal_a_shorter_edited_run(kind, edit, load):
    checkpoint = load(kind)
    assert explain(checkpoint, edit, n_iters=5).first(2) == explain(checkpoint, edit, n_iters=2)


@pytest.mark.parametrize("kind", TINY)
def test_every_kind_admits_only_the_edits_that_it_lists(kind, load):
    checkpoint = load(kind)
    assert {type(edits.parse_edit(edit)) for edit in ADMITTED[kind]} == set(NETWORKS[kind].edits)
    for other in {"gate:1=0", "sharpness:2", "replace:0=x", "capsule:0", "pose:0,0,0=1"}:
        if not isinstance(edits.parse_edit(other), NETWORKS[kind].edits):
            with pytest.raises(ValueError, match=rf"{other} is not an edit of {checkpoint.name}, which has drop:I"):
                explain(checkpoint, other)


@pytest.mark.parametrize(
    ("kind", "edit", "message"),
    [
        ("dragg", "drop:8", "i is 8 in drop:I, wanted 0 to 7"),
        ("dragg", "capsule:3", "j is 3 in capsule:J, wanted 0 to 2"),
        ("dragg", "replace:8=x", "i is 8 in replace:I=TEXT, wanted 0 to 7"),
        ("dragg", "drop:1@1", "routing is 1 in drop:1@1, and tiny has only routing 0"),
        ("dragg", "paint:1", "the edit is 'paint:1', wanted one of drop:I"),
        ("dragg-documents", "drop:3", "i is 3 in drop:I, wanted 0 to 2"),
        ("dragg-documents", "couple:13,0=0@0", "i is 13 in couple:I,J=V, wanted 0 to 12"),
        ("dragg-documents", "replace:13=x", "i is 13 in replace:I=TEXT, wanted 0 to 12"),
        ("cccaps", "couple:3,0=0", "i is 3 in couple:I,J=V, wanted 0 to 2"),
        ("em-sst", "drop:7", "i is 7 in drop:I, wanted 0 to 6"),
        ("em-sst", "drop:63@0", "i is 63 in drop:I, wanted 0 to 62"),
        ("em-sst", "capsule:5@1", "j is 5 in capsule:J, wanted 0 to 4"),
        ("em-smallnorb", "pose:3,0,0=1", "j is 3 in pose:J,R,C=BY, wanted 0 to 2"),
        ("em-smallnorb", "pose:0,4,0=1", "row is 4 in pose:J,R,C=BY, wanted 0 to 3"),
        ("agt", "gate:0=1", "layer is 0 in gate:L=V, wanted 1 to 2"),
        ("agt", "gate:3=1", "layer is 3 in gate:L=V, wanted 1 to 2"),
        ("agt", "attention:3", "layer is 3 in attention:L, wanted 0 to 2"),
        ("drnn", "drop:8", "i is 8 in drop:I, wanted 0 to 7"),
    ],
)
def test_an_edit_out_of_range_is_refused_with_the_range(kind, edit, message, load):
    checkpoint = load(kind)
    with pytest.raises(ValueError, match=r"wanted|only") as error:
        explain(checkpoint, edit)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_network_of_dynamic_routing_has_no_sharpness(load):
    with pytest.raises(ValueError, match="sharpness:2 does not apply to this routing"):
        explain(load("cccaps", routing="dynamic"), "sharpness:2")


@pytest.mark.parametrize("kind", ["dragg", "dragg-documents", "cccaps", "em-sst", "agt", "drnn"])
def test_replacing_a_word_equals_typing_another_text(kind, load):
    checkpoint = load(kind)
    trace = core.explain(checkpoint, "A good film.", edits=["replace:1=not <b>bad</b>", ReplaceWord(0, "")])
    expected = core.explain(checkpoint, " not <b>bad</b> film.")
    assert trace.tokens == expected.tokens
    assert trace.spans == expected.spans
    assert np.array_equal(trace.probabilities, expected.probabilities)
    with pytest.raises(ValueError, match=r"no word in this text|nothing in this text"):
        core.explain(checkpoint, "film", edits=[ReplaceWord(0, " ")])


def test_couplings_have_the_values_that_edits_set(load):
    routed = explain(load("dragg"), SetCoupling(2, 1, 0.25)).inputs_to_capsules
    np.testing.assert_allclose(routed.coupling[:, 2, 1], 0.25)
    np.testing.assert_allclose(routed.coupling.sum(2), 1, rtol=1e-6)
    routed = explain(load("dragg"), DropCapsule(0)).inputs_to_capsules
    assert (routed.coupling[:, :, 0] == 0).all()
    assert (routed.activation[:, 0] == 0).all()
    np.testing.assert_allclose(routed.coupling.sum(2), 1, rtol=1e-6)


def test_edits_number_the_words_of_all_sentences_in_sequence(load):
    checkpoint = load("dragg-documents")
    plain, trace = explain(checkpoint), explain(checkpoint, SetCoupling(5, 2, 0.25, routing=0), "drop:11@0")
    coupling = trace.words_to_sentences.coupling
    np.testing.assert_allclose(coupling[:, 5, 2], 0.25)
    assert (coupling[:, 11] == 0).all()
    np.testing.assert_allclose(np.delete(coupling, 11, 1).sum(2), 1, rtol=1e-6)
    # The first sentence is as it was; each other sentence has one of the edited words.
    np.testing.assert_allclose(coupling[:, :4], plain.words_to_sentences.coupling[:, :4], rtol=1e-6)
    same = np.isclose(trace.words_to_sentences.activation, plain.words_to_sentences.activation).all((0, 2))
    assert same.tolist() == [True, False, False]


def test_sentences_of_a_document_are_dropped_by_default(load):
    trace = explain(load("dragg-documents"), DropInput(1))
    assert (trace.sentences_to_document.coupling[:, 1] == 0).all()
    assert (trace.words_to_sentences.coupling > 0).all()
    np.testing.assert_allclose(trace.effect[1], 0, atol=1e-6)  # the sentence has no vote left to lose
    assert explain(load("dragg-documents"), DropInput(1, routing=1)).probabilities.tolist() == (
        trace.probabilities.tolist()
    )


@pytest.mark.parametrize("kind", ["em-sst", "em-smallnorb"])
def test_both_em_routings_take_edits(kind, load):
    checkpoint = load(kind)
    first = explain(checkpoint, DropCapsule(1))
    assert (first.inputs_to_parts.coupling[..., 1] == 0).all()
    second = explain(checkpoint, Couplings("uniform", routing=1), DropInput(0, routing=1))
    np.testing.assert_allclose(second.parts_to_classes.coupling[:, 1:], 1 / 5, rtol=1e-6)
    assert (second.parts_to_classes.gate[:, 0] == 0).all()
    assert np.array_equal(second.inputs_to_parts.coupling, explain(checkpoint).inputs_to_parts.coupling)
    assert (explain(checkpoint, DropInput(4, routing=0)).inputs_to_parts.gate[0] == 0).nonzero()[0].tolist() == [4]
    for trace in (first, second):
        np.testing.assert_allclose(trace.credit.sum(1), trace.parts_to_classes.scores, rtol=1e-4, atol=1e-4)


def test_dropping_a_word_drops_all_its_inputs_of_em_routing(load):
    trace = explain(load("em-sst"), DropInput(2))
    dropped = np.flatnonzero((trace.inputs_to_parts.gate == 0).all(0))
    word_inputs = np.flatnonzero(np.repeat(trace.token_of, trace.n_layers) == 2)
    assert dropped.tolist() == word_inputs.tolist()
    assert len(dropped) >= trace.n_layers
    np.testing.assert_allclose(trace.credit_of_words[:, 2], 0, atol=1e-6)


def test_dropping_a_place_drops_all_its_inputs_of_em_routing(load):
    checkpoint = load("em-smallnorb")
    trace = explain(checkpoint, DropInput(1))
    n = checkpoint.model.config.n_detected
    assert np.flatnonzero((trace.inputs_to_parts.gate == 0).all(0)).tolist() == list(range(n, 2 * n))


@pytest.mark.parametrize(
    ("kind", "edit", "is_of_one_sample"),
    [
        ("dragg", "drop:1", True),
        ("dragg-documents", "couple:1,0=0.5@1", True),
        ("cccaps", "drop:1", False),
        ("cccaps", "couple:1,0=0.5", False),
        ("cccaps", "replace:1=bad", True),
        ("em-sst", "drop:1", True),
        ("em-sst", "couple:1,0=0.5@0", True),
        ("em-sst", "couple:1,0=0.5@1", False),
        ("em-sst", "capsule:0", False),
        ("em-smallnorb", "drop:1", True),
        ("em-smallnorb", "drop:1@1", False),
    ],
)
def test_some_edits_name_an_input_of_one_sample(kind, edit, is_of_one_sample):
    assert NETWORKS[kind].names_an_input_of_one_sample(edits.parse_edit(edit)) == is_of_one_sample


@pytest.mark.parametrize("kind", ["em-sst", "em-smallnorb"])
def test_an_input_is_dropped_from_doses_too(kind, load):
    checkpoint, sample = load(kind), SAMPLES.get(kind, SENTENCE)
    dose = core.doses(checkpoint, sample, "couple:0,1=0.5@1", [0.25], edits=["drop:1"]).probabilities
    by_hand = explain(checkpoint, DropInput(1), SetCoupling(0, 1, 0.25, routing=1)).probabilities
    np.testing.assert_allclose(dose[0], by_hand, atol=1e-6)


def test_a_pose_is_shifted_between_the_routings(load):
    checkpoint = load("em-smallnorb")
    plain, trace = explain(checkpoint), explain(checkpoint, ShiftPose(1, 2, 3, 0.5), ShiftPose(1, 2, 3, 0.25))
    moved = trace.inputs_to_parts.capsules - plain.inputs_to_parts.capsules
    np.testing.assert_allclose(moved[:, 1, 2 * 4 + 3], 0.75, rtol=1e-4)
    assert np.count_nonzero(moved) == len(moved)
    assert np.array_equal(trace.inputs_to_parts.coupling, plain.inputs_to_parts.coupling)
    assert by_place(trace) == by_place(explain(checkpoint, *trace.edits))


def by_place(trace):
    """The trace by place, which must keep the edits."""
    assert trace.by_place().edits == trace.edits
    return trace.by_place()


def test_edits_close_gates_and_attention_of_agt(load):
    checkpoint = load("agt")
    plain, trace = explain(checkpoint), explain(checkpoint, SetGate(1, 0.0), DropAttention(2), DropInput(3))
    assert (trace.gates[0] == 0).all()
    np.testing.assert_allclose(trace.features[1], trace.features[0])  # a closed gate keeps the features
    assert (trace.attention[2] == 0).all()
    assert (trace.attention[:, 3] == 0).all()
    np.testing.assert_allclose(trace.attention[:2].sum(1), 1, rtol=1e-6)
    assert np.array_equal(trace.scores, plain.scores)
    assert trace.phrases()[2] == []
    bias = checkpoint.model.gate_bias[1].detach()
    np.testing.assert_allclose(trace.gates[1], bias.sigmoid(), rtol=1e-6)  # the gate at s_l = 0
    with pytest.raises(ValueError, match="without word 0 no word is left, wanted at least one"):
        core.explain(checkpoint, "film", edits=["drop:0"])


def test_dropping_a_word_of_agt_equals_leaving_it_out(load):
    checkpoint = load("agt")
    without = core.explain(checkpoint, "a film", edits=[])
    trace = core.explain(checkpoint, "a good film", edits=["drop:1"])
    np.testing.assert_allclose(trace.probabilities, without.probabilities, rtol=1e-5)


def test_dropping_the_first_word_of_drnn_equals_leaving_it_out(load):
    checkpoint = load("drnn")
    trace, without = core.explain(checkpoint, "bad film", edits=["drop:0"]), core.explain(checkpoint, "film")
    np.testing.assert_allclose(trace.probabilities, without.probabilities, rtol=1e-5)
    np.testing.assert_allclose(trace.evidence[:, 1], without.evidence[:, 0], rtol=1e-4, atol=1e-6)
    assert (trace.evidence[:, 0] == 0).all()
    assert (trace.wins[:, 0] == 0).all()
    with pytest.raises(ValueError, match="no word is left"):
        core.explain(checkpoint, "film", edits=["drop:0"])


@pytest.mark.parametrize("kind", [kind for kind in TINY if kind != "drnn"])
def test_the_model_takes_the_same_edits_for_a_batch(kind, load):
    """``evaluate`` runs the model in this way."""
    checkpoint, edit = load(kind), "attention:1" if kind == "agt" else "capsule:1"
    words = ["a", "good", "film", ",", "is", "n't", "it", "?"]
    document = [["a", "good", "film", "."], ["is", "n't", "it", "bad", "?"], ["film", ",", "film", "!"]]
    sample = {"em-smallnorb": pair(48, 40)[None].repeat(2, 0), "dragg-documents": [document] * 2}.get(kind, [words] * 2)
    with torch.inference_mode():
        outputs = checkpoint.model(**checkpoint.inputs(sample), edits=[edits.parse_edit(edit)])
    expected = explain(checkpoint, edit).probabilities[-1]
    for row in outputs if kind == "cccaps" else outputs.softmax(-1):
        np.testing.assert_allclose(row, expected, rtol=1e-4)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=12), edit=st.text("drop:couple,=0123456789@freze", max_size=12))
def test_any_edit_runs_or_is_refused_in_one_sentence(tiny, text, edit):
    for form in (edit, f"replace:1={text}"):
        try:
            core.explain(tiny, SENTENCE, edits=[form])
        except ValueError as error:
            assert "\n" not in str(error).replace(repr(text), "")
