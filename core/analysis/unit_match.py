"""Matches the units of two networks by what they take from the same words of the same texts."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int, Shaped
from numpy import ndarray

from core.analysis.units import cosines

Taken = tuple[Shaped[ndarray, " w"], Float[ndarray, "u w"]]  # words, and the amount that each unit takes from them

DRAWS = 50  # random orders of the words
SEED = 0
HIGH = 0.95  # quantile of chance


@dataclass(frozen=True, eq=False)
class Matches:
    """The pairs of matched units, in the order of the first network's.

    Attributes:
        first, second: rows of the units.
        correlation: correlation of what both take from the words.
        others: mean correlation of the first unit with the units of the second network that it is not matched with; nan
            if there is none.
        by_chance: quantile ``HIGH`` of the correlation of the first unit's match if the words of the second network are
            shuffled and its units are matched again.
        n_words: number of words.
    """

    first: Int[ndarray, " m"]
    second: Int[ndarray, " m"]
    correlation: Float[ndarray, " m"]
    others: Float[ndarray, " m"]
    by_chance: Float[ndarray, " m"]
    n_words: int

    def partner(self, u: int) -> int | None:
        """The place of the pair with this unit of the first network; None if it is not matched."""
        places = np.flatnonzero(self.first == u)
        return int(places[0]) if len(places) else None


def match_units(first: Float[ndarray, "u w"], second: Float[ndarray, "v w"], draws: int = DRAWS) -> Matches:
    """Match units one with one, so that the sum of their correlations is largest.

    If one network has more units, some of them are not matched.

    Source: the assignment problem, by ``scipy.optimize.linear_sum_assignment``.

    Args:
        first, second: amount that each unit takes from each word, the same words for both networks.
        draws: number of shuffles.
    """
    a, b = (lift.astype(float) - lift.astype(float).mean(1, keepdims=True) for lift in (first, second))
    table = correlations(a, b)
    rows, columns = assign(table)
    matched = table[rows, columns]
    rest = (table[rows].sum(1) - matched) / (len(second) - 1) if len(second) > 1 else np.full(len(rows), np.nan)
    draw, shuffled = np.random.default_rng(SEED), np.full((draws, len(first)), np.nan)
    for values in shuffled:
        chance = correlations(a, b[:, draw.permutation(b.shape[1])])
        pairs = assign(chance)
        values[pairs[0]] = chance[pairs]
    by_chance = np.nan_to_num(np.nanquantile(shuffled[:, rows], HIGH, axis=0)) if draws else np.zeros(len(rows))
    return Matches(rows, columns, matched, rest, by_chance, first.shape[1])


def match_common(first: Taken, second: Taken) -> Matches:
    """``match_units`` on the words that both networks have."""
    _, a, b = np.intersect1d(first[0], second[0], return_indices=True)
    return match_units(first[1][:, a], second[1][:, b])


def correlations(a: Float[ndarray, "u w"], b: Float[ndarray, "v w"]) -> Float[ndarray, "u v"]:
    """The correlation of each row of one array with each of another; their means are 0. 0 for a row of zeros."""
    return cosines(np.concatenate([a, b]))[: len(a), len(a) :]


def assign(table: Float[ndarray, "u v"]) -> tuple[Int[ndarray, " m"], Int[ndarray, " m"]]:
    """The rows and the columns of the pairs whose sum is largest."""
    from scipy.optimize import linear_sum_assignment  # slow to import

    return linear_sum_assignment(-table)
