"""Differences between two runs, in sentences."""

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from core.sentences.findings import in_words
from core.sentences.words import listed, quote

NOTHING = 0.0005  # smaller changes are ignored


def describe_settings(settings: Mapping[str, tuple[object, object]]) -> str:
    """Say which settings differ. ``settings`` holds the values of runs A and B by name."""
    differing = [f"the {name}" for name, (first, second) in settings.items() if first != second]
    return f"A and B differ in {listed(differing)}." if differing else "A and B have the same settings."


def describe_changes(
    first: Float[ndarray, "t i j"],
    second: Float[ndarray, "t i j"],
    inputs: Sequence[str],
    outputs: Sequence[str],
    quantity: str,
) -> list[str]:
    """Say for each step which cell differs most, and how many others differ at least half as much.

    Args:
        first, second: numbers of the two runs; NaN if a run lacks the input.
        inputs, outputs: name of each input and output in the sentence.
        quantity: name of the numbers.
    """
    sentences = []
    for a, b in zip(first, second, strict=True):
        size = np.nan_to_num(np.abs(b - a))
        if size.max(initial=0) < NOTHING:
            sentences.append("The pictures are the same.")
            continue
        i, j = divmod(int(size.argmax()), size.shape[1])
        n_others = int((size >= size.max() / 2).sum()) - 1
        others = f"; {in_words(n_others)} other{'s' * (n_others > 1)} at least half as much" if n_others else ""
        numbers = [f"{x:.0f}" if float(x).is_integer() else f"{x:.2f}" for x in (a[i, j], b[i, j])]
        cell = f"{quote(inputs[i])} in {outputs[j]} differs most"
        sentences.append(f"{cell}: {quantity} {numbers[0]} in A, {numbers[1]} in B{others}.")
    return sentences
