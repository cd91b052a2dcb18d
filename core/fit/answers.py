"""A network's answers to the test texts, next to those of what it is compared with."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray

from core.sentences.confusion import confusion


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers of a network to the test texts.

    Args:
        labels, given: the label and the answer of each text, as indices of the classes.
        dev: whether each answer to the texts that chose the weights is right.
        others: whether each comparison answers each text correctly, by its name (``core.fit.baselines``).
    """

    labels: Int[ndarray, " n"]
    given: Int[ndarray, " n"]
    dev: Bool[ndarray, " d"]
    others: dict[str, Bool[ndarray, " n"]]

    @property
    def right(self) -> Bool[ndarray, " n"]:
        """Whether each answer is right."""
        return self.labels == self.given

    def macro_f1(self, n_classes: int) -> float:
        """The mean over the classes of F1, the harmonic mean of precision and recall."""
        counts = confusion(self.labels, self.given, n_classes, n_classes)
        total = counts.sum(0) + counts.sum(1)
        return float(np.mean(2 * np.diag(counts) / np.maximum(total, 1)))
