"""Class capsules of many pictures, and how their poses depend on a toy's direction in a whole split of smallNORB."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float, UInt8
from numpy import ndarray
from tqdm import tqdm

from core.analysis.poses import circular, held_out_r2
from core.checkpoint import Checkpoint
from core.datasets import smallnorb
from core.datasets.smallnorb import Views

BATCH_SIZE = 18  # pairs, as many as in a full turn of a toy
FIXED = {"elevation": 4, "azimuth": 0, "lighting": 0}  # 50 degrees, 0 degrees, all lamps; while another label varies
BLOCK = 8  # side in pixels of the squares whose mean grey predicts directions


class ClassCapsules(NamedTuple):
    """A network's output for each pair, after the number of iterations it was trained with."""

    probabilities: Float[ndarray, "n classes"]
    poses: Float[ndarray, "n classes c h"]  # the class capsules' means


def class_capsules(checkpoint: Checkpoint, images: UInt8[ndarray, "n 2 y x"]) -> ClassCapsules:
    """Run a network that reads pictures on pairs of them, in batches of ``BATCH_SIZE``.

    Raises:
        ValueError: the network reads text, or images has another shape or dtype or holds no pair.
    """
    checkpoint.check(images)
    batches = []
    with torch.inference_mode():
        for start in range(0, max(1, len(images)), BATCH_SIZE):
            inputs = checkpoint.inputs(images[start : start + BATCH_SIZE])
            scores, means, _ = checkpoint.model.class_capsules(**inputs)
            batches.append((scores.softmax(-1), means))
    return ClassCapsules(*(torch.cat(tensors).float().cpu().numpy() for tensors in zip(*batches, strict=True)))


def measure_test_split(checkpoint: Checkpoint, folder: Path) -> tuple[dict[str, ndarray], str]:
    """``measure`` on the test split in a folder, and a phrase for the origin of its pictures."""
    arrays = measure(checkpoint, smallnorb.load(folder, "test"), progress=True)
    rendered_by = smallnorb.rendered_by(folder)
    return arrays, f"pictures {rendered_by}" if rendered_by else "smallNORB's files as found"


def measure(checkpoint: Checkpoint, views: Views, progress: bool = False) -> dict[str, ndarray]:
    """The arrays "poses" of ``core.measured.store``, for the capsule of each toy's true class.

    Args:
        checkpoint: of a network for smallNORB.
        views: a whole split.
        progress: show a progress bar.

    Raises:
        ValueError: the network has other classes, a toy lacks some directions, or a category has only one toy.
    """
    if checkpoint.classes != smallnorb.CLASSES:
        raise ValueError(f"{checkpoint.name} names {', '.join(checkpoint.classes)}, not smallNORB's categories")
    vectors = _true_poses(checkpoint, views, progress)
    toys = np.unique(np.stack([views.categories, views.info[:, 0]], 1), axis=0)
    r2 = [_r2_of_directions(vectors, views, category) for category in np.unique(views.categories).tolist()]
    return {
        "toys": toys,
        "azimuth": np.stack([_turn(vectors, views, toy, "azimuth", 18) for toy in toys]),
        "elevation": np.stack([_turn(vectors, views, toy, "elevation", 9) for toy in toys]),
        "r2_poses": np.stack([from_poses for from_poses, _ in r2]),
        "r2_pixels": np.stack([from_pixels for _, from_pixels in r2]),
    }


def _true_poses(checkpoint: Checkpoint, views: Views, progress: bool) -> Float[ndarray, "n v d"]:
    """The pose vectors of the true class's capsule for each pair."""
    batches = []
    for start in tqdm(range(0, len(views), BATCH_SIZE), disable=not progress, unit="batch", desc="poses"):
        batch = slice(start, start + BATCH_SIZE)
        poses = class_capsules(checkpoint, np.asarray(views.images[batch])).poses
        batches.append(poses[np.arange(len(poses)), views.categories[batch]])
    return np.concatenate(batches)


def _turn(vectors: ndarray, views: Views, toy: ndarray, direction: str, n: int) -> Float[ndarray, "view v d"]:
    """A toy's pose vectors in n views, as one direction varies and all else is as in ``FIXED``."""
    columns = dict(zip(smallnorb.INFO, views.info.T, strict=True))
    is_in_turn = (views.categories == toy[0]) & (columns["instance"] == toy[1])
    for name, value in FIXED.items():
        is_in_turn &= (columns[name] == value) | (name == direction)
    rows = np.flatnonzero(is_in_turn)
    if len(rows) != n:
        raise ValueError(f"toy {toy[1]} of category {toy[0]} has {len(rows)} views by {direction}, wanted {n}")
    return vectors[rows[np.argsort(columns[direction][rows])]]


def _r2_of_directions(vectors: ndarray, views: Views, category: int) -> tuple[ndarray, ndarray]:
    """R2 of [azimuth, elevation] on held-out toys, predicted from poses and from pixels.

    That of azimuth is the mean for its sine and cosine.
    """
    rows = np.flatnonzero(views.categories == category)
    azimuth, elevation = smallnorb.directions(views.info[rows]).T
    targets, toys = np.column_stack([circular(azimuth), elevation]), views.info[rows, 0]
    by_features = [
        of_directions(held_out_r2(features, targets, toys)).mean(0)
        for features in (vectors[rows].reshape(len(rows), -1), block_means(np.asarray(views.images[rows])))
    ]
    return by_features[0], by_features[1]


def of_directions(r2: Float[ndarray, "toy 3"]) -> Float[ndarray, "toy 2"]:
    """R2 of azimuth, the mean for its sine and cosine, and of elevation."""
    return np.stack([r2[:, :2].mean(1), r2[:, 2]], 1)


def block_means(images: UInt8[ndarray, "n 2 y x"]) -> Float[ndarray, "n blocks"]:
    """Mean grey of each square of ``BLOCK`` pixels a side."""
    n, eyes, y, x = images.shape
    cut = images[:, :, : y // BLOCK * BLOCK, : x // BLOCK * BLOCK]
    return cut.reshape(n, eyes, y // BLOCK, BLOCK, x // BLOCK, BLOCK).mean((3, 5)).reshape(n, -1)
