"""Edits in the session, in the address and in words, and how they are numbered."""

import numpy as np
import pytest

import core
from core import zoo
from dashboard.figures import compare
from dashboard.figures.aligned import align
from dashboard.runs.edits import TextRun, is_of_one_text, renumber
from dashboard.shared.edits import Chip, Edits

TEXT = "The acting is superb, but the plot is not."
WORDS = ["The", "acting", "is", "superb", ",", "but", "the", "plot", "is", "not", "."]


@pytest.fixture
def run():
    return TextRun("dragg-sst5", "cpu", TEXT, 3)


def test_an_edited_run_is_core_s(run):
    edited = run.edited(("drop:1", "couple:3,2=0.5"))
    trace = core.explain(zoo.load("dragg-sst5", "cpu"), TEXT, 3, ["drop:1", "couple:3,2=0.5"])
    assert edited.refused == {}
    assert edited.trace.to_json() == trace.to_json()


def test_words_keep_their_numbers_when_others_are_deleted_or_grow():
    forms, refused = renumber(TEXT, ("drop:9", "replace:3=", "replace:1=very fine acting", "couple:0,1=0"), "dragg")
    assert list(forms.values()) == ["replace:3=", "replace:1=very fine acting", "drop:10", "couple:0,1=0"]
    assert refused == {}


@pytest.mark.parametrize("edits", [("replace:3=", "drop:7"), ("drop:7", "replace:3="), ("replace:0=", "drop:7")])
def test_a_dropped_word_is_the_one_that_was_picked_whatever_is_deleted_before_it(run, edits):
    trace = run.edited(edits).trace
    (dropped,) = np.flatnonzero(trace.inputs_to_capsules.coupling[0].sum(1) == 0)
    assert trace.tokens[dropped] == "plot"


def test_an_edit_of_a_deleted_word_is_refused_in_one_sentence(run):
    edited = run.edited(("replace:3=", "drop:3"))
    assert edited.refused == {"drop:3": "The text has no such word any more."}
    assert edited.trace.edits == ["replace:3="]


def test_a_form_that_replaces_nothing_moves_no_word():
    forms, _ = renumber(TEXT, ("replace:1", "drop:3", "drop:" + 4400 * "1"), "dragg")
    assert forms["drop:3"] == "drop:3"


def test_a_sentence_is_not_told_once_sentences_have_merged():
    _, refused = renumber(
        "Dull plot. Superb acting. Fine end.", ("replace:2=", "drop:1", "drop:0@0"), "dragg-documents"
    )
    assert refused == {"drop:1": "With the changed words the text has other sentences."}


def test_words_of_a_document_are_renumbered_and_its_sentences_are_not():
    forms, refused = renumber("Dull plot. Superb acting.", ("replace:0=", "drop:3@0", "drop:1"), "dragg-documents")
    assert forms == {"replace:0=": "replace:0=", "drop:3@0": "drop:2@0", "drop:1": "drop:1"}
    assert not refused


def test_features_are_no_words():
    assert renumber(TEXT, ("replace:0=", "drop:3"), "cccaps")[0]["drop:3"] == "drop:3"


def test_of_em_routing_a_word_is_dropped_where_no_routing_is_named():
    forms, _ = renumber(TEXT, ("replace:0=", "drop:3", "drop:3@0", "couple:3,1=0@1"), "em-sst")
    assert list(forms.values()) == ["replace:0=", "drop:2", "drop:3@0", "couple:3,1=0@1"]
    assert is_of_one_text("drop:3", "em-sst")
    assert not is_of_one_text("drop:3@1", "em-sst")


def test_what_does_not_fit_is_left_out_and_the_rest_applies(run):
    edited = run.edited(("drop:99", "gate:1=0", "nonsense", "capsule:2"))
    assert set(edited.refused) == {"drop:99", "gate:1=0", "nonsense"}
    assert all(sentence for sentence in edited.refused.values())
    assert edited.trace.edits == ["capsule:2"]


