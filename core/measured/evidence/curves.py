"""The curves of one text: the probability of its answer as words are deleted one by one, and as they are given."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from core.analysis.faithfulness import (
    DROP_ONE,
    Curves,
    TextCurves,
    even_counts,
    group_of,
    masks,
    random_orders,
    without_each,
)
from core.networks.probe import Probe, Tell

DRAWS = 20  # random orders of one text
MAX_READ = {"masked": 120_000, "removed": 30_000}  # words that a network reads, about, for the curves of one text


@dataclass(frozen=True)
class Amount:
    """The amount of work for the curves of a text.

    Args:
        points: points per curve, at equal distances.
        groups: groups of neighbouring words; drop-one deletes a whole group at once.
        draws: random orders, half of them the reverse of the others.
    """

    points: int
    groups: int
    draws: int = DRAWS

    @classmethod
    def within(cls, n: int, n_rankings: int, way: str) -> "Amount":
        """The amount for which a network reads about ``MAX_READ`` words, a quarter of them for drop-one.

        To delete one group of a text of n words, a network reads about n words. It also reads about n words for one
        point on both curves of an order; these runs serve the reverse order too.
        """
        groups = MAX_READ[way] // 4 // n
        points = MAX_READ[way] * 3 // 4 // (n * (n_rankings + 1 + DRAWS // 2))
        return cls(*(max(2, min(n, wanted)) for wanted in (points, groups)))


def curves_of(read: Probe, way: str, unit: str, amount: Amount | None = None, tell: Tell | None = None) -> TextCurves:
    """The curves of each ranking of a text's words, and of random orders.

    Args:
        read: probe of the text.
        way: "masked" or "removed".
        unit: name of the parts, in the singular.
        amount: amount of work; everything if None.
        tell: function to call with the finished share. An error that it raises ends the runs; ``read`` keeps the
            finished ones.

    Raises:
        ValueError: the text has fewer than two words (or sentences, or places).
    """
    n, answer = len(read.parts), getattr(read, way)
    if n < 2:
        raise ValueError(f"This text has only one {unit}, so there is no order in which {unit}s could be deleted.")
    amount = amount or Amount(n, n)
    counts, last = even_counts(n, amount.points), 1 / (len(read.rankings) + 1 + amount.draws // 2)

    def run(left: Bool[ndarray, "m n"], first: float, share: float) -> Float[ndarray, " m"]:
        """The answer's probability with these words left. The runs are this share of all work, after ``first``."""
        return answer(left, tell and (lambda done: tell(first + share * done)))[:, read.answer]

    singly = without_each(n, amount.groups)  # for drop-one
    orders = [*read.rankings.values(), *random_orders(n, amount.draws)]
    p = run(np.concatenate([singly, *(masks(scores, counts) for scores in orders)]), 0, 1 - last)
    lost = (p[0] - p[1 : len(singly)])[group_of(n, amount.groups)]
    p = np.concatenate([p[len(singly) :], run(masks(lost, counts), 1 - last, last)])
    *paths, drop_one_path = (Curves(counts, *both) for both in p.reshape(-1, 2, len(counts)))
    by_name = dict(zip(read.rankings, paths, strict=False)) | {DROP_ONE: drop_one_path}
    at_random = paths[len(read.rankings) :]
    return TextCurves(
        read.parts,
        unit,
        read.answer,
        read.rankings | {DROP_ONE: lost},
        by_name,
        np.stack([path.deletion for path in at_random]),
        np.stack([path.insertion for path in at_random]),
        amount.groups,
    )
