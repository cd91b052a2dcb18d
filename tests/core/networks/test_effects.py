"""Many edited runs in one batch equal single runs."""

import numpy as np
import pytest
import torch

import core
from core import zoo
from core.edits import Couplings, DropCapsule, DropInput, Edit, SetCoupling, SetGate, Sharpness, ShiftPose
from core.networks import effects
from core.networks.effects import log_odds
from tests.conftest import save_tiny
from tests.core.samples import REVIEW, SENTENCE, pair

SAMPLES = {"em-smallnorb": pair(48, 40), "dragg-documents": REVIEW, "em-sst": "a film"}
SIZES = {  # inputs and outputs of each routing that can be cut, in tiny networks
    ("dragg", 0): (8, 3),
    ("dragg-documents", 1): (3, 3),
    ("cccaps", 0): (3, 5),
    ("em-sst", 0): (2 * 7, 3),
    ("em-sst", 1): (3, 5),
    ("em-smallnorb", 0): (18, 3),
    ("em-smallnorb", 1): (3, 5),
}
DOSES = [
    ("dragg", SetCoupling(2, 1, 0.0)),
    ("dragg-documents", SetCoupling(2, 1, 0.0)),
    ("cccaps", SetCoupling(2, 1, 0.0)),
    ("cccaps", Sharpness(1)),
    ("em-sst", SetCoupling(2, 1, 0.0)),
    ("em-sst", SetCoupling(0, 1, 0.0, routing=1)),
    ("em-smallnorb", ShiftPose(1, 2, 3, 0)),
    ("agt", SetGate(1, 0.0)),
]
PICTURED = {"dragg", "dragg-documents", "cccaps", "em-sst"}  # kinds whose main picture follows a dose


@pytest.fixture
def load(tmp_path):
    """A function that loads the tiny network of a kind."""
    return lambda kind, **settings: zoo.load_folder(save_tiny(tmp_path, kind, **settings), "cpu")


def final_log_odds(checkpoint, *edits, **options):
    """The log-odds of the classes after the last step of an edited run."""
    sample = SAMPLES.get(checkpoint.kind, SENTENCE)
    return log_odds(torch.tensor(core.explain(checkpoint, sample, edits=edits, **options).probabilities[-1])).numpy()


@pytest.mark.parametrize(("kind", "routing"), SIZES)
def test_a_cut_is_the_difference_of_two_runs(kind, routing, load):
    checkpoint, (n_inp, n_out) = load(kind), SIZES[kind, routing]
    sample = SAMPLES.get(kind, SENTENCE)
    by_cell, by_input, by_capsule = (
        core.cuts(checkpoint, sample, by=by, routing=routing) for by in ("cell", "input", "capsule")
    )
    assert by_cell.shape == (n_inp, n_out, 5)
    assert (by_input.shape, by_capsule.shape) == ((n_inp, 1, 5), (1, n_out, 5))
    assert by_cell.dtype == np.float32
    plain = final_log_odds(checkpoint)
    for i in range(n_inp):
        for j in range(n_out):
            cell = plain - final_log_odds(checkpoint, SetCoupling(i, j, 0.0, routing=routing))
            np.testing.assert_allclose(by_cell[i, j], cell, atol=1e-4)
        dropped = plain - final_log_odds(checkpoint, DropInput(i, routing=routing))
        np.testing.assert_allclose(by_input[i, 0], dropped, atol=1e-4)
    for j in range(n_out):
        capsule = plain - final_log_odds(checkpoint, DropCapsule(j, routing=routing))
        np.testing.assert_allclose(by_capsule[0, j], capsule, atol=1e-4)
    if (kind, 0) in SIZES and routing == 0:
        assert np.array_equal(core.cuts(checkpoint, sample), by_cell)


@pytest.mark.parametrize("kind", ["dragg", "dragg-documents", "cccaps"])
def test_a_sample_read_once_has_the_answers_of_single_runs(kind, load):
    checkpoint, sample = load(kind), SAMPLES.get(kind, SENTENCE)
    edits, further = [Couplings("shuffled")], [SetCoupling(2, 1, 0.0), DropInput(1), DropCapsule(0)]
    answers = effects.answers(effects.read(checkpoint, sample, edits=edits), further)
    for row, edit in zip(answers, [None, *further], strict=True):
        run = core.explain(checkpoint, sample, edits=[*edits, *([edit] if edit else [])])
        np.testing.assert_allclose(row, run.probabilities[-1], atol=1e-6)


def test_cuts_of_an_edited_run_and_of_other_iterations(load):
    checkpoint, edits = load("dragg"), ["replace:1=bad", "capsule:0"]
    cuts = core.cuts(checkpoint, SENTENCE, 2, edits)
    assert (np.abs(cuts[:, 0]) < 1e-6).all()  # a capsule that gets nothing has nothing to lose
    full = final_log_odds(checkpoint, *edits, n_iters=2)
    expected = full - final_log_odds(checkpoint, *edits, "couple:4,2=0", n_iters=2)
    np.testing.assert_allclose(cuts[4, 2], expected, atol=1e-4)


@pytest.mark.parametrize("normalize", ["output", "input"])
def test_cuts_in_batches_are_equal_and_report_progress(normalize, load, monkeypatch):
    checkpoint = load("dragg", normalize=normalize)
    at_once, shares = core.cuts(checkpoint, SENTENCE), []
    monkeypatch.setattr(effects, "MAX_NUMBERS", 7 * 8 * 3)  # seven copies
    np.testing.assert_allclose(core.cuts(checkpoint, SENTENCE, progress=shares.append), at_once, atol=1e-5)
    assert shares == [pytest.approx(min(7 * n, 24) / 24) for n in (1, 2, 3, 4)]


