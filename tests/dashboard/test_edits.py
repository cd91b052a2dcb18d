"""Edits of a run: how they are numbered, listed, refused and applied, and how two runs are compared."""

import numpy as np
import pytest

import core
from core import zoo
from core.edits import parse_edit
from dashboard.figures.aligned import align_words
from dashboard.runs.edits import TextRun, is_of_one_text, renumber, text_read
from dashboard.whatif.edits import Chip, EditList, Unread, read_edit
from dashboard.whatif.offers import nearest_after, places_before

TEXT = "The acting is superb, but the plot is not."
WORDS = ["The", "acting", "is", "superb", ",", "but", "the", "plot", "is", "not", "."]


def edits(*forms):
    """The edits with these texts."""
    return tuple(map(parse_edit, forms))


def forms_of(placed):
    """The texts of renumbered edits."""
    return [str(edit) for edit in placed.values()]


def refusals(refused):
    """The reason for each refused edit, by its text."""
    return {str(edit): sentence for edit, sentence in refused.items()}


@pytest.fixture
def run():
    return TextRun("dragg-sst5", "cpu", TEXT, 3)


def test_an_edited_run_equals_core_s(run):
    edited = run.edited(edits("drop:1", "couple:3,2=0.5"))
    trace = core.explain(zoo.load("dragg-sst5", "cpu"), TEXT, 3, ["drop:1", "couple:3,2=0.5"])
    assert edited.refused == {}
    assert edited.trace.to_json() == trace.to_json()


def test_words_keep_their_numbers_when_others_are_deleted_or_grow():
    changes = edits("drop:9", "replace:3=", "replace:1=very fine acting", "couple:0,1=0")
    placed, refused = renumber(TEXT, changes, "dragg")
    assert forms_of(placed) == ["replace:3=", "replace:1=very fine acting", "drop:10", "couple:0,1=0"]
    assert refused == {}


@pytest.mark.parametrize("forms", [("replace:3=", "drop:7"), ("drop:7", "replace:3="), ("replace:0=", "drop:7")])
def test_the_picked_word_is_dropped_whatever_is_deleted_before(run, forms):
    trace = run.edited(edits(*forms)).trace
    (dropped,) = np.flatnonzero(trace.inputs_to_capsules.coupling[0].sum(1) == 0)
    assert trace.tokens[dropped] == "plot"


def test_an_edit_of_a_deleted_word_is_refused_in_one_sentence(run):
    edited = run.edited(edits("replace:3=", "drop:3"))
    assert refusals(edited.refused) == {"drop:3": "That word is no longer in the text."}
    assert edited.trace.edits == ["replace:3="]


@pytest.mark.parametrize("form", ["replace:1", "nonsense", "drop:" + 4400 * "1", "<script>:1"])
def test_unreadable_edits_are_kept_with_the_reason(form):
    unread = read_edit(form)
    assert isinstance(unread, Unread)
    assert str(unread) == form
    assert unread.reason
    kept = EditList([Chip(unread), Chip(parse_edit("drop:3"))], TEXT)
    assert kept.applied == edits("drop:3")
    assert list(kept.unread) == [unread]


def test_edits_of_sentences_are_refused_once_sentences_have_merged():
    changes = edits("replace:2=", "drop:1", "drop:0@0")
    _, refused = renumber("Dull plot. Superb acting. Fine end.", changes, "dragg-documents")
    assert refusals(refused) == {"drop:1": "Your word changes split the text into different sentences."}


def test_words_of_a_document_are_renumbered_but_not_its_sentences():
    changes = edits("replace:0=", "drop:3@0", "drop:1")
    placed, refused = renumber("Dull plot. Superb acting.", changes, "dragg-documents")
    assert placed == dict(zip(changes, edits("replace:0=", "drop:2@0", "drop:1"), strict=True))
    assert not refused


def test_features_are_not_renumbered():
    assert forms_of(renumber(TEXT, edits("replace:0=", "drop:3"), "cccaps")[0]) == ["replace:0=", "drop:3"]


def test_em_edits_without_a_routing_drop_words():
    placed, _ = renumber(TEXT, edits("replace:0=", "drop:3", "drop:3@0", "couple:3,1=0@1"), "em-sst")
    assert forms_of(placed) == ["replace:0=", "drop:2", "drop:3@0", "couple:3,1=0@1"]
    assert is_of_one_text(parse_edit("drop:3"), "em-sst")
    assert not is_of_one_text(parse_edit("drop:3@1"), "em-sst")


def test_unsuitable_edits_are_left_out_and_the_rest_applies(run):
    edited = run.edited(edits("drop:99", "gate:1=0", "capsule:2"))
    assert set(edited.refused) == set(edits("drop:99", "gate:1=0"))
    assert all(sentence for sentence in edited.refused.values())
    assert edited.trace.edits == ["capsule:2"]


