"""A view: the pictures of both eyes, resized to what the network takes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import UInt8
from numpy import ndarray
from PIL import Image

SIDE = 96  # pixels of smallNORB's photographs
KEPT = range(72, 129)  # sides that are not resized
MIN_SIDE = 31  # pixels; the network needs 29
MAX_VIEWS = 200


@dataclass(frozen=True)
class View:
    """The pictures of both eyes, sides in ``KEPT``; azimuth and elevation in degrees, NaN if unknown.

    is_fitted: whether the pictures were resized. is_cut: whether both come from one picture, side by side.
    """

    name: str
    left: UInt8[ndarray, "y x"]
    right: UInt8[ndarray, "y x"]
    is_fitted: bool
    azimuth: float = float("nan")
    elevation: float = float("nan")
    is_cut: bool = False


def view(name: str, pictures: Sequence[tuple[UInt8[ndarray, "_ _"], str]], *angles: float) -> View:
    """A view of a left and a right picture, or of one for both eyes.

    Args:
        pictures: of any size, each with its name for messages.
        angles: azimuth and elevation in degrees, if known.

    Raises:
        ValueError: a side has fewer than ``MIN_SIDE`` pixels.
    """
    for picture, file in pictures:
        y, x = picture.shape
        if min(y, x) < MIN_SIDE:
            raise ValueError(f"{file} is too small: {x} x {y} pixels, where {MIN_SIDE} a side are wanted.")
    shapes = {picture.shape for picture, _ in pictures}
    is_fitted = len(shapes) > 1 or any(side not in KEPT for shape in shapes for side in shape)
    eyes = [fit(picture) if is_fitted else picture for picture, _ in pictures]
    return View(name, eyes[0], eyes[-1], is_fitted, *angles)


def together(views: Sequence[View]) -> tuple[UInt8[ndarray, "n 2 _ _"], bool]:
    """The pictures of all views in one size, and whether any was resized."""
    pictures = [[view.left, view.right] for view in views]
    is_mixed = len({view.left.shape for view in views}) > 1
    if is_mixed:
        pictures = [[fit(eye) for eye in pair] for pair in pictures]
    return np.array(pictures), is_mixed or any(view.is_fitted for view in views)


def fit(picture: UInt8[ndarray, "y x"]) -> UInt8[ndarray, "96 96"]:
    """The picture resized until its longer side is ``SIDE``, its edge pixels repeated to make it square."""
    longer = max(picture.shape)
    y, x = (max(1, round(side * SIDE / longer)) for side in picture.shape)
    resized = np.asarray(Image.fromarray(picture).resize((x, y), Image.Resampling.BICUBIC))
    return np.pad(resized, [((SIDE - side) // 2, (SIDE - side + 1) // 2) for side in (y, x)], "edge")
