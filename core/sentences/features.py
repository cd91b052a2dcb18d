"""Findings on k-means routing: where the framed feature capsule goes, how decisively, and which words feed it."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from core.sentences.findings import is_even
from core.sentences.steps import mark_beyond
from core.sentences.words import Phrasing, capital


def describe_features(
    coupling: Float[ndarray, "t i j"],
    contributions: Float[ndarray, "n i"],
    phrasing: Phrasing,
    classes: Sequence[str],
    feature: int,
    trained: int | None = None,
    answers: Sequence[str] = (),
    name: str = "",
) -> list[str]:
    """Say for each iteration where the framed feature capsule goes, how decisively, and where most of the others go.

    Args:
        coupling: c_ij of feature capsules and classes.
        contributions: contribution of each word to each feature capsule.
        phrasing: words of the text.
        classes: names of the classes.
        feature: index of the framed feature capsule.
        trained: number of iterations in training; the number of this run if None.
        answers: the answer after each iteration, which is named too if another class gets more capsules.
        name: name of the framed feature capsule, such as "feature capsule 3 · money"; its number if "".
    """
    words = np.flatnonzero(phrasing.is_word)
    fed = (
        f"gets more from {phrasing.quote(int(words[contributions[words, feature].argmax()]))} than from any other word"
    )
    this = capital(name or f"feature capsule {feature + 1}")
    named = answers or [""] * len(coupling)
    steps = zip(coupling, named, strict=True)
    return mark_beyond([_describe(c, feature, f"{this} {fed}", classes, answer) for c, answer in steps], trained)


def _describe(c: ndarray, feature: int, begins: str, classes: Sequence[str], answer: str) -> str:
    n, n_classes = c.shape
    if is_even(c, n_classes):
        return f"Nothing is decided yet: every feature capsule is shared equally among all {n_classes} classes."
    best = int(c[feature].argmax())
    first = f"{begins}, and sends {c[feature, best]:.0%} to {classes[best]}"
    counts = np.bincount(c.argmax(1), minlength=n_classes)
    most = int(counts.argmax())
    number = f"all {n}" if counts[most] == n else f"{counts[most]} of {n}"
    others = f"{classes[most]} gets the largest share of {number} feature capsules"
    if answer not in ("", classes[most]):
        others += f"; {answer}, the answer, of {counts[list(classes).index(answer)]}"
    if c.max() > 0.5:
        return f"{first}. {others}."
    return f"{first}. {others}. No share is above {c.max():.0%}."
