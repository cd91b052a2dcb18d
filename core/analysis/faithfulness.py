"""Measures whether a ranking of words shows which words a network's answer depends on.

A ranking is faithful if the answer soon changes when its top words are deleted, and soon appears when only its top
words are given. All functions work on arrays; the caller defines what deleting a word means.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int, Real, Shaped
from numpy import ndarray

DROP_ONE = "drop-one"  # name of the ranking by ``drop_one``
SHARES = (0.01, 0.05, 0.1, 0.2, 0.5)  # shares of the words (DeYoung et al. 2020, ERASER)

Predict = Callable[[Bool[ndarray, "m n"]], Float[ndarray, " m"]]


class Faithfulness(NamedTuple):
    """The faithfulness of one ranking of a text's words. p is the probability of the predicted class.

    Args:
        comprehensiveness: p minus p without the top words of the ranking, for each of ``SHARES``; high is good.
        sufficiency: p minus p with only these top words; low is good.
        aopc: mean comprehensiveness over ``SHARES``.
        deletion: area under p as words are deleted in the order of the ranking; low is good.
        insertion: area under p as words are given in the order of the ranking; high is good.
    """

    comprehensiveness: Float[ndarray, " share"]
    sufficiency: Float[ndarray, " share"]
    aopc: float
    deletion: float
    insertion: float


class Curves(NamedTuple):
    """p as a function of the number of words deleted, and of the number given, out of n.

    Args:
        counts: numbers of words, ascending from 0.
        deletion: p with each of these numbers of words deleted.
        insertion: p with each of these numbers of words given, from the second count on, and then with all n.
    """

    counts: Int[ndarray, " c"]
    deletion: Float[ndarray, " c"]
    insertion: Float[ndarray, " c"]


@dataclass(frozen=True, eq=False)
class TextCurves:
    """The deletion and insertion curves of one text.

    Args:
        parts: ranked parts: words, sentences or places.
        unit: name of a part, in the singular.
        answer: class whose probability the curves show.
        scores: scores of the parts by ranking.
        curves: curves by ranking, except random orders.
        deletion, insertion: curves of random orders [draw, c].
        groups: number of groups of neighbours deleted together for drop-one; equal to the number of parts if each was
            deleted separately.
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

    def n_beaten(self, ranking: str) -> int:
        """The number of random orders in which the answer falls more slowly than in the order of a ranking."""
        path = self.curves[ranking]
        ours = area(path.deletion, path.counts)
        return sum(area(draw, path.counts) > ours for draw in self.deletion)

    def n_beaten_back(self, ranking: str) -> int:
        """The number of random orders in which the answer returns more slowly than in the order of a ranking."""
        path = self.curves[ranking]
        counts = np.append(path.counts[1:], len(self.parts))
        ours = area(path.insertion, counts)
        return sum(area(draw, counts) < ours for draw in self.insertion)

    @property
    def is_grouped(self) -> bool:
        """Whether several parts were deleted together for drop-one."""
        return self.groups < len(self.parts)


def rank(scores: Float[ndarray, " n"]) -> Int[ndarray, " n"]:
    """The indices of the words from the highest score to the lowest; ties keep the order of the text."""
    return np.argsort(-np.asarray(scores), kind="stable")


def n_deleted(share: float, n: int) -> int:
    """The number of words in a share of n words: at least one, and never all of them."""
    return min(max(1, math.ceil(share * n)), n - 1)


def counts_to_delete(n: int, most: int | None = None) -> Int[ndarray, " c"]:
    """The numbers of words deleted at the points of a curve: 0 to n - 1.

    Args:
        most: number of evenly spaced counts to keep if the text is longer; the counts of ``SHARES`` are kept too.
    """
    if most is None or n <= most:
        return np.arange(n)
    return np.unique([*np.linspace(0, n - 1, most).round().astype(int), *(n_deleted(share, n) for share in SHARES)])


def even_counts(n: int, points: int) -> Int[ndarray, " c"]:
    """Evenly spaced counts of words, from 0 to below n; every count if ``points`` is n."""
    return np.linspace(0, n, points + 1)[:-1].round().astype(int)


