"""Reasons not to trust the name of a pair: it is flat, its eyes show different things, or it has no toy in its middle.

The measures are ours. The limits were chosen on rendered toys, of which about 1% is doubted.
"""

from enum import StrEnum

import numpy as np
from jaxtyping import Float, UInt8
from numpy import ndarray
from scipy.ndimage import gaussian_filter

LEAST_CONTRAST = 4.0  # greys, deviation of the details
LEAST_LIKENESS = 0.28  # largest correlation of the eyes' details over their shifts
MOST_AROUND = 0.4  # squared slopes of the greys at the edge, as a share of those in the middle
DETAIL, SMOOTH = 8, 1  # pixels: radius of the blur that is taken off to see details, and of the one before slopes
ACROSS, DOWN = 10, 1  # pixels, largest shifts between the eyes
EDGE = 0.15  # width of the edge, as a share of a side


class Doubt(StrEnum):
    """A reason: hardly any contrast, two eyes that show different things, or no single toy on a plain ground."""

    FLAT = "flat"
    EYES = "eyes"
    NO_TOY = "no toy"


def doubt(pair: UInt8[ndarray, "2 y x"]) -> Doubt | None:
    """The first reason for doubt, in the order of ``Doubt``; None if there is none."""
    left, right = (_details(eye) for eye in pair)
    if min(left.std(), right.std()) < LEAST_CONTRAST:
        return Doubt.FLAT
    if likeness(left, right) < LEAST_LIKENESS:
        return Doubt.EYES
    return Doubt.NO_TOY if max(_around(eye) for eye in pair) > MOST_AROUND else None


def likeness(left: Float[ndarray, "y x"], right: Float[ndarray, "y x"]) -> float:
    """The largest correlation of the details of two eyes, -1 to 1, over small shifts across and down."""
    y, x = left.shape
    window = left[DOWN : y - DOWN, ACROSS : x - ACROSS]
    shifted = (
        right[down : down + len(window), across : across + window.shape[1]]
        for down in range(2 * DOWN + 1)
        for across in range(2 * ACROSS + 1)
    )
    products = ((window * other).sum() / max(np.sqrt((window**2).sum() * (other**2).sum()), 1e-9) for other in shifted)
    return float(max(products))


def _details(eye: UInt8[ndarray, "y x"]) -> Float[ndarray, "y x"]:
    """A picture without its slow changes."""
    return eye - gaussian_filter(eye.astype(float), DETAIL)


def _around(eye: UInt8[ndarray, "y x"]) -> float:
    """The mean squared slope at the edge of a picture, as a share of that in its middle."""
    slopes = np.square(np.gradient(gaussian_filter(eye.astype(float), SMOOTH))).sum(0)
    down, across = (round(EDGE * side) for side in eye.shape)
    is_middle = np.zeros(eye.shape, bool)
    is_middle[down:-down, across:-across] = True
    return float(slopes[~is_middle].mean() / max(slopes[is_middle].mean(), 1e-9))
