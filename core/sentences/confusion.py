"""Confusion between classes, in numbers and in a sentence."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from core.analysis.intervals import interval_of_share

NONE = "No text has a prediction."


def confusion(truth: Int[ndarray, " n"], given: Int[ndarray, " n"], n_truths: int, n_classes: int) -> ndarray:
    """Count the texts by true and predicted class [truth, class].

    Args:
        truth: true class of each text.
        given: predicted class of each text.
    """
    return np.bincount(truth * n_classes + given, minlength=n_truths * n_classes).reshape(n_truths, n_classes)


def describe_confusion(counts: Int[ndarray, "truth k"], classes: Sequence[str]) -> str:
    """The share of correct texts with its 95% interval, and the most frequent confusion.

    Args:
        counts: counts from ``confusion``. The first k rows are the classes. Texts in other rows are not counted,
            because their label is not a class of the network, so the answer can be neither right nor wrong.
        classes: names of the classes.
    """
    counts = counts[: len(classes)]
    if not counts.any():
        return NONE
    sentence = describe_accuracy(int(np.trace(counts)), int(counts.sum()))
    mistakes = counts * ~np.eye(len(classes), dtype=bool)
    if not mistakes.any():
        return f"{sentence}."
    truth, given = divmod(int(mistakes.argmax()), mistakes.shape[1])
    confused = f"{classes[truth]} predicted as {classes[given]} ({_texts(int(mistakes.max()))})"
    return f"{sentence}. Most frequent confusion: {confused}."


def describe_accuracy(right: int, n: int) -> str:
    """The share of correct texts among n, at least one, with its 95% interval."""
    return f"{right / n:.1%} of {_texts_are(n)} right {_interval(right, n)}"


def _interval(right: int, n: int) -> str:
    return "(95% interval {:.1%} to {:.1%})".format(*interval_of_share(right / n, n))


def describe_classes(counts: Int[ndarray, " k"], classes: Sequence[str]) -> str:
    """The most frequent prediction, and its share of the texts."""
    n = int(counts.sum())
    if not n:
        return NONE
    k = int(counts.argmax())
    return f"Most frequent prediction: {classes[k]} ({counts[k] / n:.1%} of {_texts(n)})."


def _texts_are(n: int) -> str:
    return f"{_texts(n)} {'is' if n == 1 else 'are'}"


def _texts(n: int) -> str:
    return f"{n:,} text{'s' * (n != 1)}"
