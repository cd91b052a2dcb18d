"""Texts and labels from Python: lists, arrays and columns of tables, checked and divided for a training."""

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
from jaxtyping import Int
from numpy import ndarray
from sklearn.utils import assert_all_finite, column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from core.datasets import Split
from core.fit.columns import Columns
from core.fit.data import DEV, OwnData, first_words
from core.manifest import MAX_CLASS_NAME, MAX_CLASSES

MIN_DIFFERENT = 2  # different texts that each class needs: one to train on, one to choose the weights on


def as_texts(X: Any) -> list[str]:
    """The texts of a list, an array or a column of a table, with ? for each lone surrogate.

    Raises:
        TypeError: X is one text, or holds something else than texts.
        ValueError: X has another shape.
    """
    if isinstance(X, str | bytes) or not hasattr(X, "__iter__"):
        raise TypeError(f"X is {X!r:.60}, wanted a list of texts")
    if getattr(X, "ndim", 1) != 1:
        raise ValueError(f"X has the shape {tuple(X.shape)}, wanted [n]: a list of texts, or one column of a table")
    texts = list(X)
    for k, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"X[{k}] is {text!r:.60}, wanted a text")
    return [text.encode(errors="replace").decode() for text in texts]


def as_classes(y: Any) -> tuple[ndarray, Int[ndarray, " n"]]:
    """The different labels, sorted, of the dtype of y; and the class of each sample.

    Raises:
        ValueError: y is missing, has another shape, a missing value, labels of several types, or fewer than two
            classes or more than ``MAX_CLASSES``.
    """
    if y is None:
        raise ValueError("RoutingClassifier requires y to be passed, but the target y is None")
    labels = column_or_1d(y, warn=True)
    if labels.dtype == object:
        for k, label in enumerate(labels):
            if not isinstance(label, str):
                raise ValueError(f"y[{k}] is {label!r:.60}, wanted a text, as the other labels, or numbers only")
    assert_all_finite(labels, input_name="y")
    check_classification_targets(labels)
    classes, numbers = np.unique(labels, return_inverse=True)
    if not 2 <= len(classes) <= MAX_CLASSES:
        raise ValueError(f"y has {len(classes):,} class{'es' * (len(classes) != 1)}, wanted 2 to {MAX_CLASSES}")
    return classes, numbers


def names_of(classes: ndarray) -> tuple[str, ...]:
    """The name of each class: its label as text.

    Raises:
        ValueError: a label is blank or too long, or two give the same name.
    """
    names = tuple(map(str, classes.tolist()))
    for name in names:
        if not name.strip() or len(name) > MAX_CLASS_NAME:
            raise ValueError(f"the label {name!r:.60} is blank, or longer than {MAX_CLASS_NAME} characters")
    if len(set(names)) < len(names):
        raise ValueError("two labels have the same text: write all labels as texts or all as numbers")
    return names


def divide(texts: Sequence[str], classes: Int[ndarray, " n"], names: tuple[str, ...], seed: int) -> OwnData:
    """Divide texts into those to train on and those to choose weights on, a tenth of each class. None are test texts.

    Equal texts are in the same part. Texts without a word are left out.

    Args:
        texts, classes: the texts, and the class of each.
        names: names of the classes.
        seed: seed of the division.

    Raises:
        ValueError: a class has fewer than ``MIN_DIFFERENT`` different texts with a word.
    """
    samples = [(first_words(text), int(k)) for text, k in zip(texts, classes, strict=True)]
    by_text: dict[str, list[tuple[list[str], int]]] = defaultdict(list)
    for words, k in samples:
        if words:
            by_text[" ".join(words).casefold()].append((words, k))
    groups: dict[int, list[list[tuple[list[str], int]]]] = {k: [] for k in range(len(names))}
    for equal in by_text.values():
        groups[Counter(k for _, k in equal).most_common(1)[0][0]].append(equal)
    for k, members in groups.items():
        if len(members) < MIN_DIFFERENT:
            raise ValueError(
                f"the class {names[k]!r:.60} has {len(members)} different texts with a word, wanted at least "
                f"{MIN_DIFFERENT}: one to train on and one to choose the weights on"
            )
    drawn = random.Random(seed)
    train, dev = [], []
    for members in groups.values():
        drawn.shuffle(members)
        n_dev = max(1, len(members) // DEV)
        dev += members[:n_dev]
        train += members[n_dev:]
    return OwnData(Columns("X", "y"), _split(train, names), _split(dev, names), _split([], names), (), "")


def _split(groups: list[list[tuple[list[str], int]]], names: tuple[str, ...]) -> Split:
    """A part of the texts, from groups of equal texts."""
    samples = list(chain.from_iterable(groups))
    return Split([words for words, _ in samples], [k for _, k in samples], names)
