"""Measures how many of the phrases that an AGT network selects are constituents of the treebank's trees."""

from pathlib import Path

import numpy as np
import torch
from numpy import ndarray
from tqdm import tqdm

from core.analysis import phrases
from core.analysis.constituents import Constituents, compare, count
from core.checkpoint import Checkpoint
from core.datasets import sst
from core.models import AGT


def measure_split(checkpoint: Checkpoint, folder: Path, split: str = "test") -> tuple[dict[str, ndarray], str]:
    """Measure the arrays "constituents" of ``core.measured.store`` on a split of the treebank.

    Returns:
        The arrays, and a phrase that describes the split.

    Raises:
        ValueError: the network is not an AGT, or the folder does not hold the treebank.
    """
    if not isinstance(checkpoint.model, AGT):
        raise ValueError(f"{checkpoint.name} is not an AGT network, so its layers select no words")
    n_classes = len(checkpoint.classes)
    sentences, trees = sst.sentences(folder, split, n_classes).words, sst.constituents(folder, split, n_classes)
    counts, runs, words = [], [], []
    with torch.inference_mode():
        for sentence, spans in zip(tqdm(sentences, unit="sentence", desc="constituents"), trees, strict=True):
            attention = checkpoint.model.layers(**checkpoint.inputs([sentence])).attention[0].float().cpu().numpy()
            chosen = phrases.selected(attention)
            counts.append(count(chosen, spans))
            runs.append(phrases.count_lengths(chosen, 1)[:, 0])
            words.append(chosen.sum(1))
    n_runs, n_selected = np.sum(runs, 0), np.sum(words, 0)
    by_layer = np.stack(counts)
    compared = [*(compare(by_layer[:, layer]) for layer in range(by_layer.shape[1])), compare(by_layer.sum(1))]
    n_words = sum(map(len, sentences))
    arrays: dict[str, ndarray] = {
        name: np.array([getattr(one, name) for one in compared]) for name in Constituents.__annotations__
    }
    arrays |= {
        "selected": n_selected / len(sentences),
        "length": n_selected / np.maximum(1, n_runs),
        # Words that are drawn with probability p form runs of 1 / (1 - p) words on average.
        "length_by_chance": 1 / (1 - np.minimum(n_selected / n_words, 0.99)),
    }
    return arrays, f"the {split} split, {len(sentences):,} sentences of {n_words:,} words"
