"""Confidence intervals of shares, means and differences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.intervals import (
    interval_of_average,
    interval_of_difference,
    interval_of_few,
    interval_of_mean,
    interval_of_paired_difference,
    interval_of_share,
    interval_over_groups,
)


@pytest.mark.parametrize(("share", "n"), [(0.5027, 2210), (0.8985, 7600), (0.963, 24_300), (0.875, 1821)])
def test_the_interval_of_a_share_agrees_with_the_bootstrap(share, n):
    accuracies = np.random.default_rng(0).binomial(n, share, 100_000) / n
    np.testing.assert_allclose(interval_of_share(share, n), np.quantile(accuracies, [0.025, 0.975]), atol=0.001)


@given(share=st.floats(0, 1), n=st.integers(1, 10**6))
def test_the_interval_contains_the_share_and_is_within_0_and_1(share, n):
    low, high = interval_of_share(share, n)
    assert 0 <= low <= share + 1e-12
    assert share - 1e-12 <= high <= 1


@pytest.mark.parametrize(("share", "n"), [(0.5, 0), (1.2, 10), (float("nan"), 10)])
def test_impossible_shares_are_refused(share, n):
    with pytest.raises(ValueError, match="wanted 0 to 1"):
        interval_of_share(share, n)


def test_the_interval_of_a_mean_counts_samples_and_seeds():
    one, same = interval_of_share(0.8, 1000), interval_of_mean([0.8, 0.8, 0.8], 1000)
    assert same == pytest.approx(one, abs=2e-3)
    low, high = interval_of_mean([0.4, 0.5, 0.6], 10**9)  # only seeds vary
    assert high - low == pytest.approx(2 * 4.303 * 0.1 / 3**0.5, rel=1e-3)  # Student's quantile, two degrees of freedom
    assert interval_of_mean([0.8], 1000) == one
    with pytest.raises(ValueError, match="shares is empty"):
        interval_of_mean([], 10)


def test_a_difference_is_as_uncertain_as_both_means():
    low, high = interval_of_difference([0.8], [0.7], 1000)
    assert (low + high) / 2 == pytest.approx(0.1)
    variance = (0.8 * 0.2 + 0.7 * 0.3) / 1000
    assert high - low == pytest.approx(2 * 1.96 * variance**0.5, rel=0.01)


def test_a_paired_difference_has_the_interval_of_mcnemar():
    """Only the first network is right on 60 of 1,000 samples, only the second on 40."""
    first, second = np.zeros((2, 1, 1000), bool)
    first[0, :560], second[0, 60:600] = True, True
    low, high = interval_of_paired_difference(first, second)
    assert (low + high) / 2 == pytest.approx(0.02)
    assert high - low == pytest.approx(2 * 1.96 * (100 - 20**2 / 1000) ** 0.5 / 1000, rel=1e-3)


def test_a_paired_interval_has_the_truth_in_95_of_100_samples():
    """The networks give most texts the same answer, and their accuracies differ by 2 points."""
    random = np.random.default_rng(0)
    contained = []
    for _ in range(400):
        is_common, own = random.random(1500) < 0.8, random.random((2, 1500)) < np.array([[0.6], [0.5]])
        common = random.random(1500) < 0.7
        first, second = (np.where(is_common, common, one)[None] for one in own)
        low, high = interval_of_paired_difference(first, second)
        contained.append(low <= 0.02 <= high)
    assert 0.92 < np.mean(contained) < 0.98


def test_an_average_is_less_uncertain_than_its_values():
    assert interval_of_average([(0.1, 0.3)]) == pytest.approx((0.1, 0.3))
    low, high = interval_of_average([(0.1, 0.3), (0.5, 0.7), (0.3, 0.5), (0.3, 0.5)])
    assert ((low + high) / 2, high - low) == pytest.approx((0.4, 0.1))
    with pytest.raises(ValueError, match="intervals is empty"):
        interval_of_average([])


def test_groups_of_equal_values_count_as_single_samples():
    groups = np.repeat(np.arange(20), 500)
    right = groups % 4 != 0  # all values of five groups are wrong
    low, high = interval_over_groups(right, groups)
    single = interval_of_share(0.75, 20)
    assert low == pytest.approx(single[0], abs=0.07)
    assert high == pytest.approx(single[1], abs=0.07)
    assert interval_over_groups(np.ones(10), np.arange(10) // 5) == (1, 1)
    with pytest.raises(ValueError, match="groups holds 1, wanted at least two"):
        interval_over_groups(np.ones(3), np.zeros(3, int))


def test_interval_of_few_numbers_by_hand():
    low, high = interval_of_few([1.0, 2.0, 3.0])  # mean 2, standard error 1 / sqrt(3), Student's quantile 4.3027
    assert (low, high) == pytest.approx((2 - 4.302653 / 3**0.5, 2 + 4.302653 / 3**0.5))
    with pytest.raises(ValueError, match="values holds 1, wanted at least two"):
        interval_of_few([1.0])
