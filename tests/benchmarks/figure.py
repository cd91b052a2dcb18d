"""A measured figure and its limit."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch

REPEATS = 15


@dataclass(frozen=True)
class Figure:
    """A measured value. bar: its limit; None if there is none."""

    name: str
    measured: float
    bar: float | None
    unit: str
    at_least: bool = False  # whether the bar is a lower limit

    @property
    def of_bar(self) -> float | None:
        """The used share of the limit; the limit is broken above 1."""
        if self.bar is None:
            return None
        if self.at_least:
            return self.bar / self.measured
        if self.bar == 0:  # anything above 0 breaks it
            return 2.0 if self.measured > 0 else 0.0
        return max(0.0, self.measured / self.bar)


def median_seconds(run: Callable[[], None], device: str) -> float:
    """The median time of several runs, after the same number of warm-up runs."""
    times = []
    for _ in range(2 * REPEATS):
        began = time.perf_counter()
        run()
        if device == "cuda":
            torch.cuda.synchronize()
        times.append(time.perf_counter() - began)
    return statistics.median(times[REPEATS:])