@pytest.mark.parametrize(("kind", "edit"), DOSES, ids=str)
def test_doses_equal_single_runs(kind, edit, load):
    checkpoint, sample = load(kind), SAMPLES.get(kind, SENTENCE)
    values = [0.0, 0.25, 1.0]
    doses = core.doses(checkpoint, sample, edit, values).probabilities
    assert doses.dtype == np.float32
    mark = "=" if "=" in str(edit) else ":"  # before the value in the edit's form
    start, _, _ = str(edit).rpartition(mark)
    suffix = "" if getattr(edit, "routing", None) is None else f"@{edit.routing}"
    for value, dose in zip(values, doses, strict=True):
        form = f"{start}{mark}{value}{suffix}"
        np.testing.assert_allclose(dose, core.explain(checkpoint, sample, edits=[form]).probabilities, atol=1e-5)
    assert doses.shape == (3, len(dose), 5)
    assert not np.allclose(doses[0], doses[2])
    assert np.array_equal(core.doses(checkpoint, sample, str(edit), values).probabilities, doses)


@pytest.mark.parametrize(("kind", "edit"), DOSES, ids=str)
def test_cells_of_doses_equal_those_of_single_runs(kind, edit, load, monkeypatch):
    checkpoint, sample = load(kind), SAMPLES.get(kind, SENTENCE)
    values, others = [0.0, 0.25, 1.0], [] if kind == "em-smallnorb" else ["replace:0=bad"]
    at_once = effects.doses(checkpoint, sample, edit, values, None, others).cells
    if kind not in PICTURED:
        assert at_once is None
        return
    monkeypatch.setattr(effects, "MAX_NUMBERS", 1)  # one dose after the other
    in_batches = effects.doses(checkpoint, sample, edit, values, None, others).cells
    np.testing.assert_allclose(in_batches, at_once, atol=1e-5)
    for value, cells in zip(values, at_once, strict=True):
        trace = core.explain(checkpoint, sample, edits=[*others, edit.dosed(value)])
        np.testing.assert_allclose(cells, trace.cells.values, atol=1e-5)


def test_log_odds_are_finite_for_each_class():
    odds = log_odds(torch.tensor([[0.0, 1.0], [0.2, 0.8]]))
    np.testing.assert_allclose(odds[1], [np.log(0.25), np.log(4)], rtol=1e-6)
    assert odds[0].isfinite().all()


@pytest.mark.wrong_arguments
@pytest.mark.parametrize(
    ("kind", "run", "message"),
    [
        ("drnn", lambda c: core.cuts(c, SENTENCE), "tiny-drnn has neither couplings to cut nor an edit with a dose"),
        ("agt", lambda c: core.cuts(c, SENTENCE), "tiny-agt has no couplings to cut"),
        ("dragg", lambda c: core.cuts(c, SENTENCE, routing=1), "routing is 1, and the couplings of tiny are cut in"),
        ("dragg", lambda c: core.cuts(c, ""), "no word in this text"),
        ("dragg", lambda c: core.cuts(c, SENTENCE, by="row"), "by is 'row', wanted cell, input or capsule"),
        ("dragg", lambda c: core.cuts(c, SENTENCE, 99), "wanted 1 to 50"),
        ("dragg", lambda c: core.cuts(c, SENTENCE, edits=["drop:9"]), "wanted 0 to 7"),
        ("dragg", lambda c: core.doses(c, SENTENCE, "drop:1", [0]), "wanted one of couple:I,J=V, sharpness:K"),
        ("dragg", lambda c: core.doses(c, SENTENCE, "couple:1,1=0", []), "and at least one dose"),
        ("dragg", lambda c: core.doses(c, SENTENCE, "couple:1,1=0", [0, 2]), "value is 2.0 in couple:I,J=V"),
        ("dragg", lambda c: core.doses(c, SENTENCE, "couple:9,1=0", [0, 1]), "i is 9 in couple:I,J=V, wanted 0 to 7"),
        ("dragg", lambda c: core.doses(c, SENTENCE, "gate:1=0", [0]), "gate:1=0 is not an edit of tiny"),
        ("dragg-documents", lambda c: core.doses(c, REVIEW, "couple:1,1=0@0", [0]), "are cut in routing 1"),
        ("agt", lambda c: core.doses(c, SENTENCE, "gate:1=0", [0], 3), "has layers, not iterations"),
        ("em-smallnorb", lambda c: core.cuts(c, SENTENCE), "reads pictures, not text"),
    ],
)
def test_impossible_cuts_and_doses_are_refused_in_one_sentence(kind, run, message, load):
    with pytest.raises(ValueError, match=message):
        run(load(kind))


def test_core_gives_access_to_edits():
    assert core.edits.Edit is Edit


@pytest.mark.parametrize("how", ["uniform", "first", "shuffled", "random"])
def test_doses_follow_a_dropped_word_and_other_couplings(how, load):
    edits = ["drop:1", f"couplings:{how}"]
    dosed = core.doses(load("dragg"), SENTENCE, "couple:2,0=0", [0.25], edits=edits).probabilities
    by_hand = core.explain(load("dragg"), SENTENCE, edits=[*edits, "couple:2,0=0.25"]).probabilities
    np.testing.assert_allclose(dosed[0], by_hand, atol=1e-6)
