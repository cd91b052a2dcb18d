"""One measured figure and the bar that it is held to."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch

REPEATS = 15


@dataclass(frozen=True)
class Figure:
    """A measured value. bar: the limit that it is held to; None if there is none."""

    name: str
    measured: float
    bar: float | None
    unit: str
    at_least: bool = False  # whether the bar is a lower limit

    @property
    def of_bar(self) -> float | None:
        """Share of the bar that is used up; above 1 it is broken."""
        if self.bar is None:
            return None
        if self.at_least:
            return self.bar / self.measured
        return max(0.0, self.measured / self.bar) if self.bar else float(self.measured > 0) * 2


def median_seconds(run: Callable[[], None], device: str) -> float:
    """Median of several runs, after as many to warm up."""
    times = []
    for _ in range(2 * REPEATS):
        began = time.perf_counter()
        run()
        if device == "cuda":
            torch.cuda.synchronize()
        times.append(time.perf_counter() - began)
    return statistics.median(times[REPEATS:])
