"""What was measured once and is kept for the dashboard: beside a checkpoint's weights, or for many trainings."""

import io
from pathlib import Path

import numpy as np
import pandas as pd
from numpy import ndarray

from core.files import write
from core.manifest import PRETRAINED, describe, folders

SWEEPS = PRETRAINED / "sweeps"

MEASURED: dict[str, dict[str, tuple[int | str, ...]]] = {  # a file's arrays and their sizes; a letter is one number
    "poses": {  # what the pose vectors of all test toys do
        "toys": (25, 2),  # category, instance
        "azimuth": (25, 18, 4, 4),  # class capsules' pose vectors [toy, view, v, d] as the azimuth goes once round
        "elevation": (25, 9, 4, 4),  # and as the elevation goes from 30 to 70 degrees
        "r2_poses": (5, 2),  # of each category, how well azimuth and elevation can be read off the poses,
        "r2_pixels": (5, 2),  # and off the pictures
    },
    "composition": {  # what the layers of an AGT select of the test sentences
        "attention": ("a", 20),  # words of each layer by their scaled attention, 0 to 1 in twentieths
        "gates": ("g", 20),  # gates' components of each layer l = 1 .., likewise
        "lengths": ("a", 8),  # phrases of each layer of 1, 2, .., 8 or more words
        "top_words": ("a", 10),  # the words that each layer selects most often
        "top_counts": ("a", 10),  # and how often
    },
}


def read_measured(what: str, name: str) -> dict[str, ndarray] | None:
    """The arrays of a key of ``MEASURED``, and in words what they were measured on ("data"); None where there are
    none, or they are damaged, or belong to other weights.
    """
    if name not in folders():
        return None
    try:
        content = io.BytesIO((folders()[name] / f"{what}.npz").read_bytes())  # NumPy leaves a damaged file open
        with np.load(content, allow_pickle=False) as file:
            arrays = {array: file[array] for array in (*MEASURED[what], "data", "sha256")}
        fits = _fit(arrays, MEASURED[what])
    except Exception:  # a damaged archive makes NumPy raise nearly anything
        return None
    return arrays if fits and str(arrays["sha256"]) == describe(name).sha256 else None


def stamp_of_measured(what: str, name: str) -> tuple[str, int]:
    """Where they are or would be, and when that was written (nanoseconds; 0 where there is nothing)."""
    return _stamp(folders()[name] / f"{what}.npz")


def keep_measured(what: str, name: str, arrays: dict[str, ndarray], sha256: str) -> Path:
    """Write them beside the weights that they were measured with, and whose checksum is given; where they are.

    Raises:
        ValueError: the weights are others by now.
    """
    if describe(name).sha256 != sha256:
        raise ValueError(f"{name} was trained anew meanwhile")
    path, file = folders()[name] / f"{what}.npz", io.BytesIO()
    kept = {array: arrays[array] for array in (*MEASURED[what], "data")}
    np.savez_compressed(file, allow_pickle=False, sha256=np.array(sha256), **kept)
    write(path, file.getvalue())
    return path


def read_sweep(name: str) -> pd.DataFrame | None:
    """The table of a sweep, one row a training; None where there is none."""
    path = SWEEPS / f"{name}.parquet"
    return pd.read_parquet(path) if path.is_file() else None


def stamp_of_sweep(name: str) -> tuple[str, int]:
    """Where a sweep's table is or would be, and when it was written (nanoseconds; 0 where there is none)."""
    return _stamp(SWEEPS / f"{name}.parquet")


def _stamp(path: Path) -> tuple[str, int]:
    return str(path), path.stat().st_mtime_ns if path.is_file() else 0


def keep_sweep(name: str, table: pd.DataFrame) -> Path:
    """Write it; where it is."""
    SWEEPS.mkdir(exist_ok=True)
    path = SWEEPS / f"{name}.parquet"
    write(path, table.to_parquet(index=False))
    return path


def _fit(arrays: dict[str, ndarray], sizes: dict[str, tuple[int | str, ...]]) -> bool:
    """Whether the arrays have these sizes, a letter standing for one number, and are text or finite."""
    letters: dict[str, int] = {}
    for name, wanted in sizes.items():
        array = arrays[name]
        if array.ndim != len(wanted) or not (array.dtype.kind == "U" or np.isfinite(array).all()):
            return False
        for size, found in zip(wanted, array.shape, strict=True):
            if found != (letters.setdefault(size, found) if isinstance(size, str) else size):
                return False
    return True
