"""What the layers of an AGT select of a whole split: the paper's figures 2 and 3.

python -m core.composition NAME --data DIR: measure it on the test split, once, for the dashboard.
"""

import sys
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray
from tqdm import tqdm

from core.analysis import phrases
from core.checkpoint import Checkpoint
from core.datasets import Split, read_split
from core.inputs.text import normalize
from core.measured import MEASURED
from core.measuring import command

_SIZES = MEASURED["composition"]
BINS, LONGEST, TOP = _SIZES["attention"][1], _SIZES["lengths"][1], _SIZES["top_words"][1]


def histogram(values: Float[ndarray, "l n"]) -> Int[ndarray, "l bins"]:
    """How many of each layer's values, 0 to 1, fall into each twentieth; 1 falls into the last."""
    bins = np.searchsorted(np.linspace(0, 1, BINS + 1, dtype=values.dtype)[1:-1], values, side="right")
    rows = BINS * np.arange(len(values))[:, None]
    return np.bincount((rows + bins).ravel(), minlength=BINS * len(values)).reshape(-1, BINS)


def measure(checkpoint: Checkpoint, split: Split, progress: bool = False) -> dict[str, ndarray]:
    """The arrays of ``core.measured``, a word counted once wherever it stands.

    Raises:
        ValueError: the network is no AGT.
    """
    if checkpoint.kind != "agt":
        raise ValueError(f"{checkpoint.name} is no AGT: its layers select no words")
    counts: dict[str, ndarray] = {}
    read = []
    with torch.inference_mode():
        for sentence in tqdm(split.words, disable=not progress, unit="sentence", desc="composition"):
            layers = checkpoint.model.layers(**checkpoint.encode([sentence]))
            attention, gates = (a[0].float().cpu().numpy() for a in (layers.attention, layers.gates))
            chosen = phrases.selected(attention)
            read.append(([normalize(word) for word in sentence], chosen))
            found = {"attention": histogram(phrases.scaled(attention)), "gates": histogram(gates)}
            found["lengths"] = phrases.lengths(chosen, LONGEST)
            counts = {name: counts.get(name, 0) + array for name, array in found.items()}
    top = [layer + [("", 0)] * (TOP - len(layer)) for layer in phrases.most_selected(read, TOP)]
    words, times = (np.array([[pair[k] for pair in layer] for layer in top]) for k in (0, 1))
    return counts | {"top_words": words, "top_counts": times}


def _of_test_split(checkpoint: Checkpoint, folder: Path) -> tuple[dict[str, ndarray], str]:
    split = read_split(checkpoint.corpus, folder, "test", len(checkpoint.classes))
    arrays = measure(checkpoint, split, progress=True)
    return arrays, f"the test split, {len(split):,} sentences of {sum(map(len, split.words)):,} words"


def main(arguments: list[str] | None = None) -> int:
    """Measure and write; 0, or 2 after one clear line on bad input."""
    return command("composition", _of_test_split, arguments)


if __name__ == "__main__":
    sys.exit(main())
