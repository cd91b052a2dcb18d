"""The cost of a network's run, computed from its sizes only: a few bytes of config.json can ask for years of work."""

from typing import Any, NamedTuple

WORDS = 1000  # words of a text
N_SENTENCES = 200  # sentences of a document
SIDE = 128  # pixels of a picture
MIN_ITERATIONS = 10  # iterations to count at least, because pages also run more than training did


class Cost(NamedTuple):
    """The approximate cost of a run on 1,000 words, or on a pair of large pictures.

    Attributes:
        products: multiplications.
        numbers: numbers in memory at once.
        cells: cells of the largest picture that a page draws, over all steps.
    """

    products: int
    numbers: int
    cells: int


# A second or two, 400 MB, and as many cells as a browser can draw.
MAX_COST = Cost(products=50 * 10**9, numbers=100 * 10**6, cells=10**6)
NAMES = ("multiplications", "numbers in memory", "cells of a picture")  # in the order of ``Cost``


def check_cost(cost: Cost, sample: str) -> None:
    """Raise ValueError if a run costs more than a server can give to one visitor.

    Args:
        cost: cost of the run.
        sample: name of the sample, such as "two pictures".
    """
    for number, limit, name in zip(cost, MAX_COST, NAMES, strict=True):
        if number > limit:
            raise ValueError(f"a run on {sample} takes {number:,} {name}, wanted at most {limit:,}")


def iterations(config: Any) -> int:
    """The number of iterations to count for a run of a network with routing."""
    return max(MIN_ITERATIONS, config.n_iters)
