"""Measures the poses of smallNORB's test toys, and of the fifty built-in toys, as they turn."""

from pathlib import Path

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from tqdm import tqdm

from core.checkpoint import Checkpoint
from core.datasets import smallnorb, toyrig
from core.datasets.smallnorb import Views
from core.networks.run import BATCH_SIZE, class_capsules

FIXED = {"elevation": 4, "azimuth": 0, "lighting": 0}  # while one direction varies: 50 and 0 degrees, all lamps
UNTRAINED = (5, 10, 15, 20, 25, 75, 80, 85)  # elevations in degrees; networks are trained from 30 to 70
TURNS = {"azimuth": 18, "elevation": 9}  # number of views of a full turn, and from low to high


def measure_test_split(checkpoint: Checkpoint, folder: Path) -> tuple[dict[str, ndarray], str]:
    """``measure`` on the test split in a folder, and a phrase for the origin of its pictures."""
    arrays = measure(checkpoint, smallnorb.load(folder, "test"), progress=True)
    rendered_by = smallnorb.rendered_by(folder)
    return arrays, f"pictures {rendered_by}" if rendered_by else "smallNORB's files as found"


def measure(checkpoint: Checkpoint, views: Views, progress: bool = False) -> dict[str, ndarray]:
    """The arrays "poses" and "grid" of ``core.measured.store``, for the capsule of each toy's true class.

    "poses" has two turns of every toy, in full precision. "grid" has all directions in half precision, which is exact
    to 0.05%: that makes 130 kB.

    Args:
        checkpoint: network for smallNORB.
        views: a whole split.
        progress: whether to show a progress bar.

    Raises:
        ValueError: the network has other classes, or a toy lacks some directions.
    """
    _check_classes(checkpoint)
    toys = np.unique(np.stack([views.categories, views.info[:, 0]], 1), axis=0)
    rows = np.concatenate([_rows_of_grid(views, toy) for toy in toys])
    poses = _true_poses(checkpoint, views, rows, progress)
    grid = poses.reshape(len(toys), TURNS["elevation"], TURNS["azimuth"], *poses.shape[1:])
    turns = {"azimuth": grid[:, FIXED["elevation"]], "elevation": grid[:, :, FIXED["azimuth"]]}
    return {"toys": toys, **turns, "grid": grid.astype(np.float16)}


def measure_built_in(checkpoint: Checkpoint, folder: Path) -> tuple[dict[str, ndarray], str]:
    """The arrays "built_in" of ``core.measured.store``, and a phrase for the origin of the pictures.

    The toys are rendered here: nothing is read from the folder.

    Raises:
        ValueError: the network has other classes.
    """
    _check_classes(checkpoint)
    toys = np.array([(c, i) for c, kinds in enumerate(toyrig.KINDS) for i in range(len(kinds))])
    elevation, azimuth = toyrig.ELEVATIONS[FIXED["elevation"]], toyrig.AZIMUTHS[FIXED["azimuth"]]
    views = []
    for category, instance in tqdm(toys.tolist(), unit="toy", desc="toys"):
        turned = toyrig.photographs(category, instance, elevations=[elevation])[0, :, FIXED["lighting"]]
        raised = toyrig.photographs(category, instance, azimuths=[azimuth])[:, 0, FIXED["lighting"]]
        views.append(class_capsules(checkpoint, np.concatenate([turned, raised])).poses[:, category])
    return {"toys": toys, "views": np.stack(views)}, "the fifty built-in toys, rendered by core.datasets.toyrig"


def measure_elevations(checkpoint: Checkpoint, folder: Path) -> tuple[dict[str, ndarray], str]:
    """The arrays "elevations" of ``core.measured.store``, and a phrase for the origin of the pictures.

    The test toys are rendered here: nothing is read from the folder.

    Raises:
        ValueError: the network has other classes.
    """
    _check_classes(checkpoint)
    elevations = sorted([*UNTRAINED, toyrig.ELEVATIONS[FIXED["elevation"]]])
    instances, degrees = toyrig.INSTANCES["test"], np.array(elevations)
    toys = [(category, instance) for category in range(len(toyrig.KINDS)) for instance in instances]
    right = np.zeros(len(degrees), int)
    for category, instance in tqdm(toys, unit="toy", desc="toys"):
        for k, elevation in enumerate(elevations):
            pairs = toyrig.photographs(category, instance, elevations=[elevation])[0, :, FIXED["lighting"]]
            right[k] += (class_capsules(checkpoint, pairs).probabilities.argmax(1) == category).sum()
    n = np.array([len(toys) * len(toyrig.AZIMUTHS)])
    return {"degrees": degrees, "right": right, "n": n}, "the 25 test toys, rendered by core.datasets.toyrig"


def _check_classes(checkpoint: Checkpoint) -> None:
    """Raise ValueError unless the network has smallNORB's categories as classes."""
    if checkpoint.classes != smallnorb.CLASSES:
        raise ValueError(f"{checkpoint.name} names {', '.join(checkpoint.classes)}, not smallNORB's categories")


def _rows_of_grid(views: Views, toy: ndarray) -> Int[ndarray, " n"]:
    """The numbers of a toy's views from all directions in the first light, by elevation, then azimuth."""
    category, instance = toy.tolist()
    rows = smallnorb.rows_of(smallnorb.Toy(category, instance, FIXED["lighting"]), views.categories, views.info)
    grid = [(elevation, azimuth) for elevation in toyrig.ELEVATIONS for azimuth in toyrig.AZIMUTHS]
    if not np.array_equal(smallnorb.directions(views.info[rows])[:, ::-1], grid):
        raise ValueError(f"toy {instance} of category {category} lacks some of its {len(grid)} directions")
    return rows


def _true_poses(
    checkpoint: Checkpoint, views: Views, rows: Int[ndarray, " n"], progress: bool
) -> Float[ndarray, "n v d"]:
    """The pose vectors of the true class's capsule for each of these pairs."""
    batches = []
    for start in tqdm(range(0, len(rows), BATCH_SIZE), disable=not progress, unit="batch", desc="poses"):
        batch = rows[start : start + BATCH_SIZE]
        poses = class_capsules(checkpoint, np.asarray(views.images[batch])).poses
        batches.append(poses[np.arange(len(poses)), views.categories[batch]])
    return np.concatenate(batches)
