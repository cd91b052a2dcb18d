"""95% confidence intervals of shares, means and differences."""

from collections.abc import Sequence
from math import hypot, sqrt
from statistics import fmean, stdev

import numpy as np
from jaxtyping import Int, Shaped
from numpy import ndarray

QUANTILE = 1.959964  # standard normal distribution: 95% lies between minus this value and this value
RESAMPLES = 2000  # in a bootstrap


def interval_of_share(share: float, n: int) -> tuple[float, float]:
    """The 95% interval of a share of n samples, such as an accuracy.

    This is Wilson's score interval (Wilson 1927). It stays between 0 and 1, and agrees with the bootstrap over the
    samples to a tenth of a point if n is 500 or more.

    Raises:
        ValueError: n is not positive, or the share is not from 0 to 1.
    """
    if n < 1 or not 0 <= share <= 1:
        raise ValueError(f"share is {share} of {n} samples, wanted 0 to 1 of at least one")
    correction = QUANTILE**2 / n
    centre = share + correction / 2
    half = QUANTILE * sqrt(share * (1 - share) / n + correction / n / 4)
    return max(0.0, (centre - half) / (1 + correction)), min(1.0, (centre + half) / (1 + correction))


def interval_of_mean(shares: Sequence[float], n: int) -> tuple[float, float]:
    """The 95% interval of the mean accuracy of networks that differ only in their seed, on the same n samples.

    It combines the uncertainty from the samples, as for a share of n, with the uncertainty from the seeds. The latter
    uses Student's quantile, because a few seeds say little about how much seeds differ.

    Raises:
        ValueError: there is no share, n is not positive, or a share is not from 0 to 1.
    """
    if not len(shares):
        raise ValueError("shares is empty, wanted at least one")
    if len(shares) == 1:
        return interval_of_share(shares[0], n)
    centre = fmean(shares)
    low, high = interval_of_share(centre, n)
    half = hypot((high - low) / 2, _half_over_seeds(shares))
    return max(0.0, centre - half), min(1.0, centre + half)


def _half_over_seeds(shares: Sequence[float]) -> float:
    """Half the 95% interval of a mean over seeds, on fixed samples; 0 for a single seed, which shows no spread."""
    if len(shares) == 1:
        return 0.0
    from scipy.special import stdtrit  # a fifth of a second to import

    return float(stdtrit(len(shares) - 1, 0.975)) * stdev(shares) / sqrt(len(shares))


def interval_of_few(values: Sequence[float]) -> tuple[float, float]:
    """The 95% interval of the mean of a few numbers, such as one per seed, by Student's quantile.

    Raises:
        ValueError: there are fewer than two.
    """
    if len(values) < 2:
        raise ValueError(f"values holds {len(values)}, wanted at least two")
    half = _half_over_seeds(values)
    return fmean(values) - half, fmean(values) + half


def interval_of_difference(first: Sequence[float], second: Sequence[float], n: int) -> tuple[float, float]:
    """The 95% interval of the difference of two mean accuracies on n samples each, first minus second.

    It is computed as if the two sets of samples were independent, so it is too wide if they are the same samples; use
    ``interval_of_paired_difference`` for those. Arguments and errors as in ``interval_of_mean``.
    """
    (low, high), (low_2, high_2) = (interval_of_mean(shares, n) for shares in (first, second))
    half = hypot(high - low, high_2 - low_2) / 2
    difference = fmean(first) - fmean(second)
    return difference - half, difference + half


def interval_of_paired_difference(first: Shaped[ndarray, "s n"], second: Shaped[ndarray, "r n"]) -> tuple[float, float]:
    """The 95% interval of the difference of two mean accuracies on the same n samples, first minus second.

    The uncertainty from the samples comes from the mean difference per sample, so samples that both networks answer
    alike add nothing. With one seed each this is McNemar's interval. The uncertainty from the seeds is as in
    ``interval_of_mean``. It stays between -1 and 1.

    Args:
        first, second: one row per seed: how correct its network is on each sample, 0 or 1, or a value between them for
            a mean over networks.

    Source: McNemar 1947.
    """
    differences = first.mean(0) - second.mean(0)
    half_over_samples = QUANTILE * float(differences.std(ddof=1)) / sqrt(len(differences))
    half = hypot(half_over_samples, *(_half_over_seeds(right.mean(1).tolist()) for right in (first, second)))
    return max(-1.0, float(differences.mean()) - half), min(1.0, float(differences.mean()) + half)


def interval_over_groups(values: Shaped[ndarray, " n"], groups: Int[ndarray, " n"]) -> tuple[float, float]:
    """The 95% interval of the mean of values that come in groups, such as views of a few toys.

    Values within a group are alike, so the interval comes from a bootstrap over the groups, with a fixed seed.

    Raises:
        ValueError: there are fewer than two groups.
    """
    names, group_of = np.unique(groups, return_inverse=True)
    if len(names) < 2:
        raise ValueError(f"groups holds {len(names)}, wanted at least two")
    sums, counts = np.bincount(group_of, values), np.bincount(group_of)
    drawn = np.random.default_rng(0).integers(len(names), size=(RESAMPLES, len(names)))
    low, high = np.quantile(sums[drawn].sum(1) / counts[drawn].sum(1), [0.025, 0.975])
    return float(low), float(high)


def interval_of_average(intervals: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The 95% interval of the average of independent figures, from their intervals.

    Raises:
        ValueError: there is no interval.
    """
    if not len(intervals):
        raise ValueError("intervals is empty, wanted at least one")
    middle = fmean(low + high for low, high in intervals) / 2
    half = sqrt(sum((high - low) ** 2 for low, high in intervals)) / 2 / len(intervals)
    return middle - half, middle + half
