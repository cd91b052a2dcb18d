"""Numbers worked out for one cell: every value equals the one that its line of Python reads from the trace."""

import numpy as np
import pytest

import core
from core import zoo
from core.networks.workings import weights_of
from core.worked import path_of, work

TEXT = "The film is good , n't bad ."
CELLS = {  # cells of each kind's picture
    "tiny": [(3, 0), (0, 2)],
    "tiny_cccaps": [(2, 4), (0, 0)],
    "tiny_em": [(3, 1), (0, 4)],
    "tiny_agt": [(3,), (5,)],
    "tiny_drnn": [(3,), (0,)],
}


def exact(checkpoint, text=TEXT):
    """The numbers that the trace does not hold."""
    return {name: values.astype(np.float64) for name, values in weights_of(checkpoint, text).items()}


def picture(trace, cell, step):
    """The number of a cell in the main picture of the trace."""
    k = step - 1
    kind = trace.kind
    if kind == "dragg":
        return trace.inputs_to_capsules.coupling[(k, *cell)]
    if kind == "cccaps":
        return trace.features_to_classes.coupling[(k, *cell)]
    if kind == "em-sst":
        return trace.credit_of_words[(k, *cell)]
    return trace.scaled_attention[k, cell[0]] if kind == "agt" else trace.wins[k, cell[0]]


def check(steps, trace, weights):
    """Compare each value with the one at its path."""
    names = {"trace": trace, "np": np, **weights}
    for step in steps:
        if step.path:
            stored = float(eval(step.path, names))
            assert step.value == pytest.approx(stored, rel=1e-5, abs=1e-6), step
        assert step.latex.count("{") == step.latex.count("}")


@pytest.mark.parametrize("fixture", CELLS)
def test_each_number_is_where_its_path_says(fixture, request):
    checkpoint = request.getfixturevalue(fixture)
    trace = core.explain(checkpoint, TEXT)
    weights = exact(checkpoint)
    for step in range(1, min(trace.n_steps, 4) + 1):
        for cell in CELLS[fixture]:
            for known in ({}, weights):
                steps = work(trace, cell, step, known)
                check(steps, trace, known)
                (share,) = [worked for worked in steps if worked.is_share]
                assert share.value == pytest.approx(float(picture(trace, cell, step)), abs=1e-6)
                assert path_of(trace, cell, step) == share.path


@pytest.mark.parametrize(("name", "text"), [("dragg-reversed-sst5", TEXT), ("cccaps-dynamic-ag", TEXT)])
def test_shipped_networks_are_worked_out_from_their_votes(name, text):
    checkpoint = zoo.load(name, "cpu")
    trace = core.explain(checkpoint, text, 4)
    weights = exact(checkpoint)
    for step in (1, 2, 4):
        check(work(trace, (3, 1), step, weights), trace, weights)


def test_a_share_that_an_edit_set_is_said_to_be_so(tiny):
    trace = core.explain(tiny, TEXT, edits=["couple:2,1=0.5"])
    *_, before, last = work(trace, (2, 1), 2)
    assert not before.is_share
    assert before.says.endswith("Your edits overrule this.")
    assert (last.value, last.says) == (0.5, "Your edits put this number in its place.")


EDITS = {  # edits of each kind of network
    "tiny": ("drop:0", "drop:3", "couplings:uniform", "capsule:1", "freeze:1", "replace:3=dull"),
    "tiny_cccaps": ("drop:0", "drop:2", "couplings:uniform", "capsule:1", "freeze:1", "sharpness:2", "replace:3=dull"),
    "tiny_em": ("drop:0", "drop:3", "couplings:uniform", "capsule:1", "freeze:1", "replace:3=dull"),
    "tiny_agt": ("drop:0", "drop:3", "attention:0", "replace:3=dull"),
    "tiny_drnn": ("drop:0", "drop:3", "replace:3=dull"),
}


@pytest.mark.parametrize(("fixture", "edit"), [(fixture, edit) for fixture, edits in EDITS.items() for edit in edits])
def test_each_number_of_an_edited_run_is_where_its_path_says(fixture, edit, request):
    checkpoint = request.getfixturevalue(fixture)
    trace = core.explain(checkpoint, TEXT, edits=[edit])
    weights = {k: v.astype(np.float64) for k, v in weights_of(checkpoint, TEXT, [edit]).items()}
    for step in range(1, min(trace.n_steps, 3) + 1):
        for cell in CELLS[fixture]:
            check(work(trace, cell, step, weights), trace, weights)


def test_a_document_is_worked_out_for_a_sentence(tiny_documents):
    trace = core.explain(tiny_documents, "A good film. It is bad. The film is n't.")
    steps = work(trace, (1, 2), 3)
    check(steps, trace, {})
    assert steps[-1].path == "trace.sentences_to_document.coupling[2, 1, 2]"
    assert work(trace.of_sentences(), (1, 2), 3) == steps


def test_other_networks_have_nothing_to_work_out(tiny_em_smallnorb):
    trace = core.explain(tiny_em_smallnorb, np.zeros((2, 48, 48), np.uint8))
    assert work(trace, (0, 0), 1) == []
    assert path_of(trace, (0, 0), 1) == ""
