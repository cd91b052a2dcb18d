"""Shares of selected phrases that are constituents, compared with chance."""

import numpy as np
import pytest

from core.analysis.constituents import Constituents, compare, count

# "a very good film" is ((a) ((very good) film)): one of its three pairs is a constituent, and one of its two triples.
SPANS = {(0, 1), (1, 2), (2, 3), (3, 4), (1, 3), (1, 4), (0, 4)}


def test_phrases_are_compared_with_runs_of_their_length_by_hand():
    chosen = np.array(
        [
            [False, True, True, False],  # "very good", a constituent
            [True, True, False, True],  # "a very", which is none, and the single word "film"
            [False, True, True, True],  # "very good film", a constituent
            [True, True, True, True],  # the sentence, a constituent wherever it occurs
            [True, False, True, False],
        ]
    )
    expected = [[1, 1, 1 / 3], [1, 0, 1 / 3], [1, 1, 1 / 2], [1, 1, 1], [0, 0, 0]]
    np.testing.assert_allclose(count(chosen, SPANS), expected)


def test_the_interval_over_two_sentences_by_hand():
    """Two of three phrases are constituents; by chance, one would be."""
    compared = compare(np.array([[2, 1, 0.75], [1, 1, 0.25], [0, 0, 0]]))
    assert (compared.n, compared.share, compared.by_chance) == (3, 2 / 3, 1 / 3)
    assert compared.low == pytest.approx(0.125)  # only sentences like the first are drawn
    assert compared.high == pytest.approx(0.75)  # only from samples like the second


def test_the_interval_of_random_phrases_contains_0():
    rng = np.random.default_rng(1)
    counts = np.column_stack([np.ones(500), rng.random(500) < 0.3, np.full(500, 0.3)])
    compared = compare(counts)
    assert compared.low < 0 < compared.high
    assert compared.high - compared.low == pytest.approx(2 * 1.96 * (0.3 * 0.7 / 500) ** 0.5, rel=0.1)


def test_without_phrases_all_figures_are_0():
    assert compare(np.zeros((4, 3))) == Constituents(0, 0.0, 0.0, 0.0, 0.0)
