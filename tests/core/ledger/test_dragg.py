"""What the sweep of iterations says of DR-AGG's claim."""

import pandas as pd
import pytest

from core.ledger.dragg import gain_of_iterations


def swept(rows):
    """A table of a sweep. rows: n_capsules, n_iters, test."""
    return pd.DataFrame(rows, columns=["n_capsules", "n_iters", "test"]).assign(seed=0, tested_on=1821)


def test_three_iterations_are_compared_with_one_of_the_same_networks():
    rows = [(2, 1, 0.80), (2, 3, 0.84), (3, 1, 0.82), (3, 3, 0.84)]
    low, high = gain_of_iterations(swept(rows))
    assert (low + high) / 2 == pytest.approx(0.03)
    others = [(1, 1, 0.5), (1, 3, 0.9), (4, 1, 0.1), (2, 2, 0.1)]
    assert gain_of_iterations(swept(rows + others)) == (low, high)


def test_without_both_there_is_no_gain():
    assert gain_of_iterations(swept([(2, 1, 0.80), (3, 3, 0.84), (1, 1, 0.5), (1, 3, 0.9)])) is None
