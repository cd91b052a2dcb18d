"""Accuracies of a sweep's trainings. They are compared in pairs if the answers to each test text are stored."""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

import numpy as np
import pandas as pd
from jaxtyping import Float
from numpy import ndarray

from core.analysis.intervals import interval_of_difference, interval_of_mean, interval_of_paired_difference

UNPAIRED = "unpaired"  # note on a difference whose interval is too wide, as if its networks read different texts


@dataclass(frozen=True)
class Trainings:
    """Trainings of one kind of network, tested on the same texts.

    Args:
        shares: accuracy of each training.
        n: number of test texts.
        right: correctness of each training on each text: 0 or 1, or between them for a mean over networks; None if not
            stored.
    """

    shares: tuple[float, ...]
    n: int
    right: Float[ndarray, "s n"] | None

    @classmethod
    def of_rows(cls, rows: pd.DataFrame) -> "Trainings":
        """The trainings in some rows of a sweep."""
        n = int(rows["tested_on"].max())
        kept = "answers" in rows and rows["answers"].notna().all()
        bits = [np.unpackbits(np.frombuffer(row, np.uint8), count=n) for row in rows["answers"]] if kept else []
        return cls(tuple(rows["test"]), n, np.array(bits, float) if kept else None)

    @classmethod
    def by_seed(cls, rows: pd.DataFrame) -> "Trainings":
        """One training per seed: the mean over the rows of the seed, for example over several windows."""
        return cls.stacked(cls.of_rows(its_rows).mean() for _, its_rows in rows.groupby("seed"))

    @classmethod
    def stacked(cls, samples: Iterable["Trainings"]) -> "Trainings":
        """The trainings of several samples together."""
        samples = list(samples)
        rights = [sample.right for sample in samples if sample.right is not None]
        shares = tuple(share for sample in samples for share in sample.shares)
        return cls(shares, samples[0].n, np.concatenate(rights) if len(rights) == len(samples) else None)

    def mean(self) -> "Trainings":
        """The mean over the trainings, as a single training."""
        right = None if self.right is None else self.right.mean(0, keepdims=True)
        return Trainings((fmean(self.shares),), self.n, right)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the mean accuracy."""
        return interval_of_mean(self.shares, self.n)

    def over(self, other: "Trainings") -> tuple[float, float, str]:
        """The 95% interval of the gain in mean accuracy over another sample on the same texts; ``UNPAIRED`` or ""."""
        if self.right is not None and other.right is not None and self.n == other.n:
            return *interval_of_paired_difference(self.right, other.right), ""
        return *interval_of_difference(self.shares, other.shares, self.n), UNPAIRED


def near_best(rows: pd.DataFrame, column: str) -> tuple[int, list[int]]:
    """The value of a column with the best mean test accuracy over seeds, and all values within one standard error.

    This is the standard error of a share of the test texts.
    """
    means = rows.groupby(column)["test"].mean()
    best = means.max()
    error = np.sqrt(best * (1 - best) / rows["tested_on"].max())
    return int(means.idxmax()), [int(value) for value in means.index[means >= best - error]]
