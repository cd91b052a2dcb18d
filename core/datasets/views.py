"""A split of smallNORB, or some of its views, for training and measuring: read from disk batch by batch."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
from jaxtyping import Int, UInt8
from numpy import ndarray

from core.datasets import smallnorb


@dataclass(frozen=True)
class ViewSubset:
    """Some of smallNORB's views. Images stay on disk until a batch of them is read.

    numbers: which of ``views``, in order.
    """

    views: smallnorb.Views
    numbers: Int[ndarray, " n"]

    classes: ClassVar[tuple[str, ...]] = smallnorb.CLASSES

    def __len__(self) -> int:
        return len(self.numbers)

    def first(self, n: int) -> "ViewSubset":
        """The first n views.

        Raises:
            ValueError: n is less than 1.
        """
        if n < 1:
            raise ValueError(f"the number of samples is {n}, wanted at least 1")
        return ViewSubset(self.views, self.numbers[:n])

    def batch(self, indices: Int[ndarray, " b"]) -> tuple[UInt8[ndarray, "b 2 y x"], Int[ndarray, " b"]]:
        """Images and categories, in memory, of the views at these indices of the subset."""
        numbers = self.numbers[indices]
        return np.asarray(self.views.images[numbers]), self.views.categories[numbers]

    def batches(self, size: int = 20) -> Iterator[tuple[UInt8[ndarray, "b 2 y x"], Int[ndarray, " b"]]]:
        """Images and categories of every view once, in order."""
        for start in range(0, len(self), size):
            yield self.batch(np.arange(start, min(start + size, len(self))))


def read_split(folder: Path, split: str) -> ViewSubset:
    """All views of a split. Arguments and errors as in ``smallnorb.load``."""
    views = smallnorb.load(folder, split)
    return ViewSubset(views, np.arange(len(views)))
