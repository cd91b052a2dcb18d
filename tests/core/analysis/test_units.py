"""Measures of units, on numbers that are computed by hand."""

import numpy as np
import pytest

from core.analysis import units


def one_word_texts():
    """Two texts: "a b" and "a c"; unit 0 takes only a, unit 1 takes the same from all."""
    amounts = [np.array([[2.0, 0.0], [1.0, 1.0]]), np.array([[2.0, 0.0], [1.0, 1.0]])]
    return units.gather([["a", "b"], ["a", "c"]], amounts)


def test_relative_amounts_have_a_mean_of_1_in_each_text():
    taken = np.array([[3.0, 1.0], [0.0, 0.0]])
    assert units.relative(taken).tolist() == [[1.5, 0.5], [0.0, 0.0]]


def test_the_lift_is_the_mean_amount_of_a_word():
    words = one_word_texts()
    a, b = words.names.index("a"), words.names.index("b")
    assert units.lift(words, np.array([a, b])).tolist() == [[2.0, 0.0], [1.0, 1.0]]


def test_only_words_that_occur_often_enough_are_described():
    words = units.gather([["a"] * units.MIN_COUNT + ["b"]], [np.ones((1, units.MIN_COUNT + 1))])
    assert [words.names[k] for k in words.frequent] == ["a"]


def test_a_static_unit_has_no_variance_between_texts():
    amounts = [np.array([[2.0, 0.0], [2.0, 0.0]]), np.array([[2.0, 0.0], [0.0, 2.0]])] * 5
    words = units.gather([["a", "b"]] * 10, amounts)
    static, changing = units.between_texts(words)
    assert static == 0
    # Each word's amounts have variance 10 / 9 over 20 - 2 of 19 degrees of freedom, and all have mean 1.
    assert changing == pytest.approx(1.0)


def test_evenness_is_1_for_equal_amounts_and_0_for_one_word():
    taken = np.array([[1.0, 1.0, 1.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]])
    assert units.evenness(taken).tolist() == [1.0, 0.0, 0.5, 0.0]
    assert units.evenness(np.array([[0.3]])).tolist() == [1.0]


def test_effects_are_differences_of_probabilities():
    p = np.array([[0.7, 0.3], [0.6, 0.4]])
    without = np.array([[[0.4, 0.6], [0.7, 0.3]], [[0.5, 0.5], [0.6, 0.4]]])
    found = units.effects(p, without)
    np.testing.assert_allclose(found.effect, [[0.2, -0.2], [0.0, 0.0]])
    np.testing.assert_allclose(found.matters, [0.2, 0.0])
    np.testing.assert_allclose(found.flips, [0.5, 0.0])
    np.testing.assert_allclose(found.idle, [0.0, 1.0])
    half = 1.959964 * np.std([0.3, 0.1], ddof=1) / np.sqrt(2)
    np.testing.assert_allclose(found.low[0], [0.2 - half, -0.2 - half])
    np.testing.assert_allclose(found.high[0], [0.2 + half, -0.2 + half])


def test_a_unit_is_active_in_the_highest_quarter():
    activation = np.arange(8.0)[:, None]
    assert units.active(activation)[:, 0].tolist() == [False] * 6 + [True] * 2
    assert not units.active(np.zeros((8, 1))).any()


def test_deciles_hold_three_texts_of_each_tenth_in_order():
    activation = np.arange(60.0)[::-1, None]
    texts = units.deciles(activation)
    assert texts.shape == (1, 10, 3)
    assert texts[0, 0].tolist() == [58, 56, 54]
    assert texts[0, -1].tolist() == [4, 2, 0]
    assert units.deciles(np.zeros((2, 1))).max() <= 1


def test_overlap_and_cosines_are_correlations():
    lifts = np.array([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0], [1.0, 1.0, 1.0]])
    np.testing.assert_allclose(units.overlap(lifts), [[1, -1, 0], [-1, 1, 0], [0, 0, 0]], atol=1e-12)
    np.testing.assert_allclose(units.cosines(np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0]]))[0], [1, 2**-0.5, 0])
