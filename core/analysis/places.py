"""Sums over the inputs that a network detects at each location in a picture."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from numpy import ndarray


def taken_from(
    gate: Float[ndarray, "t i"], coupling: Float[ndarray, "t i j"], grid: Sequence[int]
) -> Float[ndarray, "t row column j"]:
    """D_use, the data that each output takes from each location: gate * coupling summed over the location's inputs.

    Args:
        grid: number of rows, and number of columns, of locations. Inputs are ordered row by row; the inputs of one
            location are adjacent.

    Raises:
        ValueError: the number of inputs is not a multiple of the number of locations.
    """
    return np.einsum("trcp,trcpj->trcj", _placed(gate, grid), _placed(coupling, grid))


def by_place(values: Float[ndarray, "t i k"], grid: Sequence[int]) -> Float[ndarray, "t row column k"]:
    """Sum values such as credit over the inputs of each location. Arguments and errors as in ``taken_from``."""
    return _placed(values, grid).sum(3)


def _placed(values: ndarray, grid: Sequence[int]) -> ndarray:
    """Reshape [t, i, ...] to [t, row, column, input, ...]."""
    rows, columns = grid
    t, i, *inner = values.shape
    if rows < 1 or columns < 1 or i % (rows * columns):
        raise ValueError(f"{i} parts do not lie on a grid of {rows} rows and {columns} columns")
    return values.reshape(t, rows, columns, -1, *inner)
