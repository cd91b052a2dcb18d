"""Accuracy on smallNORB's test pairs after changes that people's pictures have: contrast, exposure, a single eye."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from jaxtyping import UInt8
from numpy import ndarray
from tqdm import tqdm

from core.checkpoint import Checkpoint
from core.datasets import ViewSubset, smallnorb

Pairs = UInt8[ndarray, "b 2 y x"]
EVERY = 4  # every fourth pair of the test split is measured, to save time
APART = 20  # largest difference between the eyes' exposures, in grey levels


def stretch(pairs: Pairs, random: np.random.Generator) -> Pairs:
    """Stretch the contrast of each picture: its darkest pixel becomes black, its brightest white."""
    low, high = (edge(pairs, (2, 3), keepdims=True).astype(float) for edge in (np.min, np.max))
    return np.rint((pairs - low) / np.maximum(high - low, 1) * 255).astype(np.uint8)


def expose_apart(pairs: Pairs, random: np.random.Generator) -> Pairs:
    """Make the right picture of each pair lighter or darker by up to ``APART`` grey levels."""
    by = random.uniform(-APART, APART, (len(pairs), 1, 1))
    changed = pairs.astype(float)
    changed[:, 1] += by
    return np.clip(np.rint(changed), 0, 255).astype(np.uint8)


def use_left(pairs: Pairs, random: np.random.Generator) -> Pairs:
    """Show the left picture to both eyes."""
    return pairs[:, [0, 0]]


CHANGES: dict[str, Callable[[Pairs, np.random.Generator], Pairs]] = {
    "as rendered": lambda pairs, random: pairs,
    "contrast stretched": stretch,
    f"eyes' exposures up to {APART} grey levels apart": expose_apart,
    "one eye for both": use_left,
}


def measure_test_split(checkpoint: Checkpoint, folder: Path) -> tuple[dict[str, ndarray], str]:
    """``measure`` on every fourth pair of the test split in a folder, and a phrase for the pairs."""
    views = smallnorb.load(folder, "test")
    split = ViewSubset(views, np.arange(0, len(views), EVERY))
    rendered_by = smallnorb.rendered_by(folder)
    pictures = f"pictures {rendered_by}" if rendered_by else "smallNORB's photographs"
    return measure(checkpoint, split, progress=True), f"{len(split):,} test pairs, {pictures}"


def measure(checkpoint: Checkpoint, split: ViewSubset, progress: bool = False) -> dict[str, ndarray]:
    """The arrays "changes" of ``core.measured.store``.

    Raises:
        ValueError: the network does not read pictures.
    """
    if checkpoint.classes != smallnorb.CLASSES:
        raise ValueError(f"{checkpoint.name} names {', '.join(checkpoint.classes)}, not smallNORB's categories")
    random = np.random.Generator(np.random.PCG64(0))
    right = np.zeros(len(CHANGES), int)
    with torch.inference_mode(), tqdm(total=len(split), disable=not progress, unit="pair", desc="changes") as bar:
        for pairs, categories in split.batches():
            for k, change in enumerate(CHANGES.values()):
                scores = checkpoint.model(**checkpoint.inputs(change(pairs, random)))
                right[k] += int((scores.argmax(-1).cpu().numpy() == categories).sum())
            bar.update(len(pairs))
    return {"change": np.array(list(CHANGES)), "accuracy": right / len(split), "n": np.array([len(split)])}
