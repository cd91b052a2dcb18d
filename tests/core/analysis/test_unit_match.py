"""Matched units of two networks, on amounts that can be checked by hand."""

import numpy as np

from core.analysis.unit_match import match_units

FIRST = np.array([[1.0, 0, 0, 1], [0, 1, 0, 1], [2, 2, 2, 2]])


def test_the_same_units_in_another_order_are_found():
    matches = match_units(FIRST, 3 * FIRST[[1, 2, 0]], draws=0)
    pairs = dict(zip(matches.first.tolist(), matches.second.tolist(), strict=True))
    assert (pairs[0], pairs[1]) == (2, 0)
    np.testing.assert_allclose(matches.correlation, [1, 1, 0], atol=1e-12)  # the last unit takes the same from all
    np.testing.assert_allclose(matches.others, [0, 0, 0], atol=1e-12)  # the first two units correlate 0
    assert matches.n_words == 4


def test_the_sum_of_all_matches_is_largest_and_not_each_match():
    """The second unit gets its only like unit, though the first one is a little more like it."""
    second = np.array([[1.0, 0, 0, 0], [0.9, 0, 0, 1]])
    matches = match_units(np.array([[1.0, 0, 0, 0.5], [1, 0, 0, -0.5]]), second, draws=0)
    assert matches.second.tolist() == [1, 0]


def test_of_more_units_some_are_not_matched():
    matches = match_units(FIRST, FIRST[1:2], draws=0)
    assert (matches.partner(1), matches.partner(0)) == (0, None)
    assert np.isnan(matches.others).all()


def test_chance_is_low_for_many_words_and_high_for_few():
    draw = np.random.default_rng(0)
    many, few = draw.normal(size=(4, 1000)), draw.normal(size=(4, 4))
    assert match_units(many, many[::-1]).by_chance.max() < 0.2
    assert match_units(few, few[::-1]).by_chance.min() > 0.5
