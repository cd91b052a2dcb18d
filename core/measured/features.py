"""Measures the features of a sample of training pairs, by which unusual uploads are recognized."""

from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float, UInt8
from numpy import ndarray
from tqdm import tqdm

from core.analysis.novelty import summarize
from core.checkpoint import Checkpoint
from core.datasets import smallnorb

BATCH_SIZE = 18  # pairs
SAMPLE = 1_000  # pairs in the sample


def pooled_features(
    checkpoint: Checkpoint, images: UInt8[ndarray, "n 2 y x"], progress: bool = False
) -> Float[ndarray, "n f"]:
    """Mean and standard deviation over the picture of each channel of the last convolution, for each pair.

    Raises:
        ValueError: as in ``core.networks.run.class_capsules``.
    """
    checkpoint.check(images)
    batches = []
    with torch.inference_mode():
        for start in tqdm(range(0, max(1, len(images)), BATCH_SIZE), disable=not progress, unit="batch"):
            inputs = checkpoint.inputs(np.asarray(images[start : start + BATCH_SIZE]))
            deviation, mean = torch.std_mean(checkpoint.model.features(**inputs), (2, 3), correction=0)
            batches.append(torch.cat([mean, deviation], 1))
    return torch.cat(batches).cpu().double().numpy()


def measure_sample(checkpoint: Checkpoint, folder: Path) -> tuple[dict[str, ndarray], str]:
    """Measure the arrays "features" of ``core.measured.store``, with a phrase for the origin of the pictures.

    Args:
        checkpoint: a network that reads pictures.
        folder: folder of smallNORB's training split, from which ``SAMPLE`` evenly spaced pairs are taken.

    Raises:
        ValueError: the network reads text, or the folder does not hold the split.
    """
    views = smallnorb.load(folder, "train")
    chosen = np.unique(np.linspace(0, len(views) - 1, SAMPLE).astype(int))
    sample = summarize(pooled_features(checkpoint, np.asarray(views.images)[chosen], progress=True))
    rendered_by = smallnorb.rendered_by(folder)
    arrays = {name: array.astype(np.float32) for name, array in sample._asdict().items()}
    return arrays, f"{len(chosen):,} training pairs {rendered_by or 'of smallNORB'}"
