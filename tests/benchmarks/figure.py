"""A measured figure and its limit."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch

REPEATS = 15  # timed runs


@dataclass(frozen=True)
class Figure:
    """A measured value.

    Args:
        name: text that describes the value; its row in README's table.
        measured: the value, in ``unit``.
        bar: limit; None for no limit.
        unit: unit of the value and the limit.
        at_least: whether the limit is a lower one.
    """

    name: str
    measured: float
    bar: float | None
    unit: str
    at_least: bool = False

    @property
    def used_share(self) -> float | None:
        """The share of the limit that the value uses. Above 1, the limit is broken."""
        if self.bar is None:
            return None
        if self.at_least:
            return self.bar / self.measured
        if self.bar == 0:  # any share above 1 says that the limit is broken
            return 2.0 if self.measured > 0 else 0.0
        return max(0.0, self.measured / self.bar)


def median_seconds(run: Callable[[], None], device: str) -> float:
    """The median time of ``REPEATS`` runs, after the same number of runs to warm up."""
    times = []
    for _ in range(2 * REPEATS):
        began = time.perf_counter()
        run()
        if device == "cuda":
            torch.cuda.synchronize()
        times.append(time.perf_counter() - began)
    return statistics.median(times[REPEATS:])
