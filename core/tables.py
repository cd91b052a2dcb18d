"""Converts a trace to a pandas table and to an xarray dataset."""

from dataclasses import fields
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy import ndarray

from core.quantities import Quantities

if TYPE_CHECKING:
    import pandas
    import xarray


class Cells(NamedTuple):
    """A quantity over the steps, with names for its axes.

    Args:
        quantity: name of the quantity.
        values: values [t, ...].
        names: names along each axis after the first, by unit of the axis, such as "word" or "capsule".
    """

    quantity: str
    values: ndarray
    names: dict[str, list[str]]


def numbered(unit: str, n: int) -> list[str]:
    """Names for things without names, such as "capsule 1"."""
    return [f"{unit} {number}" for number in range(1, n + 1)]


def to_frame(cells: Cells, along: str) -> "pandas.DataFrame":
    """A table with one row per step and combination of named things.

    Args:
        cells: quantity to convert.
        along: name for a step, such as "iteration".
    """
    import pandas as pd  # takes a second to import

    steps = range(1, len(cells.values) + 1)
    index = pd.MultiIndex.from_product([steps, *cells.names.values()], names=[along, *cells.names])
    return pd.DataFrame({cells.quantity: cells.values.ravel()}, index).reset_index()


def to_dataset(quantities: Quantities) -> "xarray.Dataset":
    """All arrays, with their axes as dimensions; other fields become attributes.

    Raises:
        ImportError: xarray is not installed.
    """
    try:
        import xarray as xr
    except ImportError:
        raise ImportError("to_xarray needs the package xarray, which is not installed: pip install xarray") from None
    arrays = list(quantities.arrays())
    steps = {
        axis: np.arange(size) + quantities.STARTS[axis]
        for axis, size in quantities.sizes().items()
        if axis in quantities.STARTS
    }
    about: dict[str, Any] = {f.name: getattr(quantities, f.name) for f in fields(quantities) if not f.metadata}
    variables = {name: (axes, np.asarray(value)) for name, axes, value in arrays}
    names = {name for name, _, value in arrays if isinstance(value, list)}
    dataset = xr.Dataset(variables, steps, about)
    return dataset.set_coords(names)
