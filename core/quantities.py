"""Frozen classes of arrays with named axes. Shapes are checked against each other, and runs can be cut after a step."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy import ndarray

Same = TypeVar("Same", bound="Quantities")
OVERFLOW = "The numbers of this network overflow on this input: its weights are too large, and nothing can be shown."


def array(axes: str, dtype: type = np.float32) -> Any:
    """Declare a field that holds an array or a list of texts.

    Args:
        axes: one letter per axis, such as "t i j"; a letter has the same size everywhere in a trace. The first axis,
            and only this one, may run along the steps; then its letter is listed in ``STARTS``.
        dtype: dtype of the array when it is read from a file; ``str`` for a list of texts.
    """
    return field(metadata={"axes": tuple(axes.split()), "dtype": dtype})


def routing(**letters: str) -> Any:
    """Declare a field that holds the quantities of one routing.

    Args:
        letters: letters of axes in the trace by their letters in the routing, if they differ, as in ``i="j", j="k"``.
    """
    return field(metadata={"letters": letters})


@dataclass(frozen=True, kw_only=True, eq=False)
class Quantities:
    """Arrays whose shapes match the axes that their fields declare.

    Raises:
        ValueError: an array has the wrong number of axes, or one letter has two sizes.
    """

    STARTS: ClassVar[dict[str, int]] = {"t": 1}  # axes along the steps, with the number of the first step

    def __post_init__(self) -> None:
        self.sizes()

    @property
    def n_bytes(self) -> int:
        """The memory of all arrays in bytes."""
        return sum(value.nbytes for _, _, value in self.arrays() if isinstance(value, ndarray))

    def check_finite(self) -> None:
        """Raise ValueError if an array holds NaN or infinity."""
        check_finite(*(value for _, _, value in self.arrays() if isinstance(value, ndarray)))

    def arrays(self, letters: dict[str, str] | None = None) -> Iterator[tuple[str, tuple[str, ...], Any]]:
        """Yield the name, axes and value of every array, including those of routings."""
        letters = letters or {}
        for f in fields(self):
            value = getattr(self, f.name)
            if "axes" in f.metadata:
                yield f.name, tuple(letters.get(axis, axis) for axis in f.metadata["axes"]), value
            elif "letters" in f.metadata:
                for name, axes, inner in value.arrays(f.metadata["letters"]):
                    yield f"{f.name}.{name}", axes, inner

    def sizes(self) -> dict[str, int]:
        """The size of the axis of each letter; ValueError if two arrays disagree."""
        sizes: dict[str, int] = {}
        for name, axes, value in self.arrays():
            shape = np.shape(value)
            # The first array with a letter sets its size, and the others must agree.
            if len(shape) != len(axes) or any(
                sizes.setdefault(axis, size) != size for axis, size in zip(axes, shape, strict=True)
            ):
                wanted = ", ".join(f"{axis} = {sizes[axis]}" if axis in sizes else axis for axis in axes)
                raise ValueError(f"{name} has shape {list(shape)}, wanted [{wanted}]")
        return sizes

    def first(self: Same, n: int) -> Same:
        """The quantities of a run with only n steps: a longer run contains every shorter one."""
        cut: dict[str, Any] = {}
        for f in fields(self):
            value = getattr(self, f.name)
            start = self.STARTS.get(f.metadata.get("axes", ("",))[0])
            if start is not None:
                cut[f.name] = value[: max(0, n + 1 - start)]
            elif "letters" in f.metadata:
                cut[f.name] = value.first(n)
        return replace(self, **cut)

    def __eq__(self, other: object) -> bool:
        """Whether both have the same class and values."""
        if type(self) is not type(other):
            return False
        pairs = ((getattr(self, f.name), getattr(other, f.name)) for f in fields(self))
        return all(np.array_equal(a, b) if isinstance(a, ndarray) else a == b for a, b in pairs)


def check_finite(*arrays: ndarray) -> None:
    """Raise ValueError if an array holds NaN or infinity."""
    if not all(np.isfinite(array).all() for array in arrays):
        raise ValueError(OVERFLOW)
