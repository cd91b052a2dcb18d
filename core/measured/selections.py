"""Measures which words the layers of an AGT select in a whole split, for the paper's figures 2 and 3."""

from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray
from tqdm import tqdm

from core.analysis import phrases
from core.checkpoint import Checkpoint
from core.datasets import Split, read_texts
from core.inputs.text import normalize
from core.measured.store import ARRAYS
from core.models import AGT

_SHAPES = ARRAYS["selections"]
# Bins of a histogram, longest phrase counted on its own, and words listed per layer.
N_BINS, MAX_LENGTH, N_TOP = _SHAPES["attention"][1], _SHAPES["lengths"][1], _SHAPES["top_words"][1]


def measure_test_split(checkpoint: Checkpoint, folder: Path) -> tuple[dict[str, ndarray], str]:
    """``measure`` on the official test split in a folder, and a phrase that describes it."""
    split = read_texts(checkpoint.corpus, folder, "test", len(checkpoint.classes))
    arrays = measure(checkpoint, split, progress=True)
    return arrays, f"the test split, {len(split):,} sentences of {sum(map(len, split.words)):,} words"


def measure(checkpoint: Checkpoint, split: Split, progress: bool = False) -> dict[str, ndarray]:
    """Measure the arrays "selections" of ``core.measured.store``. Every occurrence of a word counts.

    Raises:
        ValueError: the network is not an AGT.

    Source: Guo 2017, figures 2 and 3.
    """
    if not isinstance(checkpoint.model, AGT):
        raise ValueError(f"{checkpoint.name} is not an AGT network, so its layers select no words")
    totals: dict[str, ndarray] = {}
    selections = []
    with torch.inference_mode():
        for sentence in tqdm(split.words, disable=not progress, unit="sentence", desc="selections"):
            layers = checkpoint.model.layers(**checkpoint.inputs([sentence]))
            attention, gates = (a[0].float().cpu().numpy() for a in (layers.attention, layers.gates))
            selected = phrases.selected(attention)
            selections.append(([normalize(word) for word in sentence], selected))
            counts = {
                "attention": histogram(phrases.scaled(attention)),
                "gates": histogram(gates),
                "lengths": phrases.count_lengths(selected, MAX_LENGTH),
            }
            totals = {name: totals.get(name, 0) + array for name, array in counts.items()}
    top = [layer + [("", 0)] * (N_TOP - len(layer)) for layer in phrases.most_selected(selections, N_TOP)]
    words, times = (np.array([[pair[k] for pair in layer] for layer in top]) for k in (0, 1))
    return totals | {"top_words": words, "top_counts": times, "sentences": np.array([len(split.words)])}


def histogram(values: Float[ndarray, "l n"]) -> Int[ndarray, "l bins"]:
    """Histogram of each layer's values in ``N_BINS`` equal bins from 0 to 1; the value 1 is in the last."""
    bins = np.searchsorted(np.linspace(0, 1, N_BINS + 1, dtype=values.dtype)[1:-1], values, side="right")
    rows = N_BINS * np.arange(len(values))[:, None]
    return np.bincount((rows + bins).ravel(), minlength=N_BINS * len(values)).reshape(-1, N_BINS)
