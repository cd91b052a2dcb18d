"""How long a toy's picture takes."""

import statistics
import time

from core.datasets import toyrig
from tests.benchmarks.figure import Figure


def toys(device: str) -> list[Figure]:
    """One pair of pictures in the six lights, of every kind of toy, from a few sides; always on the CPU."""
    times = []
    for category in range(len(toyrig.KINDS)):
        toyrig.toy(category, 0)
        for azimuth in (0, 80, 200):
            began = time.perf_counter()
            toyrig.photographs(category, 0, [azimuth], [50])
            times.append(1000 * (time.perf_counter() - began))
    return [Figure("a toy's pair of pictures in six lights, median", statistics.median(times), 300, "ms")]
