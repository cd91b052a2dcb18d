"""Distances of features from a sample, and their percentiles."""

import numpy as np
import pytest

from core.analysis.novelty import FeatureSample, mahalanobis, share_within, summarize


def test_distances_are_in_standard_deviations():
    precision = np.diag([1 / 4, 1.0])  # standard deviations 2 and 1
    features = np.array([[1.0, 5.0], [3.0, 5.0], [1.0, 8.0], [7.0, 9.0]])
    np.testing.assert_allclose(mahalanobis(features, np.array([1.0, 5.0]), precision), [0, 1, 3, 5])


def test_a_percentile_is_the_share_of_the_sample_not_further_away():
    sample = FeatureSample(np.zeros(1), np.eye(1), np.array([1.0, 2.0, 3.0, 4.0]))
    np.testing.assert_allclose(share_within(np.array([[0.5], [1.0], [-2.5], [9.0]]), sample), [0, 0.25, 0.5, 1])


def test_a_sample_is_summarized_by_its_mean_and_covariance():
    generator = np.random.default_rng(0)
    features = generator.normal(size=(20_000, 2)) @ np.array([[2.0, 0.0], [1.0, 1.0]]) + [3.0, -1.0]
    sample = summarize(features)
    np.testing.assert_allclose(sample.mean, features.mean(0))
    np.testing.assert_allclose(np.linalg.inv(sample.precision), np.cov(features.T), rtol=0.02, atol=0.02)
    assert (np.diff(sample.distances) >= 0).all()
    shares = share_within(features, sample)
    assert shares.max() == 1
    assert abs(shares.mean() - 0.5) < 1e-3
    assert share_within(np.array([[30.0, 30.0]]), sample) == [1]


def test_constant_features_have_finite_distances():
    features = np.column_stack([np.arange(10.0), np.ones(10)])
    sample = summarize(features)
    assert np.isfinite(sample.distances).all()


def test_a_sample_of_one_is_refused():
    with pytest.raises(ValueError, match="features holds 1 pair, wanted at least two"):
        summarize(np.zeros((1, 3)))
