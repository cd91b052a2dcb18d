"""A view: one picture per eye, in a size that the network can read."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import UInt8
from numpy import ndarray
from PIL import Image

SIDE = 96  # pixels per side of smallNORB's photographs, and of resized pictures
UNCHANGED = range(72, 129)  # pixels per side of pictures that are not resized
MIN_SIDE = 31  # pixels per side; the network needs 29
MAX_VIEWS = 200


@dataclass(frozen=True)
class View:
    """The pictures of both eyes.

    Args:
        name: name for display.
        left, right: pictures in grey, with sides in ``UNCHANGED``.
        is_fitted: whether they were resized.
        azimuth, elevation: direction in degrees, NaN if unknown.
        is_cut: whether both are halves of one picture.
        how: phrase for the way the files were read.
        files: names of the eyes' files, for display.
    """

    name: str
    left: UInt8[ndarray, "y x"]
    right: UInt8[ndarray, "y x"]
    is_fitted: bool
    azimuth: float = math.nan
    elevation: float = math.nan
    is_cut: bool = False
    how: str = ""
    files: tuple[str, ...] = ()

    @property
    def eyes(self) -> str:
        """Describe in words which picture each eye has."""
        if self.is_cut:
            return "its halves for the two eyes"
        if self.left is self.right:
            return "one picture for both eyes"
        left, right = self.files
        return f"left eye {left}, right eye {right}"


def view(
    name: str,
    pictures: Sequence[tuple[UInt8[ndarray, "_ _"], str]],
    azimuth: float = math.nan,
    elevation: float = math.nan,
) -> View:
    """Make a view, and resize its pictures if needed.

    Args:
        name: name of the view.
        pictures: left and right picture, or one for both eyes, each with its name for messages.
        azimuth, elevation: direction in degrees, NaN if unknown.

    Raises:
        ValueError: a side is shorter than ``MIN_SIDE`` pixels.
    """
    for picture, file in pictures:
        y, x = picture.shape
        if min(y, x) < MIN_SIDE:
            raise ValueError(f"{file} is too small: {x} x {y} pixels, where {MIN_SIDE} a side are wanted.")
    shapes = {picture.shape for picture, _ in pictures}
    is_fitted = len(shapes) > 1 or any(side not in UNCHANGED for shape in shapes for side in shape)
    eyes = [fit(picture) if is_fitted else picture for picture, _ in pictures]
    return View(name, eyes[0], eyes[-1], is_fitted, azimuth, elevation)


def in_one_size(views: Sequence[View]) -> tuple[UInt8[ndarray, "n 2 _ _"], bool]:
    """The pictures of all views, resized if their sizes differ, and whether any was resized."""
    pictures = [[view.left, view.right] for view in views]
    is_mixed = len({view.left.shape for view in views}) > 1
    if is_mixed:
        pictures = [[fit(eye) for eye in pair] for pair in pictures]
    return np.array(pictures), is_mixed or any(view.is_fitted for view in views)


def fit(picture: UInt8[ndarray, "y x"]) -> UInt8[ndarray, "96 96"]:
    """Resize a picture so that its longer side is ``SIDE``, and repeat edge pixels to make it square."""
    longer = max(picture.shape)
    y, x = (max(1, round(side * SIDE / longer)) for side in picture.shape)
    resized = np.asarray(Image.fromarray(picture).resize((x, y), Image.Resampling.BICUBIC))
    return np.pad(resized, [((SIDE - side) // 2, (SIDE - side + 1) // 2) for side in (y, x)], "edge")
