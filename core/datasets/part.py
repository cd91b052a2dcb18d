"""What smallNORB is read into for training and measuring: numbers of views, and batches of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
from jaxtyping import Int, UInt8
from numpy import ndarray

from core.datasets import smallnorb


@dataclass(frozen=True)
class Part:
    """Some of smallNORB's views by their numbers. Images stay where they are, on the disk for instance, until a
    batch of them is asked for.
    """

    views: smallnorb.Views
    numbers: Int[ndarray, " n"]

    classes: ClassVar[tuple[str, ...]] = smallnorb.CLASSES

    def __len__(self) -> int:
        return len(self.numbers)

    def first(self, n: int) -> "Part":
        """The first n views, n at least 1."""
        if n < 1:
            raise ValueError(f"the number of samples is {n}, wanted at least 1")
        return Part(self.views, self.numbers[:n])

    def batch(self, chosen: Int[ndarray, " b"]) -> tuple[UInt8[ndarray, "b 2 y x"], Int[ndarray, " b"]]:
        """Images and categories, in memory, of those that stand at these places."""
        numbers = self.numbers[chosen]
        return np.asarray(self.views.images[numbers]), self.views.categories[numbers]

    def batches(self, size: int = 20) -> Iterator[tuple[UInt8[ndarray, "b 2 y x"], Int[ndarray, " b"]]]:
        """Images and categories of every view once, in order."""
        for start in range(0, len(self), size):
            yield self.batch(np.arange(start, min(start + size, len(self))))


def whole(folder: Path, split: str) -> Part:
    """All of a split. Arguments and errors as in ``smallnorb.load``."""
    views = smallnorb.load(folder, split)
    return Part(views, np.arange(len(views)))
