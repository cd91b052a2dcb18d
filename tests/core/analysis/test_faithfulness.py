"""Curves and figures of faithfulness, for networks whose true ranking is known."""

import numpy as np
import pytest
from explainkit import faithfulness as oracle
from explainkit.schema import Explanation
from hypothesis import given
from hypothesis import strategies as st

from core.analysis import faithfulness
from core.analysis.faithfulness import (
    Curves,
    TextCurves,
    area,
    curves,
    drop_one,
    masks,
    n_deleted,
    rank,
    summarize,
    tau,
)

WEIGHTS = np.array([0.1, 0.4, 0.05, 0.25])  # the words' weights in a network that adds them up


def linear(left):
    """The probability if only some words are left; ``left`` is a mask."""
    return 0.1 + left @ WEIGHTS


def test_words_are_deleted_and_given_from_the_highest_score_down():
    assert rank(np.array([0.2, 0.9, 0.2, 0.5])).tolist() == [1, 3, 0, 2]
    left = masks(np.array([0.2, 0.9, 0.2, 0.5])).astype(int).tolist()
    assert left[:4] == [[1, 1, 1, 1], [1, 0, 1, 1], [1, 0, 1, 0], [0, 0, 1, 0]]
    assert left[4:] == [[0, 1, 0, 0], [0, 1, 0, 1], [1, 1, 0, 1], [1, 1, 1, 1]]


def test_figures_by_hand():
    path = curves(WEIGHTS, linear)
    np.testing.assert_allclose(path.deletion, [0.9, 0.5, 0.25, 0.15])
    np.testing.assert_allclose(path.insertion, [0.5, 0.75, 0.85, 0.9])
    figures = summarize(path)
    # All shares delete one word, but a half deletes two of four.
    np.testing.assert_allclose(figures.comprehensiveness, [0.4, 0.4, 0.4, 0.4, 0.65])
    np.testing.assert_allclose(figures.sufficiency, [0.4, 0.4, 0.4, 0.4, 0.15])
    assert figures.aopc == pytest.approx(0.45)
    assert figures.deletion == pytest.approx((0.45 + 0.5 + 0.25 + 0.075) / 3)
    assert figures.insertion == pytest.approx((0.25 + 0.75 + 0.85 + 0.45) / 3)


def test_drop_one_is_the_weight_of_each_word():
    np.testing.assert_allclose(drop_one(4, linear), WEIGHTS)


@given(st.permutations(range(6)))
def test_no_ranking_deletes_sooner_than_the_true_one(order):
    weights = np.array([0.3, 0.2, 0.1, 0.05, 0.03, 0.02])

    def predict(left):
        return left @ weights

    best, other = (summarize(curves(scores, predict)) for scores in (weights, np.array(order, float)))
    assert best.deletion <= other.deletion + 1e-12
    assert best.insertion >= other.insertion - 1e-12
    assert best.aopc >= other.aopc - 1e-12


@pytest.mark.parametrize(
    ("share", "n", "expected"), [(0.01, 25, 1), (0.5, 25, 13), (0.2, 25, 5), (0.5, 2, 1), (1, 3, 2)]
)
def test_a_share_is_at_least_one_word_and_never_all(share, n, expected):
    assert n_deleted(share, n) == expected


def test_one_word_cannot_be_judged():
    with pytest.raises(ValueError, match="wanted at least two"):
        masks(np.array([1.0]))


def test_tau_measures_how_far_orders_agree():
    assert tau(np.array([1, 2, 3, 4]), np.array([10, 20, 30, 40])) == pytest.approx(1)
    assert tau(np.array([1, 2, 3, 4]), np.array([4, 3, 2, 1])) == pytest.approx(-1)
    assert tau(np.array([1, 2, 3, 4]), np.array([1, 2, 4, 3])) == pytest.approx(4 / 6)
    assert np.isnan(tau(np.ones(4), np.arange(4.0)))


def test_random_orders_are_beaten_in_both_directions():
    ours = curves(WEIGHTS, linear)
    worst = curves(-WEIGHTS, linear)
    both = {
        name: np.array([getattr(order, name) for order in (ours, worst, worst)]) for name in ("deletion", "insertion")
    }
    result = TextCurves(
        list("abcd"), "word", 0, {"own": WEIGHTS, "worst": -WEIGHTS}, {"own": ours, "worst": worst}, **both, groups=4
    )
    assert (result.n_beaten("own"), result.n_beaten_back("own")) == (2, 2)
    assert (result.n_beaten("worst"), result.n_beaten_back("worst")) == (0, 0)


def test_a_flat_curve_has_its_height_as_area():
    assert area(np.full(7, 0.3)) == pytest.approx(0.3)
    flat = summarize(Curves(np.arange(9), np.full(9, 0.3), np.full(9, 0.3)))
    assert not flat.comprehensiveness.any()
    assert flat.aopc == 0


def test_figures_agree_with_explainkit():
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    text = " ".join(words)
    starts = np.cumsum([0, *(len(word) + 1 for word in words[:-1])]).tolist()
    spans = [(start, start + len(word)) for word, start in zip(words, starts, strict=True)]
    random = np.random.default_rng(3)
    scores, weights = random.normal(size=10), random.random(10)

    def predict(left):
        return 1 / (1 + np.exp(-(left @ weights - 2)))

    def predict_texts(texts):
        left = np.array([[word in text.split() for word in words] for text in texts])
        p = predict(left)
        return np.stack([1 - p, p], 1)

    explanation = Explanation(
        text=text,
        tokens=words,
        spans=spans,
        scores=scores.tolist(),
        target_class=1,
        predicted_class=1,
        base_value=0.0,
        prediction=float(predict(np.ones((1, 10), bool))[0]),
        method="random",
    )
    figures = summarize(curves(scores, predict))
    for share, c, s in zip(faithfulness.SHARES, figures.comprehensiveness, figures.sufficiency, strict=True):
        k = n_deleted(share, 10)
        assert c == pytest.approx(oracle.comprehensiveness(explanation, predict_texts, k=k))
        assert s == pytest.approx(oracle.sufficiency(explanation, predict_texts, k=k))
    assert figures.aopc == pytest.approx(oracle.aopc(explanation, predict_texts, fractions=faithfulness.SHARES))


def test_the_interval_of_a_mean_leaves_out_undefined_values():
    values = np.random.default_rng(0).normal(0.3, 0.1, 400)
    low, high = faithfulness.bootstrap_interval([*values, np.nan])
    assert low < values.mean() < high
    assert high - low == pytest.approx(2 * 1.96 * values.std() / 20, rel=0.15)
    with pytest.raises(ValueError, match="wanted at least two"):
        faithfulness.bootstrap_interval([0.1, np.nan])
