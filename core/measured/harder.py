"""Accuracy on smallNORB's pairs made harder: smaller toys, other surroundings, compression and fewer pixels.

These changes share no code with those of training (``core.training.degrade``), so that a network is not measured on
what it practised.
"""

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from jaxtyping import UInt8
from numpy import ndarray
from PIL import Image
from scipy.ndimage import gaussian_filter
from tqdm import tqdm

from core.checkpoint import Checkpoint
from core.datasets import ViewSubset, smallnorb
from core.training.recipes.smallnorb import SmallNORBTraining

Picture = UInt8[ndarray, "y x"]
N_PAIRS = 2000  # the first pairs of a split, which are in random order
QUALITY = 15  # of JPEG
PIXELS = 40  # pixels per side of a picture of few pixels
BOARDS = 0.12  # width of the boards of a wooden table, as a share of the picture
EDGE = 5  # radius of the blur of the ground around a shrunken picture, in pixels


def shrink(picture: Picture, factor: float) -> Picture:
    """Make everything in a picture smaller about its middle. The ground around continues as at its edge."""
    side = round(len(picture) * factor)
    small = np.asarray(Image.fromarray(picture).resize((side, side), Image.Resampling.BOX))
    before = (len(picture) - side) // 2
    wide = np.pad(small, (before, len(picture) - side - before), mode="edge").astype(float)
    smooth = gaussian_filter(wide, EDGE, mode="nearest")
    smooth[before : before + side, before : before + side] = small
    return np.clip(np.rint(smooth), 0, 255).astype(np.uint8)


def lay_on_boards(picture: Picture, size: float = 1.0) -> Picture:
    """Put boards of different greys, with dark joints, under everything but the middle of the picture.

    Args:
        size: factor of the toy's size, and of the middle that is left out.
    """
    down, across = (np.indices(picture.shape) + 0.5) / len(picture) - 0.5
    along = (across + 0.5 * down) / BOARDS
    grey = 0.85 + 0.15 * np.sin(7.3 * np.floor(along)) + 0.04 * np.sin(60 * (down - 0.3 * across))
    grey = np.where(np.abs(along - np.rint(along)) < 0.1, 0.6, grey)
    distance = np.hypot(down, across) / size
    weight = np.clip((distance - 0.28) / 0.12, 0, 1)
    return np.clip(np.rint(picture * (1 + weight * (grey - 1))), 0, 255).astype(np.uint8)


def compress(picture: Picture) -> Picture:
    """Save as JPEG of low quality, and read again."""
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "JPEG", quality=QUALITY)
    return np.asarray(Image.open(file))


def coarsen(picture: Picture) -> Picture:
    """Keep ``PIXELS`` pixels per side only."""
    few = Image.fromarray(picture).resize((PIXELS, PIXELS), Image.Resampling.BOX)
    return np.asarray(few.resize(picture.shape[::-1], Image.Resampling.BICUBIC))


CHANGES: dict[str, Callable[[Picture], Picture]] = {
    "as rendered": lambda picture: picture,
    "0.7 of the size": lambda picture: shrink(picture, 0.7),
    "half the size": lambda picture: shrink(picture, 0.5),
    "on boards": lay_on_boards,
    "compressed": compress,
    "fewer pixels": coarsen,
    "half the size, on boards, compressed": lambda picture: compress(lay_on_boards(shrink(picture, 0.5), 0.5)),
}


def measure_split(checkpoint: Checkpoint, folder: Path, split: str = "test") -> tuple[dict[str, ndarray], str]:
    """``measure`` on the first ``N_PAIRS`` pairs of a split in a folder, and a phrase for them.

    The dev split is the held-out training toys of the recipe.
    """
    pairs = smallnorb.all_views(folder, "test") if split == "test" else SmallNORBTraining().splits(folder)[1]
    pairs = pairs.first(N_PAIRS)
    return measure(checkpoint, pairs, progress=True), f"the first {len(pairs):,} pairs of the {split} split"


def measure(checkpoint: Checkpoint, pairs: ViewSubset, progress: bool = False) -> dict[str, ndarray]:
    """The accuracy on pairs after each change, in all and by class.

    Returns:
        "change", in words; "accuracy" of each change; "by_class", the same for each change and class; "n", the number
        of pairs.

    Raises:
        ValueError: the network does not read pictures.
    """
    if checkpoint.classes != smallnorb.CLASSES:
        raise ValueError(f"{checkpoint.name} names {', '.join(checkpoint.classes)}, not smallNORB's categories")
    right = np.zeros((len(CHANGES), len(smallnorb.CLASSES)), int)
    counts = np.zeros(len(smallnorb.CLASSES), int)
    with torch.inference_mode(), tqdm(total=len(pairs), disable=not progress, unit="pair", desc="harder") as bar:
        for images, categories in pairs.batches():
            counts += np.bincount(categories, minlength=len(counts))
            for row, change in zip(right, CHANGES.values(), strict=True):
                changed = np.stack([[change(picture) for picture in pair] for pair in images])
                given = checkpoint.model(**checkpoint.inputs(changed)).argmax(-1).cpu().numpy()
                row += np.bincount(categories[given == categories], minlength=len(counts))
            bar.update(len(images))
    return {
        "change": np.array(list(CHANGES)),
        "accuracy": right.sum(1) / len(pairs),
        "by_class": right / np.maximum(1, counts),
        "n": np.array([len(pairs)]),
    }


def table(arrays: dict[str, ndarray]) -> pd.DataFrame:
    """One row per change, with its accuracy in all and by class."""
    frame = pd.DataFrame(arrays["by_class"], columns=list(smallnorb.CLASSES))
    frame.insert(0, "all", arrays["accuracy"])
    frame.insert(0, "change", arrays["change"])
    return frame
