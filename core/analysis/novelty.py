"""Measures the distance of a new pair of pictures from the training pairs, by its features."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray


class FeatureSample(NamedTuple):
    """Summary of the features of a sample of training pairs.

    Args:
        mean: mean of each feature.
        precision: inverse of the features' covariance.
        distances: distances of the sample's pairs from the mean, sorted.
    """

    mean: Float[ndarray, " f"]
    precision: Float[ndarray, "f f"]
    distances: Float[ndarray, " n"]


def summarize(features: Float[ndarray, "n f"]) -> FeatureSample:
    """Summarize the features of a sample. The covariance is shrunk so that it can be inverted.

    Raises:
        ValueError: fewer than two pairs.

    Source: Ledoit and Wolf 2004, A well-conditioned estimator for large-dimensional covariance matrices.
    """
    from sklearn.covariance import LedoitWolf  # takes half a second to import

    if len(features) < 2:
        raise ValueError(f"features holds {len(features)} pair, wanted at least two")
    estimate = LedoitWolf().fit(features)
    distances = mahalanobis(features, estimate.location_, estimate.precision_)
    return FeatureSample(estimate.location_, estimate.precision_, np.sort(distances))


def mahalanobis(
    features: Float[ndarray, "n f"], mean: Float[ndarray, " f"], precision: Float[ndarray, "f f"]
) -> Float[ndarray, " n"]:
    """The distance of each pair from the mean, in standard deviations of the sample in that direction."""
    offset = features - mean
    return np.sqrt(np.maximum(np.einsum("nf,fg,ng->n", offset, precision, offset), 0))


def share_within(features: Float[ndarray, "n f"], sample: FeatureSample) -> Float[ndarray, " n"]:
    """The share of the sample, 0 to 1, that is not farther from the mean than each pair."""
    distances = mahalanobis(features, sample.mean, sample.precision)
    return np.searchsorted(sample.distances, distances, side="right") / len(sample.distances)