def test_doses_are_of_the_picked_word_whatever_is_deleted(run):
    doses = run.doses(parse_edit("couple:7,1=0"), (0.0, 1.0), edits("replace:0=", "capsule:3"))
    kept = run.edited(edits("replace:0=", "capsule:3", f"couple:7,1={doses.values[0]:g}")).trace
    np.testing.assert_allclose(doses.probabilities[0], kept.probabilities, atol=1e-5)
    np.testing.assert_allclose(doses.cells[0], kept.inputs_to_capsules.coupling, atol=1e-5)
    last = len(WORDS) - 1
    assert run.doses(parse_edit(f"couple:{last},1=0"), (0.0, 1.0), edits("replace:0=")) is not None


def test_deleted_words_and_unknown_capsules_have_no_doses(run):
    assert run.doses(parse_edit("couple:3,1=0"), (0.0, 1.0), edits("replace:3=")) is None
    assert run.doses(parse_edit("couple:3,9=0"), (0.0, 1.0), ()) is None


def test_answers_are_of_the_picked_word_whatever_is_deleted(run):
    deleted, (cut, drop) = edits("replace:3=", "capsule:1"), edits("couple:7,0=0", "drop:7")
    answers = run.answers(deleted, (cut, drop))
    for row, further in zip(answers, [(), (cut,), (drop,)], strict=True):
        assert row == pytest.approx(run.edited((*deleted, *further)).trace.probabilities[2], abs=1e-6)
    assert run.answers(deleted, edits("drop:3")) is None
    assert run.answers((), edits("capsule:99")) is None


def test_refusals_count_from_1(run):
    refused = run.edited(edits("capsule:7", "drop:99")).refused
    assert refusals(refused) == {"capsule:7": "There are only 5.", "drop:99": "There are only 11."}


def test_doses_equal_single_runs(run):
    values, probabilities, coupling = run.doses(parse_edit("couple:3,2=0"), (0.0, 1.0), edits("drop:0"))
    single = run.edited(edits("drop:0", f"couple:3,2={values[7]:g}")).trace
    assert len(values) == len(probabilities) == len(coupling) == 21
    assert np.allclose(probabilities[7], single.probabilities, atol=1e-5)
    assert np.allclose(coupling[7], single.inputs_to_capsules.coupling, atol=1e-5)


def test_edits_are_added_removed_undone_and_cleared():
    kept = EditList([], TEXT)
    kept.add(parse_edit("couple:1,2=0"))
    kept.add(parse_edit("drop:3"))
    kept.add(parse_edit("couple:1,2=0.5"))  # replaces the first edit, which has the same cell
    assert kept.applied == edits("drop:3", "couple:1,2=0.5")
    kept.remove(0)
    assert kept.applied == edits("couple:1,2=0.5")
    kept.clear()
    assert kept.applied == ()
    kept.undo()
    kept.undo()
    assert kept.applied == edits("drop:3", "couple:1,2=0.5")
    for _ in range(9):
        kept.undo()
    assert kept.applied == ()


def test_edits_of_two_routings_do_not_replace_each_other():
    kept = EditList([], TEXT)
    for form in ("couplings:uniform@0", "couplings:shuffled@1", "couple:1,2=0@1", "couple:1,2=0", "freeze:2@0"):
        kept.add(parse_edit(form))
    assert len(kept.applied) == 5
    kept.add(parse_edit("couplings:first@0"))
    kept.add(parse_edit("couple:1,2=0.5@1"))
    assert kept.applied == edits(
        "couplings:shuffled@1",
        "couple:1,2=0",
        "freeze:2@0",
        "couplings:first@0",
        "couple:1,2=0.5@1",
    )


def test_texts_are_aligned_word_by_word():
    after = ["The", "acting", "is", "dull", "and", "slow", ",", "the", "plot", "is", "not", "."]
    pairs = align_words(WORDS, after)
    assert (3, 3) in pairs  # superb -> dull
    assert (None, 4) in pairs
    assert (5, None) in pairs  # but
    assert [i for i, _ in pairs if i is not None] == list(range(len(WORDS)))
    assert [j for _, j in pairs if j is not None] == list(range(len(after)))


def test_words_keep_their_places_through_edits_of_the_text():
    after = ["The", "acting", "is", "very", "dull", ",", "the", "plot", "is", "not", "."]
    kept = [i for i, word in enumerate(WORDS) if word not in ("superb", "but")]
    assert [after[nearest_after(i, WORDS, after)] for i in kept] == [WORDS[i] for i in kept]
    back = places_before(WORDS, after)
    assert [WORDS[i] for i in back] == ["The", "acting", "is", "superb", "superb", ",", "the", "plot", "is", "not", "."]
    assert nearest_after(1, ["so", "good"], ["so"]) == 0


@pytest.mark.parametrize("forms", [["replace:2=hardly ever"], ["replace:4=", "replace:1=y'all"], ["drop:1"]])
def test_the_text_that_a_run_read_has_its_words_at_its_spans(run, forms):
    trace = run.edited(edits(*forms)).trace
    text = text_read(run.text, trace)
    assert [text[start:end] for start, end in trace.spans] == trace.tokens
