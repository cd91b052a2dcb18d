"""Findings on attention by layer: the phrases that each layer looks at, and its answer."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from core.analysis.phrases import SELECTED, selected
from core.sentences.words import Phrasing, capital, listed

NAMED = 4  # phrases that a sentence names


def describe_layers(
    attention: Float[ndarray, "a i"],
    probabilities: Float[ndarray, "l k"],
    phrasing: Phrasing,
    classes: Sequence[str],
    threshold: float = SELECTED,
    names: Sequence[str] = (),
) -> list[str]:
    """Say for each layer which phrases it looks at, and which class its output favours.

    Args:
        attention: attention of the layers that have one, which are the lowest.
        probabilities: class probabilities predicted from each layer.
        phrasing: words of the text.
        classes: names of the classes.
        threshold: share of a layer's largest attention above which a word is selected.
        names: names of the layers, such as "layer 3 · praise"; their numbers if none are given.
    """
    chosen = selected(attention, threshold)
    sentences, names = [], names or [f"layer {layer}" for layer in range(1, len(probabilities) + 1)]
    for layer, p in enumerate(probabilities):
        k = int(p.argmax())
        is_last = layer + 1 == len(probabilities)
        answer = f"{'Final answer' if is_last else 'Its own answer would be'}: {classes[k]} ({p[k]:.0%})."
        if layer < len(chosen):
            looks = f"looks mostly at {_named(attention[layer], chosen[layer], phrasing)}"
        else:
            looks = "has no attention and only passes on what it gets"
        sentences.append(f"{capital(names[layer])} {looks}. {answer}")
    return sentences


def most_attended(attention: Float[ndarray, " i"], phrasing: Phrasing) -> int:
    """The word that a layer attends to most, and that its finding names."""
    words = np.flatnonzero(phrasing.is_word)
    return int(words[attention[words].argmax()])


def _named(attention: ndarray, chosen: Bool[ndarray, " i"], phrasing: Phrasing) -> str:
    """The selected phrases. A layer that selects only punctuation is described by its first word."""
    quoted = [phrasing.quote(start, end) for start, end in phrasing.phrases(chosen & phrasing.is_word)]
    if quoted:
        return listed(quoted, NAMED)
    i = most_attended(attention, phrasing)
    return f"punctuation. Of the words, {phrasing.quote(i)} gets the largest share of its attention, {attention[i]:.1%}"
