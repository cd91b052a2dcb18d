"""Pieces of a file with checksums of their own, so that a change can be located."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import ndarray

from core.sentences.words import listed

LENGTH = 16  # hexadecimal digits of a checksum
MAX_SLICES = 50_000  # slices of an array that have checksums of their own
NAMED = 3  # changed indices that are named per axis

Checksum = str | list[list[str]]  # of the whole, or of every slice along every axis


@dataclass(frozen=True, eq=False)
class Piece:
    """A piece of a file or of a record.

    Args:
        key: name among the checksums.
        title: name in sentences.
        content: an array, bytes, or anything that JSON can hold.
        axes: units of an array's axes, such as "iteration", "word" and "capsule".
    """

    key: str
    title: str
    content: Any
    axes: tuple[str, ...] = ()

    @property
    def checksum(self) -> Checksum:
        """The checksum: of an array, one for every slice along every axis."""
        if isinstance(self.content, ndarray):
            return slices(self.content) if sum(self.content.shape) <= MAX_SLICES else _of_numbers(self.content)
        content = self.content if isinstance(self.content, bytes) else canonical(self.content)
        return hashlib.sha256(content).hexdigest()[:LENGTH]

    def change(self, stored: Checksum) -> str:
        """The change since a checksum was stored, in words; "" if there is none."""
        now = self.checksum
        if now == stored:
            return ""
        if isinstance(now, str) or isinstance(stored, str) or list(map(len, now)) != list(map(len, stored)):
            return self.title
        changed = [
            [k for k, pair in enumerate(zip(*axis, strict=True)) if pair[0] != pair[1]]
            for axis in zip(now, stored, strict=True)
        ]
        return f"{self.title} of {name_cells(self.axes, changed)}" if len(self.axes) == len(changed) else self.title


def canonical(value: Any) -> bytes:
    """JSON with one form for each value. Arrays in it count as null, because they are pieces of their own."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=lambda _: None).encode()


def slices(array: ndarray) -> list[list[str]]:
    """The checksums of all slices along each axis. A changed cell is where changed slices meet."""
    numbers = (
        np.atleast_1d(array).astype("<f8") + 0.0
    )  # every dtype alike, and no -0.0, which not all JSON writers keep
    return [[_of_numbers(part) for part in np.moveaxis(numbers, axis, 0)] for axis in range(numbers.ndim)]


def _of_numbers(numbers: ndarray) -> str:
    return hashlib.sha256(np.ascontiguousarray(numbers).tobytes()).hexdigest()[:LENGTH]


def name_cells(axes: Sequence[str], indices: Sequence[Sequence[int]]) -> str:
    """Cells by the numbers of their indices from 1, such as "word 3, capsule 2, iteration 1".

    Args:
        axes: units of the axes. The first one, along the steps, is named last.
        indices: indices along each axis.
    """
    named = [_name(unit, along) for unit, along in zip(axes, indices, strict=True) if along]
    return ", ".join([*named[1:], *named[:1]])


def _name(unit: str, indices: Sequence[int]) -> str:
    plural = "" if len(indices) == 1 else "es" if unit.endswith("s") else "s"
    return f"{unit}{plural} {listed([str(k + 1) for k in indices], NAMED)}"
