"""Whether a ranking of words says which words a network's answer rests on.

A ranking is faithful if the answer changes soon when its first words are deleted, and is there soon when only its first
words are given. All functions work on arrays; the caller says what deleting a word means.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int, Real, Shaped
from numpy import ndarray

DROP_ONE = "drop-one"  # the ranking by ``drop_one``
SHARES = (0.01, 0.05, 0.1, 0.2, 0.5)  # of the words (DeYoung et al. 2020, ERASER)

Predict = Callable[[Bool[ndarray, "m n"]], Float[ndarray, " m"]]


class Faithfulness(NamedTuple):
    """How faithful a ranking of a text's words is, for the class that the network answers. p: its probability.

    Args:
        comprehensiveness: p minus p without the first words of the ranking, for each of ``SHARES``; high is good.
        sufficiency: p minus p with these words alone; low is good.
        aopc: mean of comprehensiveness over ``SHARES``.
        deletion: area under p as words are deleted in the order of the ranking; low is good.
        insertion: area under p as words are given in the order of the ranking; high is good.
    """

    comprehensiveness: Float[ndarray, " share"]
    sufficiency: Float[ndarray, " share"]
    aopc: float
    deletion: float
    insertion: float


class Curves(NamedTuple):
    """p by how many of the n words are deleted, and by how many are given.

    Args:
        counts: words deleted, from 0 upwards.
        deletion: p with so many deleted.
        insertion: p with so many given, from the second count on, and then with all n.
    """

    counts: Int[ndarray, " c"]
    deletion: Float[ndarray, " c"]
    insertion: Float[ndarray, " c"]


@dataclass(frozen=True, eq=False)
class TextCurves:
    """The curves of one text.

    Args:
        parts: that are ranked: words, sentences or places.
        unit: what they are, in the singular.
        answer: the class whose probability the curves are of.
        scores: of each ranking.
        curves: of each ranking; of random orders there are none.
        deletion, insertion: of random orders [draw, c].
        groups: of neighbours that were deleted together for drop-one; as many as parts if each was deleted by itself.
    """

    parts: list[str]
    unit: str
    answer: int
    scores: dict[str, ndarray]
    curves: dict[str, Curves]
    deletion: ndarray
    insertion: ndarray
    groups: int

    @property
    def is_thinned(self) -> bool:
        """Whether the curves have fewer points than there are parts."""
        return any(len(path.counts) < len(self.parts) for path in self.curves.values())

    @property
    def is_grouped(self) -> bool:
        """Whether several parts were deleted together for drop-one."""
        return self.groups < len(self.parts)


def rank(scores: Float[ndarray, " n"]) -> Int[ndarray, " n"]:
    """The numbers of the words from the highest score to the lowest; equal scores in the order of the text."""
    return np.argsort(-np.asarray(scores), kind="stable")


def n_deleted(share: float, n: int) -> int:
    """How many words a share of n words is: at least one, and never all of them."""
    return min(max(1, math.ceil(share * n)), n - 1)


def counts_to_delete(n: int, most: int | None = None) -> Int[ndarray, " c"]:
    """How many of n words are deleted at each point of a curve: 0 to n - 1.

    Args:
        most: of a longer text only so many of these counts, at equal distances, and those of ``SHARES``.
    """
    if most is None or n <= most:
        return np.arange(n)
    return np.unique([*np.linspace(0, n - 1, most).round().astype(int), *(n_deleted(share, n) for share in SHARES)])


def even_counts(n: int, points: int) -> Int[ndarray, " c"]:
    """Counts of words, from 0 and below n, at equal distances; all of them if there are as many points as words."""
    return np.linspace(0, n, points + 1)[:-1].round().astype(int)


def masks(scores: Float[ndarray, " n"], counts: Int[ndarray, " c"] | None = None) -> Bool[ndarray, "texts n"]:
    """Which words are left at each point of ``Curves``: first those of deletion, then those of insertion.

    Args:
        counts: of ``Curves``; every number of words unless given.

    Raises:
        ValueError: fewer than two words: none can be deleted.
    """
    n = len(scores)
    if n < 2:
        raise ValueError(f"scores has {n} words, wanted at least two: of one word none can be deleted")
    place = np.empty(n, int)
    place[rank(scores)] = np.arange(n)
    deleted = counts_to_delete(n) if counts is None else counts
    given = np.append(deleted[1:], n)
    return np.concatenate([place >= deleted[:, None], place < given[:, None]])


def curves(scores: Float[ndarray, " n"], predict: Predict, most: int | None = None) -> Curves:
    """p as words are deleted, and given, in the order of their scores.

    Args:
        scores: of each word; the highest comes first.
        predict: returns p for each row of words that are left.
        most: as in ``counts_to_delete``.
    """
    counts = counts_to_delete(len(scores), most)
    p = predict(masks(scores, counts))
    return Curves(counts, p[: len(counts)], p[len(counts) :])


def summarize(path: Curves) -> Faithfulness:
    """The figures of a ranking from its two curves.

    Sources: DeYoung et al. 2020, section 4 (comprehensiveness, sufficiency); Petsiuk et al. 2018 (areas).
    """
    n = int(path.counts[-1]) + 1
    at = np.searchsorted(path.counts, [n_deleted(share, n) for share in SHARES])
    p = path.deletion[0]
    comprehensiveness, sufficiency = p - path.deletion[at], p - path.insertion[at - 1]
    given = np.append(path.counts[1:], n)
    return Faithfulness(
        comprehensiveness,
        sufficiency,
        float(comprehensiveness.mean()),
        area(path.deletion, path.counts),
        area(path.insertion, given),
    )


def area(p: Float[ndarray, " c"], counts: Int[ndarray, " c"] | None = None) -> float:
    """The area under a curve by the trapezoidal rule, over its width: the mean height.

    Args:
        counts: where its points are; at equal distances unless given.
    """
    x = np.arange(len(p)) if counts is None else counts
    return float(np.trapezoid(p, x) / (x[-1] - x[0]))


def drop_one(n: int, predict: Predict) -> Float[ndarray, " n"]:
    """By how much p falls when each word alone is deleted."""
    p = predict(without_each(n, n))
    return p[0] - p[1:]


def without_each(n: int, groups: int) -> Bool[ndarray, "masks n"]:
    """Which words are left at first, all of them, and without each group of neighbours."""
    return np.concatenate([np.ones((1, n), bool), group_of(n, groups) != np.arange(groups)[:, None]])


def group_of(n: int, groups: int) -> Int[ndarray, " n"]:
    """The group of each of n words, if neighbours make up so many groups of about one size."""
    return np.arange(n) * groups // n


def tau(first: Real[ndarray, " n"], second: Real[ndarray, " n"]) -> float:
    """Kendall's tau-b of two scores of the same words: 1 is the same order, -1 the opposite one; NaN if one is flat."""
    from scipy.stats import kendalltau  # takes half a second to import

    return float(kendalltau(first, second).statistic)


def random_orders(n: int, draws: int) -> Float[ndarray, "draw n"]:
    """Scores of n words at random, an even number of them: half are the others reversed.

    To delete words in one order is to give them in the reverse, so that both take the same runs.
    """
    scores = random_scores(n, draws // 2)
    return np.concatenate([scores, -scores])


def random_scores(n: int, draws: int, seed: int = 0) -> Float[ndarray, "draw n"]:
    """Scores of n words drawn at random, which any ranking that says something must beat."""
    return np.random.default_rng(seed).random((draws, n))


def bootstrap_interval(values: Sequence[float] | Shaped[ndarray, " n"]) -> tuple[float, float]:
    """The 95% bootstrap interval of a mean over texts; values that are NaN are left out.

    Raises:
        ValueError: fewer than two values.
    """
    array = np.asarray(values, float)
    array = array[np.isfinite(array)]
    if len(array) < 2:
        raise ValueError(f"values holds {len(array)} numbers, wanted at least two")
    from scipy.stats import bootstrap

    result = bootstrap((array,), np.mean, n_resamples=1000, method="percentile", rng=np.random.default_rng(0))
    return float(result.confidence_interval.low), float(result.confidence_interval.high)
