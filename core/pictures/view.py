"""A view: what two eyes see, small enough for the network."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import UInt8
from numpy import ndarray
from PIL import Image

SIDE = 96  # pixels of smallNORB's photographs
KEPT = range(72, 129)  # sides that stay as they are
SMALLEST = 31  # pixels a side; the network's smallest pattern has 29
MOST_VIEWS = 200


@dataclass(frozen=True)
class View:
    """The pictures of both eyes, sides in ``KEPT``; azimuth and elevation in degrees, NaN where not known."""

    name: str
    left: UInt8[ndarray, "y x"]
    right: UInt8[ndarray, "y x"]
    is_fitted: bool
    azimuth: float = float("nan")
    elevation: float = float("nan")
    is_cut: bool = False  # out of one picture of both eyes


def view(name: str, pictures: Sequence[tuple[UInt8[ndarray, "_ _"], str]], *angles: float) -> View:
    """A view of a left and a right picture, or one for both eyes, of any size, each with what the messages call it.

    Raises:
        ValueError: a side under ``SMALLEST`` pixels.
    """
    for picture, file in pictures:
        y, x = picture.shape
        if min(y, x) < SMALLEST:
            raise ValueError(f"{file} is too small: {x} x {y} pixels, where {SMALLEST} a side are wanted.")
    shapes = {picture.shape for picture, _ in pictures}
    is_fitted = len(shapes) > 1 or any(side not in KEPT for shape in shapes for side in shape)
    eyes = [fit(picture) if is_fitted else picture for picture, _ in pictures]
    return View(name, eyes[0], eyes[-1], is_fitted, *angles)


def together(views: Sequence[View]) -> tuple[UInt8[ndarray, "n 2 _ _"], bool]:
    """All pictures in one size, and whether any was fitted for it."""
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
