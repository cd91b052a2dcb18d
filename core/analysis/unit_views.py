"""Measures of a unit over views of toys: how far its pose follows a direction or the light, and views of each tenth."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from core.analysis.intervals import RESAMPLES
from core.analysis.units import N_DECILES

FACTORS = ("azimuth", "elevation", "light")  # in the order of the axes of shares
_MEAN_OVER = {"azimuth": (1, 3), "elevation": (2, 3), "light": (1, 2)}  # axes of [toy, elevation, azimuth, light]
HARMONICS = (1, 2)  # sines and cosines of the azimuth, and of twice the azimuth
SHUFFLES = 200


class Explained(NamedTuple):
    """The shares of each component's variance that the factors explain, [factor, u, h].

    Args:
        share: share of the variance within a toy that was left out, from the curve of the other toys. Below 0, the
            curve is worse than the toy's mean.
        low, high: 95% interval of it, from a bootstrap over the toys.
        own: the same from each toy's own curve, so that toys may differ.
        chance: 95% quantile of the largest share among a unit's components if each toy's curve is shuffled.
    """

    share: Float[ndarray, "f u h"]
    low: Float[ndarray, "f u h"]
    high: Float[ndarray, "f u h"]
    own: Float[ndarray, "f u h"]
    chance: Float[ndarray, "f u"]

    @property
    def follows(self) -> ndarray:
        """Whether each component follows each factor: by more than chance, and with an interval above 0."""
        return (self.share > self.chance[..., None]) & (self.low > 0)


def explain(poses: Float[ndarray, "toy elevation azimuth light u h"]) -> Explained:
    """The share of the variance of each component of a pose that each factor explains, as toys turn, rise and are lit.

    Each toy's mean is subtracted, so that differences between toys do not count. The curve over the azimuth is a sum of
    sines and cosines; elevations and lights are categories. As every toy has all views, the mean of the other toys'
    curves is the least-squares fit to their views.

    Args:
        poses: poses of units in all views of each toy, with azimuths evenly spaced once round.

    Raises:
        ValueError: there are fewer than two toys.
    """
    if len(poses) < 2:
        raise ValueError(f"poses has {len(poses)} toy, wanted at least two, so that one can be left out")
    centred = poses - poses.mean((1, 2, 3), keepdims=True, dtype=float)
    total = (centred**2).mean((1, 2, 3))
    random, shares = np.random.default_rng(0), []
    drawn = random.multinomial(len(poses), [1 / len(poses)] * len(poses), RESAMPLES)
    for factor in FACTORS:
        curve = centred.mean(_MEAN_OVER[factor])
        fit = harmonics(curve.shape[1]) if factor == "azimuth" else np.eye(curve.shape[1])
        gain = _gain(curve, fit)
        low, high = np.quantile(_ratio(np.tensordot(drawn, gain, 1), np.tensordot(drawn, total, 1)), [0.025, 0.975], 0)
        fitted = np.einsum("ml,tl...->tm...", fit, curve)
        own = _ratio((fitted**2).mean(1).sum(0), total.sum(0))
        shuffled = [_ratio(_gain(_shuffle(curve, factor, random), fit).sum(0), total.sum(0)) for _ in range(SHUFFLES)]
        chance = np.quantile(np.max(shuffled, 2), 0.95, 0).clip(0)
        shares.append((_ratio(gain.sum(0), total.sum(0)), low, high, own, chance))
    return Explained(*map(np.stack, zip(*shares, strict=True)))


def harmonics(n: int) -> Float[ndarray, "n n"]:
    """The projection of a curve over n azimuths, evenly spaced once round, to the waves of ``HARMONICS``."""
    turns = 2 * np.pi * np.arange(n) / n
    basis = np.stack([wave(k * turns) for k in HARMONICS for wave in (np.sin, np.cos)], 1)
    basis -= basis.mean(0)
    return basis @ np.linalg.pinv(basis)


def _gain(curve: Float[ndarray, "toy level u h"], fit: Float[ndarray, "level level"]) -> Float[ndarray, "toy u h"]:
    """The squared error of each toy that the fitted mean of the other toys' curves avoids."""
    fitted = np.einsum("ml,tl...->tm...", fit, curve)
    others = (fitted.sum(0) - fitted) / (len(curve) - 1)
    return (2 * curve * others - others**2).mean(1)


def _shuffle(curve: ndarray, factor: str, random: np.random.Generator) -> ndarray:
    """Each toy's curve, turned by a random angle, or with its levels in random order."""
    n = curve.shape[1]
    if factor == "azimuth":
        orders = [(np.arange(n) + random.integers(n)) % n for _ in curve]
    else:
        orders = [random.permutation(n) for _ in curve]
    return np.stack([of_toy[order] for of_toy, order in zip(curve, orders, strict=True)])


def _ratio(part: ndarray, total: ndarray) -> ndarray:
    """A share of the variance; 0 where there is none, as in a component that never changes."""
    return np.divide(part, total, out=np.zeros_like(total), where=total > 1e-12)


def nearest_to_tenths(activation: Float[ndarray, "n u"], shown: Int[ndarray, " p"]) -> Int[ndarray, "u d"]:
    """For each tenth of a unit's activation, the lowest first, the view nearest to its middle.

    Args:
        activation: activation of each unit in all views.
        shown: numbers of the views to choose from.

    Returns:
        Indices into ``shown``.
    """
    ranks = np.argsort(np.argsort(activation, axis=0, kind="stable"), axis=0)[shown]
    middles = (np.arange(N_DECILES) + 0.5) * len(activation) / N_DECILES - 0.5
    return np.abs(ranks[:, :, None] - middles).argmin(0)
