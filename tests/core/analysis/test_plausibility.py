"""Agreement of a ranking of words with the words that people marked."""

import numpy as np
import pytest

from core.analysis.plausibility import average_precision, f1_of_first

MARKED = np.array([True, False, False, True])


def test_a_ranking_with_marked_words_first_is_the_best():
    scores = np.array([0.9, 0.1, 0.2, 0.8])
    assert average_precision(scores, MARKED) == 1
    assert f1_of_first(scores, MARKED, 0.5) == 1


def test_figures_by_hand():
    scores = np.array([0.3, 0.9, 0.1, 0.5])  # order: 1, 3, 0, 2
    assert average_precision(scores, MARKED) == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert f1_of_first(scores, MARKED, 0.5) == pytest.approx(0.5)  # one of two taken, one of two marked
    assert f1_of_first(scores, MARKED, 0.01) == 0  # at least one word is taken
    assert f1_of_first(scores, MARKED, 1) == pytest.approx(2 * 2 / (4 + 2))
