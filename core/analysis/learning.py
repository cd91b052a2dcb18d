"""Fits a power law to a network's error as a function of the number of training samples."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray

N_DRAWS = 2000  # random sets of errors, each with a curve, from which the band is computed
Numbers = Sequence[float] | Float[ndarray, " n"]


class PowerLaw(NamedTuple):
    """error = factor * n^-exponent for n training samples (Hestness et al. 2017)."""

    factor: float
    exponent: float

    def error(self, n: Float[ndarray, " n"]) -> Float[ndarray, " n"]:
        """The error with n training samples."""
        return self.factor * n**-self.exponent


def fit_power_law(sizes: Numbers, errors: Numbers) -> PowerLaw:
    """Fit a power law by least squares on the logarithms.

    Raises:
        ValueError: fewer than three sizes, or a size or an error that is not positive.
    """
    n, e = np.asarray(sizes, float), np.asarray(errors, float)
    if len(np.unique(n)) < 3 or len(n) != len(e) or min(n.min(), e.min()) <= 0:
        raise ValueError(f"sizes is {list(sizes)} and errors is {list(errors)}, wanted at least three positive numbers")
    slope, intercept = np.polyfit(np.log(n), np.log(e), 1)
    return PowerLaw(float(np.exp(intercept)), float(-slope))


def band(sizes: Numbers, errors: Numbers, deviations: Numbers, at: Float[ndarray, " m"]) -> Float[ndarray, "2 m"]:
    """The 95% band of the power law, given the standard deviation of each error.

    The band assumes that the error follows a power law.

    Args:
        deviations: standard deviation of each error.
        at: numbers of training samples at which to evaluate the band.

    Returns:
        Lower and upper end of the band at each number.
    """
    random = np.random.default_rng(0)
    drawn = random.normal(errors, deviations, (N_DRAWS, len(errors))).clip(1e-6)  # errors must be positive
    curves = [fit_power_law(sizes, row).error(at) for row in drawn]
    return np.quantile(curves, [0.025, 0.975], axis=0)
