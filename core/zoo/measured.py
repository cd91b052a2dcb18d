"""poses.npz of a checkpoint: what the pose vectors of all test toys do, measured once for its weights."""

import io
import zipfile
from pathlib import Path

import numpy as np
from numpy import ndarray

from core.zoo import describe, folders, write

FILE = "poses.npz"
ARRAYS = {  # its numbers and their axes
    "toys": "toy 2",  # category, instance
    "azimuth": "toy 18 v d",  # class capsules' pose vectors as the azimuth goes once round
    "elevation": "toy 9 v d",  # and as the elevation goes from 30 to 70 degrees
    "r2_poses": "category 2",  # how well azimuth and elevation can be read off the poses,
    "r2_pixels": "category 2",  # and off the pictures
}


def read_poses(name: str) -> dict[str, ndarray] | None:
    """The arrays; None where there are none, or they are damaged, or belong to other weights."""
    if name not in folders():
        return None
    try:
        with np.load(folders()[name] / FILE, allow_pickle=False) as file:
            arrays = dict(file)
    except (OSError, ValueError, EOFError, zipfile.BadZipFile):
        return None
    fits = all(array in arrays and arrays[array].ndim == len(axes.split()) for array, axes in ARRAYS.items())
    return arrays if fits and str(arrays.get("sha256")) == describe(name)["config"]["sha256"] else None


def keep_poses(name: str, arrays: dict[str, ndarray]) -> Path:
    """Write them beside the weights that they were measured with; where they are."""
    path, file = folders()[name] / FILE, io.BytesIO()
    weights = np.array(describe(name)["config"]["sha256"])
    np.savez_compressed(
        file, allow_pickle=False, sha256=weights, **{array: arrays[array] for array in (*ARRAYS, "data")}
    )
    write(path, file.getvalue())
    return path
