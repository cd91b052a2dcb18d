"""The class capsules of many pictures: what a sweep over a toy's views looks at.

python -m core.poses NAME --data DIR: measure what the pose vectors of every test toy do, once, for the dashboard.
"""

import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float, UInt8
from numpy import ndarray
from tqdm import tqdm

from core.analysis.poses import circular, readable
from core.datasets import smallnorb
from core.datasets.smallnorb import Views
from core.measuring import command
from core.zoo import Checkpoint

AT_ONCE = 18  # pairs; a turn about the toy has as many


class ClassCapsules(NamedTuple):
    """What a network says of each pair after its own count of iterations."""

    probabilities: Float[ndarray, "n classes"]
    poses: Float[ndarray, "n classes c h"]  # the class capsules' means


def poses(checkpoint: Checkpoint, images: UInt8[ndarray, "n 2 y x"]) -> ClassCapsules:
    """Run a network that reads pictures on pairs of them, ``AT_ONCE`` together.

    Raises:
        ValueError: the network reads text, or images has another shape or dtype or holds no pair.
    """
    checkpoint.check(images)
    found = []
    with torch.inference_mode():
        for start in range(0, max(1, len(images)), AT_ONCE):
            batch = checkpoint.encode(images[start : start + AT_ONCE])
            scores, means, _ = checkpoint.model.class_capsules(**batch)
            found.append((scores.softmax(-1), means))
    return ClassCapsules(*(torch.cat(parts).float().cpu().numpy() for parts in zip(*found, strict=True)))


FIXED = {"elevation": 4, "azimuth": 0, "lighting": 0}  # 50 degrees, 0 degrees, all lamps: what does not turn
COARSE = 8  # pixels a side that one number stands for, where directions are read off pictures


def measure(checkpoint: Checkpoint, views: Views, progress: bool = False) -> dict[str, ndarray]:
    """What the true class's capsule of every toy does as it turns, and what can be read off it (core.measured).

    Args:
        views: a whole split.

    Raises:
        ValueError: the network has other classes, views lacks some of a toy's directions, or a
            category has but one toy.
    """
    if checkpoint.classes != smallnorb.CLASSES:
        raise ValueError(f"{checkpoint.name} names {', '.join(checkpoint.classes)}, not smallNORB's categories")
    found = []
    for start in tqdm(range(0, len(views), AT_ONCE), disable=not progress, unit="batch", desc="poses"):
        of_batch = slice(start, start + AT_ONCE)
        seen = poses(checkpoint, np.asarray(views.images[of_batch])).poses
        found.append(seen[np.arange(len(seen)), views.categories[of_batch]])
    vectors = np.concatenate(found)
    toys = np.unique(np.stack([views.categories, views.info[:, 0]], 1), axis=0)
    r2 = [_read_off(vectors, views, category) for category in np.unique(views.categories).tolist()]
    return {
        "toys": toys,
        "azimuth": np.stack([_turn(vectors, views, toy, "azimuth", 18) for toy in toys]),
        "elevation": np.stack([_turn(vectors, views, toy, "elevation", 9) for toy in toys]),
        "r2_poses": np.stack([of_poses for of_poses, _ in r2]),
        "r2_pixels": np.stack([of_pixels for _, of_pixels in r2]),
    }


def _turn(vectors: ndarray, views: Views, toy: ndarray, turned: str, n: int) -> Float[ndarray, "view v d"]:
    """A toy's pose vectors as one direction changes and all else stays."""
    columns = dict(zip(smallnorb.INFO, views.info.T, strict=True))
    chosen = (views.categories == toy[0]) & (columns["instance"] == toy[1])
    for name, value in FIXED.items():
        chosen &= (columns[name] == value) | (name == turned)
    numbers = np.flatnonzero(chosen)
    if len(numbers) != n:
        raise ValueError(f"toy {toy[1]} of category {toy[0]} has {len(numbers)} views by {turned}, wanted {n}")
    return vectors[numbers[np.argsort(columns[turned][numbers])]]


def _read_off(vectors: ndarray, views: Views, category: int) -> tuple[ndarray, ndarray]:
    """R2 of azimuth (its sine and cosine, the mean) and elevation, by poses and by pixels, on left-out toys."""
    of = np.flatnonzero(views.categories == category)
    azimuth, elevation = smallnorb.directions(views.info[of]).T
    targets = np.column_stack([circular(azimuth), elevation])
    images = np.asarray(views.images[of])
    n, eyes, y, x = images.shape
    cut = images[:, :, : y // COARSE * COARSE, : x // COARSE * COARSE]
    blocks = cut.reshape(n, eyes, y // COARSE, COARSE, x // COARSE, COARSE).mean((3, 5)).reshape(n, -1)
    by_each = [readable(features, targets, views.info[of, 0]) for features in (vectors[of].reshape(n, -1), blocks)]
    return tuple(np.array([r2[:2].mean(), r2[2]]) for r2 in by_each)


def _of_test_split(checkpoint: Checkpoint, folder: Path) -> tuple[dict[str, ndarray], str]:
    arrays = measure(checkpoint, smallnorb.load(folder, "test"), progress=True)
    rendered_by = smallnorb.rendered_by(folder)
    return arrays, f"pictures {rendered_by}" if rendered_by else "smallNORB's files as found"


def main(arguments: list[str] | None = None) -> int:
    """Measure and write; 0, or 2 after one clear line on bad input."""
    return command("poses", _of_test_split, arguments)


if __name__ == "__main__":
    sys.exit(main())
