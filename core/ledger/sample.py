"""Accuracies of a sweep's trainings, compared in pairs where it is kept which test texts each answers correctly."""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

import numpy as np
import pandas as pd
from jaxtyping import Float
from numpy import ndarray

from core.analysis.intervals import interval_of_difference, interval_of_mean, interval_of_paired_difference

UNPAIRED = "unpaired"  # of a difference: as if the networks had answered other texts, so its interval is too wide


@dataclass(frozen=True)
class Sample:
    """Trainings of one kind of network, tested on the same texts.

    Args:
        shares: the accuracy of each.
        n: test texts.
        right: how far each answers each text correctly, 0 or 1, or between them for a mean over networks; None where
            that was not kept.
    """

    shares: tuple[float, ...]
    n: int
    right: Float[ndarray, "s n"] | None

    @classmethod
    def of_rows(cls, rows: pd.DataFrame) -> "Sample":
        """The trainings of some rows of a sweep."""
        n = int(rows["tested_on"].max())
        kept = "answers" in rows and rows["answers"].notna().all()
        bits = [np.unpackbits(np.frombuffer(row, np.uint8), count=n) for row in rows["answers"]] if kept else []
        return cls(tuple(rows["test"]), n, np.array(bits, float) if kept else None)

    @classmethod
    def by_seed(cls, rows: pd.DataFrame) -> "Sample":
        """The means over the rows of each seed, such as those of several windows."""
        return cls.stacked(cls.of_rows(of_seed).mean() for _, of_seed in rows.groupby("seed"))

    @classmethod
    def stacked(cls, samples: Iterable["Sample"]) -> "Sample":
        """The trainings of several samples."""
        samples = list(samples)
        rights = [sample.right for sample in samples if sample.right is not None]
        shares = tuple(share for sample in samples for share in sample.shares)
        return cls(shares, samples[0].n, np.concatenate(rights) if len(rights) == len(samples) else None)

    def mean(self) -> "Sample":
        """The mean over the trainings, as one of them."""
        right = None if self.right is None else self.right.mean(0, keepdims=True)
        return Sample((fmean(self.shares),), self.n, right)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the mean accuracy."""
        return interval_of_mean(self.shares, self.n)

    def over(self, other: "Sample") -> tuple[float, float, str]:
        """The 95% interval of what the mean accuracy gains over another's on the same texts, and ``UNPAIRED`` or ""."""
        if self.right is not None and other.right is not None and self.n == other.n:
            return *interval_of_paired_difference(self.right, other.right), ""
        return *interval_of_difference(self.shares, other.shares, self.n), UNPAIRED


def near_best(rows: pd.DataFrame, column: str) -> tuple[int, list[int]]:
    """The value of a column with which test accuracy is best, mean over seeds, and all within one standard error of it.

    The error is that of a share of the test texts.
    """
    means = rows.groupby(column)["test"].mean()
    best = means.max()
    error = np.sqrt(best * (1 - best) / rows["tested_on"].max())
    return int(means.idxmax()), [int(value) for value in means.index[means >= best - error]]
