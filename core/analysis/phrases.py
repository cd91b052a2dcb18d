"""Which words and phrases a layer selects by its attention, and how a sentence is composed of them.

Guo 2017, section 3.1: attention is scaled to 0..1 within a sentence and layer, a word is selected where that exceeds
.95, a phrase is a run of selected neighbours. The paper's relaxed reading takes words that receive "more than the
median .. of the full attention"; the words that it prints for figure 4 are those above a half of it, not those above
the median of the sentence's words, so a half it is here.
"""

from collections import Counter
from collections.abc import Iterable

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

SELECTED, RELAXED = 0.95, 0.5


def scaled(attention: Float[ndarray, "l i"]) -> Float[ndarray, "l i"]:
    """Attention as a share of the largest in its layer: the word that gets most stands at 1."""
    return attention / attention.max(1, keepdims=True)


def selected(attention: Float[ndarray, "l i"], threshold: float = SELECTED) -> Bool[ndarray, "l i"]:
    """Where scaled attention exceeds the threshold."""
    return scaled(attention) > threshold


def phrases(chosen: Bool[ndarray, " i"]) -> list[tuple[int, int]]:
    """The runs of chosen words, as long as they go: [first, after the last)."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], chosen, [False]]).astype(np.int8)))
    return [(int(start), int(end)) for start, end in edges.reshape(-1, 2)]


def composed(words: list[str], chosen: Bool[ndarray, " i"]) -> list[str]:
    """The sentence as the chosen words alone tell it."""
    return [word for word, is_chosen in zip(words, chosen, strict=True) if is_chosen]


def lengths(chosen: Bool[ndarray, "l i"], longest: int) -> Int[ndarray, "l n"]:
    """How many phrases of 1, 2, .., longest words each layer has; the last column counts the longer ones too."""
    counts = np.zeros((len(chosen), longest), np.int64)
    for layer, row in enumerate(chosen):
        for start, end in phrases(row):
            counts[layer, min(end - start, longest) - 1] += 1
    return counts


def most_selected(sentences: Iterable[tuple[list[str], Bool[ndarray, "l _"]]], n: int) -> list[list[tuple[str, int]]]:
    """For each layer the n words that it selects most often over the sentences, and how often; ties by the alphabet."""
    counts: list[Counter[str]] = []
    for words, chosen in sentences:
        counts = counts or [Counter() for _ in chosen]
        for counter, row in zip(counts, chosen, strict=True):
            counter.update(composed(words, row))
    return [sorted(counter.items(), key=lambda pair: (-pair[1], pair[0]))[:n] for counter in counts]
