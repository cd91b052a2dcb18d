"""Measures what a network answers on its test split: a confusion matrix, and a histogram of its certainties."""

from pathlib import Path

import numpy as np
import torch
from jaxtyping import Int
from numpy import ndarray
from torch import Tensor
from tqdm import tqdm

from core.checkpoint import Checkpoint
from core.datasets import BY_SENTENCE, CORPORA, Split, read_texts
from core.measured.store import ARRAYS
from core.networks import network_of
from core.sentences.confusion import confusion
from core.training.metrics import outputs

(N_BINS,) = ARRAYS["split"]["certainties"]


def measure_test_split(
    checkpoint: Checkpoint, folder: Path, limit: int | None = None
) -> tuple[dict[str, ndarray], str]:
    """``measure`` on the official test split in a folder, and a phrase that describes its texts.

    Args:
        checkpoint: network that reads texts.
        folder: folder of its corpus.
        limit: number of texts, evenly spaced in the split; all if None.

    Returns:
        The arrays, and the phrase.

    Raises:
        ValueError: the network does not read texts, or the folder lacks the split.
    """
    n_classes = len(checkpoint.classes)
    whole = read_texts(checkpoint.corpus, folder, "test", n_classes)
    split = whole if limit is None else whole.evenly(limit)
    title = CORPORA[checkpoint.corpus.removesuffix(BY_SENTENCE)].title_in(n_classes)
    sampled = f"{len(split):,} of the {len(whole):,} texts, evenly spaced,"
    amount = f"all {len(whole):,} texts" if split is whole else sampled
    arrays = measure(checkpoint, split, progress=True) | {"limit": np.array([limit or 0])}
    return arrays, f"{amount} of the test split of {title}"


def measure(checkpoint: Checkpoint, split: Split, progress: bool = False) -> dict[str, ndarray]:
    """The arrays "split" of ``core.measured.store``, but the limit."""
    labels, given, certainty = [], [], []
    with tqdm(total=len(split), disable=not progress, unit="text", desc="split") as bar:
        for scores, targets in outputs(checkpoint, split):
            best = _probabilities(checkpoint, scores).max(-1)
            labels.append(targets)
            given.append(best.indices)
            certainty.append(best.values)
            bar.update(len(targets))
    truth, classes, values = (torch.cat(tensors).numpy() for tensors in (labels, given, certainty))
    n_classes = len(checkpoint.classes)
    return {"counts": confusion(truth, classes, n_classes, n_classes), "certainties": bins_of(values)}


def _probabilities(checkpoint: Checkpoint, scores: Tensor) -> Tensor:
    """Probabilities of the classes, or the lengths of their capsules, as a trace of the network has them."""
    return scores if network_of(checkpoint).record.has_lengths else scores.softmax(-1)


def bins_of(certainty: ndarray) -> Int[ndarray, " bins"]:
    """Count certainties in ``N_BINS`` equal bins from 0 to 1; the value 1 is in the last."""
    return np.bincount(np.minimum((certainty * N_BINS).astype(int), N_BINS - 1), minlength=N_BINS)
