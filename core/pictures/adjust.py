"""Changes that a user makes to pictures before they are resized: crop, levels, invert."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import UInt8
from numpy import ndarray


@dataclass(frozen=True)
class Adjustment:
    """A change to pictures.

    Args:
        across: left and right edge of the crop, as shares of the width.
        down: upper and lower edge of the crop, as shares of the height.
        black, white: greys that become 0 and 255; greys between them are scaled linearly.
        is_inverted: whether dark becomes light.

    Raises:
        ValueError: edges or greys are not in order, or are out of range.
    """

    across: tuple[float, float] = (0.0, 1.0)
    down: tuple[float, float] = (0.0, 1.0)
    black: int = 0
    white: int = 255
    is_inverted: bool = False

    def __post_init__(self):
        for name in ("across", "down"):
            low, high = getattr(self, name)
            if not 0 <= low < high <= 1:
                raise ValueError(f"{name} is {low:g} to {high:g}, wanted two shares from 0 to 1 in order.")
        if not 0 <= self.black < self.white <= 255:
            raise ValueError(
                f"black and white are {self.black} and {self.white}, wanted two greys, 0 to 255, in order."
            )

    def apply(self, picture: UInt8[ndarray, "y x"]) -> UInt8[ndarray, "_ _"]:
        """Crop the picture, change its levels, then invert it."""
        (top, bottom), (left, right) = (
            [round(edge * side) for edge in edges]
            for edges, side in zip((self.down, self.across), picture.shape, strict=True)
        )
        picture = picture[top:bottom, left:right]
        if (self.black, self.white) != (0, 255):
            spread = (picture.astype(np.float32) - self.black) * (255 / (self.white - self.black))
            picture = np.clip(np.rint(spread), 0, 255).astype(np.uint8)
        return 255 - picture if self.is_inverted else picture

    def describe(self, picture: UInt8[ndarray, "y x"]) -> list[str]:
        """Describe in words what ``apply`` does to a picture; an empty list if it changes nothing."""
        y, x = self.apply(picture).shape
        words = [f"cropped to {x} x {y}"] if (y, x) != picture.shape else []
        words += [f"levels {self.black} to {self.white} spread"] if (self.black, self.white) != (0, 255) else []
        return words + ["inverted"] * self.is_inverted