def masks(scores: Float[ndarray, " n"], counts: Int[ndarray, " c"] | None = None) -> Bool[ndarray, "texts n"]:
    """Masks of the remaining words at each point of ``Curves``, first for deletion, then for insertion.

    Args:
        counts: numbers of deleted words, as in ``Curves``; 0 to n - 1 unless given.

    Raises:
        ValueError: there are fewer than two words, so none can be deleted.
    """
    n = len(scores)
    if n < 2:
        raise ValueError(f"scores has {n} words, wanted at least two, so that one can be deleted")
    place = np.empty(n, int)
    place[rank(scores)] = np.arange(n)
    deleted = counts_to_delete(n) if counts is None else counts
    given = np.append(deleted[1:], n)
    return np.concatenate([place >= deleted[:, None], place < given[:, None]])


def curves(scores: Float[ndarray, " n"], predict: Predict, most: int | None = None) -> Curves:
    """Compute p as words are deleted, and as they are given, in the order of their scores.

    Args:
        scores: score of each word; the highest comes first.
        predict: function that returns p for each row of remaining words.
        most: as in ``counts_to_delete``.
    """
    counts = counts_to_delete(len(scores), most)
    p = predict(masks(scores, counts))
    return Curves(counts, p[: len(counts)], p[len(counts) :])


def summarize(path: Curves) -> Faithfulness:
    """Compute the faithfulness of a ranking from its two curves.

    Sources: DeYoung et al. 2020, section 4 (comprehensiveness, sufficiency); Petsiuk et al. 2018 (areas).
    """
    n = int(path.counts[-1]) + 1
    points = np.searchsorted(path.counts, [n_deleted(share, n) for share in SHARES])
    p = path.deletion[0]
    # Insertion has no point for 0 words, so the point for a count comes one earlier.
    comprehensiveness, sufficiency = p - path.deletion[points], p - path.insertion[points - 1]
    given = np.append(path.counts[1:], n)
    return Faithfulness(
        comprehensiveness,
        sufficiency,
        float(comprehensiveness.mean()),
        area(path.deletion, path.counts),
        area(path.insertion, given),
    )


def area(p: Float[ndarray, " c"], counts: Int[ndarray, " c"] | None = None) -> float:
    """The mean height of a curve: its area by the trapezoidal rule, divided by its width.

    Args:
        counts: positions of its points; evenly spaced unless given.
    """
    x = np.arange(len(p)) if counts is None else counts
    return float(np.trapezoid(p, x) / (x[-1] - x[0]))


def drop_one(n: int, predict: Predict) -> Float[ndarray, " n"]:
    """The fall in p when each word is deleted, one at a time."""
    p = predict(without_each(n, n))
    return p[0] - p[1:]


def without_each(n: int, groups: int) -> Bool[ndarray, "masks n"]:
    """Masks of the remaining words: first with all of them, then without one group of neighbours at a time."""
    return np.concatenate([np.ones((1, n), bool), group_of(n, groups) != np.arange(groups)[:, None]])


def group_of(n: int, groups: int) -> Int[ndarray, " n"]:
    """The group index of each of n words when neighbours form this many groups of about equal size."""
    return np.arange(n) * groups // n


def tau(first: Real[ndarray, " n"], second: Real[ndarray, " n"]) -> float:
    """Kendall's tau-b of two scores of the same words: 1 for equal orders, -1 for reversed ones, NaN if one is flat."""
    from scipy.stats import kendalltau  # takes half a second to import

    return float(kendalltau(first, second).statistic)


def random_orders(n: int, draws: int) -> Float[ndarray, "draw n"]:
    """Random orders of n words, as scores. The second half are the orders of the first half, reversed.

    To delete words in one order is to give them in the reverse order, so an order and its reverse share their runs.

    Args:
        draws: number of orders, which is even.
    """
    scores = random_scores(n, draws // 2)
    return np.concatenate([scores, -scores])


def random_scores(n: int, draws: int, seed: int = 0) -> Float[ndarray, "draw n"]:
    """Random scores of n words, which any informative ranking must beat."""
    return np.random.default_rng(seed).random((draws, n))


def bootstrap_interval(values: Sequence[float] | Shaped[ndarray, " n"]) -> tuple[float, float]:
    """The 95% bootstrap interval of a mean over texts; NaN values are left out.

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
