"""What a run of a network takes, by its sizes alone: a few bytes of config.json can ask for years of work."""

from typing import Any, NamedTuple

WORDS = 1000
N_SENTENCES = 200  # of a document, which is read sentence by sentence
SIDE = 128  # pixels of a picture
ITERATIONS = 10  # at least, as pages show what more of them than in training do


class Cost(NamedTuple):
    """What a run of 1,000 words takes, or of a pair of large pictures, to the nearest tenth or so.

    Attributes:
        products: multiplications.
        numbers: kept at once.
        cells: of the largest picture that a page draws, over all steps.
    """

    products: int
    numbers: int
    cells: int


# A second or two, 400 MB, and what a browser draws.
MAX_COST = Cost(products=50 * 10**9, numbers=100 * 10**6, cells=10**6)
WHAT = Cost("multiplications", "numbers in memory", "cells of a picture")


def check_cost(cost: Cost, of: str) -> None:
    """Raise ValueError if a run of a network takes more than a server can give to one visitor.

    Args:
        cost: of the run.
        of: what is run, such as "two pictures".
    """
    for number, most, what in zip(cost, MAX_COST, WHAT, strict=True):
        if number > most:
            raise ValueError(f"a run on {of} takes {number:,} {what}, wanted at most {most:,}")


def iterations(config: Any) -> int:
    """As many as pages show of a network with routing."""
    return max(ITERATIONS, config.n_iters)
