"""Entropy, change and clustering loss of a routing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from core.analysis.routing import change, clustering_loss, entropy, evenness

# Two iterations of two words and two capsules: word 1 decides for capsule 1, word 2 stays undecided.
COUPLING = np.array([[[0.5, 0.5], [0.5, 0.5]], [[1.0, 0.0], [0.5, 0.5]]])


def test_entropy_by_hand():
    assert entropy(COUPLING).tolist() == [[1, 1], [0, 1]]


def test_entropy_of_the_reversed_routing_is_over_words():
    quarter = np.full((1, 4, 3), 0.25)
    assert entropy(quarter, "input").tolist() == [[2, 2, 2]]


def test_evenness_is_1_if_shares_are_equal_and_0_if_one_has_all():
    assert evenness(COUPLING[0]) == 1
    assert evenness(COUPLING[1]) == pytest.approx(0.5)
    assert evenness(np.full((4, 3), 0.25), "input") == 1
    assert np.isnan(evenness(np.ones((4, 1))))


def test_change_by_hand():
    moved = change(COUPLING)
    assert np.isnan(moved[0])
    assert moved[1] == pytest.approx(0.25)  # word 1 moved half of its share, word 2 none
    reversed_moved = change(COUPLING.transpose(0, 2, 1), "input")
    assert reversed_moved[1] == pytest.approx(0.25)


def test_one_iteration_has_no_change():
    assert np.isnan(change(COUPLING[:1])).all()


def test_the_clustering_loss_by_hand():
    """Two inputs: one in the direction of a centre and opposite to the other, one at right angles to both."""
    cosines = np.array([[[1.0, -1.0], [0.0, 0.0]]])
    assert clustering_loss(cosines) == pytest.approx(-np.log(np.e + 1 / np.e) - np.log(2))


@given(hnp.arrays(np.float64, (2, 5, 3), elements=st.floats(-1, 1)))
def test_the_clustering_loss_is_a_soft_minimum_of_distances(cosines):
    nearest = -cosines.max(2).sum(1)
    losses = clustering_loss(cosines)
    assert (losses <= nearest + 1e-9).all()
    assert (losses >= nearest - 5 * np.log(3) - 1e-9).all()