def test_a_dose_is_of_the_word_that_was_picked_whatever_is_deleted(run):
    values, probabilities = run.doses("couple:7,1=0", (0.0, 1.0), ("replace:0=", "capsule:3"))
    kept = run.edited(("replace:0=", "capsule:3", f"couple:7,1={values[0]:g}")).trace
    np.testing.assert_allclose(probabilities[0], kept.probabilities, atol=1e-5)
    last = len(WORDS) - 1
    assert run.doses(f"couple:{last},1=0", (0.0, 1.0), ("replace:0=",)) is not None


def test_what_is_deleted_or_never_was_has_no_doses(run):
    assert run.doses("couple:3,1=0", (0.0, 1.0), ("replace:3=",)) is None
    assert run.doses("couple:3,9=0", (0.0, 1.0), ()) is None


def test_what_the_run_does_not_have_is_refused_in_the_readers_numbers(run):
    refused = run.edited(("capsule:7", "drop:99")).refused
    assert refused == {"capsule:7": "There are only 5.", "drop:99": "There are only 11."}


def test_doses_are_single_runs(run):
    values, probabilities = run.doses("couple:3,2=0", (0.0, 1.0), ("drop:0",))
    single = run.edited(("drop:0", f"couple:3,2={values[7]:g}")).trace
    assert len(values) == len(probabilities) == 21
    assert np.allclose(probabilities[7], single.probabilities, atol=1e-5)


def test_edits_are_added_switched_named_undone_and_cleared():
    edits = Edits([], TEXT)
    edits.add("couple:1,2=0")
    edits.add("drop:3")
    edits.add("couple:1,2=0.5")  # of the same cell: it takes the place of the first
    assert edits.forms == ("drop:3", "couple:1,2=0.5")
    edits.switch([1])
    assert edits.forms == ("couple:1,2=0.5",)
    edits.rename(0, "  no superb ")
    assert edits.chips[0] == Chip("drop:3", "no superb", is_on=False)
    edits.clear()
    assert edits.forms == ()
    edits.undo()
    edits.undo()
    edits.undo()
    assert edits.forms == ("drop:3", "couple:1,2=0.5")
    for _ in range(9):
        edits.undo()
    assert edits.forms == ()


def test_edits_of_two_routings_do_not_replace_each_other():
    edits = Edits([], TEXT)
    for form in ("couplings:uniform@0", "couplings:shuffled@1", "couple:1,2=0@1", "couple:1,2=0", "freeze:2@0"):
        edits.add(form)
    assert len(edits.forms) == 5
    edits.add("couplings:first@0")
    edits.add("couple:1,2=0.5@1")
    assert edits.forms == (
        "couplings:shuffled@1",
        "couple:1,2=0",
        "freeze:2@0",
        "couplings:first@0",
        "couple:1,2=0.5@1",
    )


def test_texts_are_aligned_word_by_word():
    after = ["The", "acting", "is", "dull", "and", "slow", ",", "the", "plot", "is", "not", "."]
    pairs = align(WORDS, after)
    assert (3, 3) in pairs  # superb -> dull
    assert (None, 4) in pairs
    assert (5, None) in pairs  # but
    assert [i for i, _ in pairs if i is not None] == list(range(len(WORDS)))
    assert [j for _, j in pairs if j is not None] == list(range(len(after)))


def test_a_difference_is_what_is_more_after_and_words_of_one_text_alone_stay_empty(run):
    before, after = run.edited(()).trace, run.edited(("replace:3=",)).trace
    rows = compare.difference(before, after).data.to_pylist()
    assert not any(row["word"] == "- superb" for row in rows)
    (one,) = (row["c"] for row in rows if (row["t"], row["word"], row["j"]) == (3, "plot", 2))
    change = after.inputs_to_capsules.coupling[2, 6, 2] - before.inputs_to_capsules.coupling[2, 7, 2]
    assert one == pytest.approx(change, abs=1e-6)


def test_two_pictures_have_one_scale():
    run = TextRun("em-sst5", "cpu", "A dull film.", 3)
    figures = compare.pair(run.edited(()).trace, run.edited(("replace:1=superb",)).trace)
    first, second = (figure.spec["encoding"]["color"]["scale"]["domain"] for figure in figures)
    assert first == second
