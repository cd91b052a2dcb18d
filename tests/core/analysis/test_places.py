"""Sums of parts over the places of a grid."""

import numpy as np
import pytest

from core.analysis.places import by_place, taken_from


def test_sums_by_place_by_hand():
    # One row of two locations, two parts each, one output.
    gate = np.array([[1.0, 0.5, 1.0, 0.0]])
    coupling = np.array([[[0.25], [0.5], [1.0], [1.0]]])
    assert taken_from(gate, coupling, (1, 2)).tolist() == [[[[0.5], [1.0]]]]
    assert by_place(np.array([[[1.0], [-2.0], [3.0], [4.0]]]), (2, 1)).tolist() == [[[[-1.0]], [[7.0]]]]


def test_sums_by_place_keep_the_total():
    generator = np.random.default_rng(0)
    gate, coupling = generator.random((3, 2 * 4 * 5)), generator.random((3, 2 * 4 * 5, 6))
    taken = taken_from(gate, coupling, (2, 4))
    assert taken.shape == (3, 2, 4, 6)
    np.testing.assert_allclose(taken.sum((1, 2)), np.einsum("ti,tij->tj", gate, coupling))
    np.testing.assert_allclose(taken, by_place(gate[..., None] * coupling, (2, 4)))


@pytest.mark.parametrize("grid", [(2, 2), (0, 3), (-1, -3)])
def test_parts_that_do_not_fill_the_grid_are_refused(grid):
    with pytest.raises(ValueError, match="3 parts do not lie on a grid"):
        by_place(np.zeros((1, 3, 1)), grid)
