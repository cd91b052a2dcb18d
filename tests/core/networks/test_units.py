"""The units of a run, for every kind of network, equal those of its trace and of edited runs."""

import numpy as np
import pytest

import core
from core import zoo
from core.edits import DropAttention, DropCapsule, DropInput
from core.networks import network_of
from tests.conftest import save_tiny
from tests.core.samples import REVIEW, SENTENCE, pair

SAMPLES = {"em-smallnorb": pair(48, 40), "dragg-documents": REVIEW, "em-sst": "a film"}
REMOVALS = {  # the edit that removes unit j
    "dragg": lambda j: DropCapsule(j),
    "dragg-documents": lambda j: DropCapsule(j, routing=0),
    "cccaps": lambda j: DropInput(j),
    "em-sst": lambda j: DropInput(j, routing=1),
    "em-smallnorb": lambda j: DropInput(j, routing=1),
    "agt": lambda j: DropAttention(j),
}


def unit_run(tmp_path, kind):
    checkpoint = zoo.load_folder(save_tiny(tmp_path, kind), "cpu")
    sample = SAMPLES.get(kind, SENTENCE)
    return checkpoint, sample, network_of(checkpoint).unit_run(checkpoint, sample)


@pytest.mark.parametrize("kind", REMOVALS)
def test_the_answer_without_a_unit_is_that_of_an_edited_run(tmp_path, kind):
    checkpoint, sample, run = unit_run(tmp_path, kind)
    plain = core.explain(checkpoint, sample)
    np.testing.assert_allclose(run.probabilities, plain.class_probabilities, atol=1e-6)
    for j, without in enumerate(run.without):
        edited = core.explain(checkpoint, sample, edits=[REMOVALS[kind](j)])
        np.testing.assert_allclose(without, edited.class_probabilities, atol=1e-5)


@pytest.mark.parametrize("kind", [*REMOVALS, "drnn"])
def test_units_have_an_amount_for_each_input(tmp_path, kind):
    _, sample, run = unit_run(tmp_path, kind)
    n = len(run.activation)
    assert run.taken.shape[0] == run.without.shape[0] == n
    assert (run.taken >= 0).all()
    if isinstance(sample, str):
        assert run.spans.shape == (run.taken.shape[1], 2)
    assert run.vectors is None or len(run.vectors) == n


def test_the_components_of_a_window_network_add_up_to_its_answer(tmp_path):
    checkpoint, sample, run = unit_run(tmp_path, "drnn")
    np.testing.assert_allclose(run.taken.sum(1), run.activation, atol=1e-6)
    assert ((run.taken > 0).sum(1) <= 1).all()  # each component takes its maximum from one position
    np.testing.assert_allclose(run.probabilities, core.explain(checkpoint, sample).class_probabilities, atol=1e-5)
    idle = run.activation == 0
    np.testing.assert_allclose(run.without[idle], np.tile(run.probabilities, (idle.sum(), 1)), atol=1e-6)


@pytest.mark.parametrize("kind", [kind for kind in (*REMOVALS, "drnn") if kind != "em-smallnorb"])
def test_the_units_of_a_batch_equal_those_of_single_runs(tmp_path, kind):
    checkpoint, sample, alone = unit_run(tmp_path, kind)
    other = "Never a dull, slow or silly moment in it." if kind != "em-sst" else "a good film"
    first, second = network_of(checkpoint).unit_runs(checkpoint, [sample, other])
    other_alone = network_of(checkpoint).unit_run(checkpoint, other)
    for batched, single in ((first, alone), (second, other_alone)):
        np.testing.assert_array_equal(batched.spans, single.spans)
        assert (batched.vectors is None) == (single.vectors is None)
        for name in ("taken", "activation", "probabilities", "without"):
            np.testing.assert_allclose(getattr(batched, name), getattr(single, name), atol=1e-5)
        if single.vectors is not None:
            np.testing.assert_allclose(batched.vectors, single.vectors, atol=1e-5)
