import numpy as np
import pytest

from core.analysis.routing import change, entropy

# Two iterations, two words, two capsules: word 1 makes up its mind, word 2 does not.
COUPLING = np.array([[[0.5, 0.5], [0.5, 0.5]], [[1.0, 0.0], [0.5, 0.5]]])


def test_entropy_by_hand():
    assert entropy(COUPLING).tolist() == [[1, 1], [0, 1]]


def test_entropy_of_the_reversed_routing_is_over_words():
    quarter = np.full((1, 4, 3), 0.25)
    assert entropy(quarter, "input").tolist() == [[2, 2, 2]]


def test_change_by_hand():
    moved = change(COUPLING)
    assert np.isnan(moved[0])
    assert moved[1] == pytest.approx(0.25)  # word 1 moved half of itself, word 2 nothing
    reversed_moved = change(COUPLING.transpose(0, 2, 1), "input")
    assert reversed_moved[1] == pytest.approx(0.25)


def test_one_iteration_has_no_change():
    assert np.isnan(change(COUPLING[:1])).all()
