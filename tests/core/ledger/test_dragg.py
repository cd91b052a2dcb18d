"""The verdict of the sweep of iterations on DR-AGG's claim."""

import pandas as pd

from core import ledger
from core.ledger.dragg import gain_of_iterations
from tests.sweeps import save_sweep


def swept(rows):
    """The table of a sweep, from rows of n_capsules, n_iters and test."""
    return pd.DataFrame(rows, columns=["n_capsules", "n_iters", "test"]).assign(seed=0, tested_on=1821)


def test_three_iterations_are_compared_with_one_of_the_same_networks():
    rows = [(2, 1, 0.80), (2, 3, 0.84), (3, 1, 0.82), (3, 3, 0.84)]
    gain = gain_of_iterations(swept(rows))
    assert (gain.text, gain.note) == ("+3.00 points", "unpaired")
    others = [(1, 1, 0.5), (1, 3, 0.9), (4, 1, 0.1), (2, 2, 0.1)]
    assert gain_of_iterations(swept(rows + others)) == gain


def test_a_gain_needs_both_numbers_of_iterations():
    assert gain_of_iterations(swept([(2, 1, 0.80), (3, 3, 0.84), (1, 1, 0.5), (1, 3, 0.9)])) is None


def test_three_iterations_are_best_unless_beaten_by_a_standard_error(no_sweeps):
    def verdict(three, other):
        """The verdict if 3 iterations have one accuracy, and 1 and 2 iterations another."""
        rows = [(n, t, three if t == 3 else other) for n in (2, 3) for t in (1, 2, 3)]
        save_sweep("iterations", swept(rows).assign(corpus="sst2"))
        claims = ledger.read("DR-AGG", "sweeps/iterations.parquet").set_index("claim")
        return claims.loc["3 iterations are best for every number of capsules from 2 up", "verdict"]

    assert verdict(three=0.9, other=0.8) == "reproduced"
    assert verdict(three=0.8, other=0.9) == "does not hold"
    assert verdict(three=0.9, other=0.9) == "inconclusive"
