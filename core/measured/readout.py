"""Predicts a toy's direction from the features of networks, and measures how well each method does."""

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float, UInt8
from numpy import ndarray
from tqdm import tqdm

from core.analysis.poses import METHODS, circular, held_out_r2
from core.checkpoint import Checkpoint
from core.datasets import ViewSubset, smallnorb

LIGHTS = (0, 3)  # two of the six lights, enough to measure in
BLOCK = 8  # side, in pixels, of the squares that are averaged
DIRECTIONS = ("azimuth", "elevation")
NO_NETWORK = "none"  # stands for the network in rows whose features are pixels
Row = tuple[str, str, str, str, str, int, float]


def measure_test_split(
    checkpoint: Checkpoint, folder: Path, others: Sequence[Checkpoint] = ()
) -> tuple[dict[str, ndarray], str]:
    """Measure a network, and others to compare it with, on the test split in a folder.

    Returns:
        The arrays, as in ``measure``, and a phrase for the pairs of pictures.
    """
    arrays = measure({network.name: network for network in (checkpoint, *others)}, folder)
    rendered_by = smallnorb.rendered_by(folder)
    return arrays, f"test pairs in {len(LIGHTS)} lights" + (f", pictures {rendered_by}" if rendered_by else "")


def measure(checkpoints: dict[str, Checkpoint], folder: Path) -> dict[str, ndarray]:
    """Measure R2 and return the arrays "readout" of ``core.measured.store``, one row per R2.

    Args:
        checkpoints: networks for smallNORB, by their name in the rows.
        folder: folder of the test split.

    Raises:
        ValueError: a network does not read pictures, or the folder does not hold the split.
    """
    views = smallnorb.load(folder, "test")
    lit = np.isin(views.info[:, list(smallnorb.INFO).index("lighting")], LIGHTS)
    split = ViewSubset(views, np.flatnonzero(lit))
    pixels = np.concatenate([block_means(images) for images, _ in split.batches(500)])
    rows = list(_rows(NO_NETWORK, "pixels", pixels, split))
    for name, checkpoint in checkpoints.items():
        poses, convolved = features(checkpoint, split)
        rows += _rows(name, "poses", poses, split)
        rows += _rows(name, "last convolution", convolved, split)
    columns = ("network", "features", "method", "category", "direction", "toy", "r2")
    return {column: np.array(values) for column, values in zip(columns, zip(*rows, strict=True), strict=True)}


def features(checkpoint: Checkpoint, split: ViewSubset) -> tuple[Float[ndarray, "n pose"], Float[ndarray, "n channel"]]:
    """For each pair: the pose of the true class's capsule, and the last convolution averaged over the picture."""
    if checkpoint.classes != smallnorb.CLASSES:
        raise ValueError(f"{checkpoint.name} names {', '.join(checkpoint.classes)}, not smallNORB's categories")
    model, batches = checkpoint.model, []
    with torch.inference_mode():
        for images, categories in tqdm(split.batches(), desc=checkpoint.name, unit="batch"):
            convolved = model.features(**checkpoint.inputs(images))
            scores, means, _ = model.to_parts(*model.detect(convolved))
            _, poses, _ = model.to_classes(scores, means)
            true_poses = poses[torch.arange(len(poses)), torch.tensor(categories).long()]
            batches.append((true_poses.flatten(1), convolved.mean((2, 3))))
    poses, convolved = (torch.cat(parts).float().cpu().numpy() for parts in zip(*batches, strict=True))
    return poses, convolved


def _rows(network: str, name: str, values: Float[ndarray, "n f"], split: ViewSubset) -> Iterator[Row]:
    """Yield the R2 of each direction on each held-out toy, by category and method."""
    info, categories = split.views.info[split.numbers], split.views.categories[split.numbers]
    azimuth, elevation = smallnorb.directions(info).T
    targets = np.column_stack([circular(azimuth), elevation])
    for category, method in product(np.unique(categories).tolist(), METHODS):
        chosen = categories == category
        toys = info[chosen, 0]
        r2 = r2_by_direction(held_out_r2(values[chosen], targets[chosen], toys, method))
        for (toy, direction), value in np.ndenumerate(r2):
            kind = smallnorb.CLASSES[category]
            yield network, name, method, kind, DIRECTIONS[direction], int(np.unique(toys)[toy]), float(value)


def r2_by_direction(r2: Float[ndarray, "toy 3"]) -> Float[ndarray, "toy 2"]:
    """R2 of the azimuth (averaged over its sine and cosine) and of the elevation."""
    return np.stack([r2[:, :2].mean(1), r2[:, 2]], 1)


def block_means(images: UInt8[ndarray, "n 2 y x"]) -> Float[ndarray, "n blocks"]:
    """Mean grey of each square with a side of ``BLOCK`` pixels."""
    n, eyes, y, x = images.shape
    cut = images[:, :, : y // BLOCK * BLOCK, : x // BLOCK * BLOCK]
    return cut.reshape(n, eyes, y // BLOCK, BLOCK, x // BLOCK, BLOCK).mean((3, 5)).reshape(n, -1)
