"""poses.npz of a checkpoint: what the pose vectors of all test toys do, measured once for its weights."""

import io
from pathlib import Path

import numpy as np
from numpy import ndarray

from core.zoo import describe, folders, write

FILE = "poses.npz"
ARRAYS = {  # its numbers and their sizes
    "toys": (25, 2),  # category, instance
    "azimuth": (25, 18, 4, 4),  # class capsules' pose vectors [toy, view, v, d] as the azimuth goes once round
    "elevation": (25, 9, 4, 4),  # and as the elevation goes from 30 to 70 degrees
    "r2_poses": (5, 2),  # of each category, how well azimuth and elevation can be read off the poses,
    "r2_pixels": (5, 2),  # and off the pictures
}


def read_poses(name: str) -> dict[str, ndarray] | None:
    """The arrays, and in words what they were measured on ("data"); None where there are none, or they are damaged,
    or belong to other weights.
    """
    if name not in folders():
        return None
    try:
        content = io.BytesIO((folders()[name] / FILE).read_bytes())  # NumPy leaves a damaged file open
        with np.load(content, allow_pickle=False) as file:
            arrays = {array: file[array] for array in (*ARRAYS, "data", "sha256")}
        fits = all(arrays[a].shape == shape and np.isfinite(arrays[a]).all() for a, shape in ARRAYS.items())
    except Exception:  # a damaged archive makes NumPy raise nearly anything
        return None
    return arrays if fits and str(arrays["sha256"]) == describe(name)["config"]["sha256"] else None


def keep_poses(name: str, arrays: dict[str, ndarray], sha256: str) -> Path:
    """Write them beside the weights that they were measured with, and whose checksum is given; where they are.

    Raises:
        ValueError: the weights are others by now.
    """
    if describe(name)["config"]["sha256"] != sha256:
        raise ValueError(f"{name} was trained anew meanwhile")
    path, file = folders()[name] / FILE, io.BytesIO()
    kept = {array: arrays[array] for array in (*ARRAYS, "data")}
    np.savez_compressed(file, allow_pickle=False, sha256=np.array(sha256), **kept)
    write(path, file.getvalue())
    return path
