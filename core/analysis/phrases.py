"""Finds the words and phrases that a layer selects by its attention.

Guo 2017, section 3.1: attention is scaled to 0..1 within a sentence and layer; a word is selected if its scaled
attention exceeds .95; a phrase is a run of selected neighbours. The paper's relaxed selection takes words that receive
"more than the median .. of the full attention". But the words printed for its figure 4 are those above one half, not
those above the median over the sentence's words, so our relaxed threshold is one half.
"""

from collections import Counter
from collections.abc import Iterable

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

SELECTED, RELAXED = 0.95, 0.5  # thresholds of scaled attention


def scaled(attention: Float[ndarray, "l i"]) -> Float[ndarray, "l i"]:
    """Attention divided by its layer's maximum, so that the top word has 1; 0 in a layer without attention."""
    largest = attention.max(1, keepdims=True)
    return np.divide(attention, largest, out=np.zeros_like(attention), where=largest > 0)


def selected(attention: Float[ndarray, "l i"], threshold: float = SELECTED) -> Bool[ndarray, "l i"]:
    """Whether the scaled attention to each word exceeds the threshold."""
    return scaled(attention) > threshold


def phrases(chosen: Bool[ndarray, " i"]) -> list[tuple[int, int]]:
    """The maximal runs of chosen words, each as [start, end)."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], chosen, [False]]).astype(np.int8)))
    return [(int(start), int(end)) for start, end in edges.reshape(-1, 2)]


def selected_words(words: list[str], chosen: Bool[ndarray, " i"]) -> list[str]:
    """The chosen words, in the order of the sentence."""
    return [word for word, is_chosen in zip(words, chosen, strict=True) if is_chosen]


def count_lengths(chosen: Bool[ndarray, "l i"], max_length: int) -> Int[ndarray, "l n"]:
    """The number of phrases of 1, 2, .., max_length words per layer; the last column includes longer ones."""
    counts = np.zeros((len(chosen), max_length), np.int64)
    for layer, row in enumerate(chosen):
        for start, end in phrases(row):
            counts[layer, min(end - start, max_length) - 1] += 1
    return counts


def most_selected(sentences: Iterable[tuple[list[str], Bool[ndarray, "l _"]]], n: int) -> list[list[tuple[str, int]]]:
    """The n words that each layer selects most often in the sentences, with counts; ties are in alphabetical order."""
    counts: list[Counter[str]] = []
    for words, chosen in sentences:
        counts = counts or [Counter() for _ in chosen]
        for counter, row in zip(counts, chosen, strict=True):
            counter.update(selected_words(words, row))
    return [sorted(counter.items(), key=lambda pair: (-pair[1], pair[0]))[:n] for counter in counts]
