"""Measures whether a ranking of words begins with the words that people marked.

This shows what people expect, not what a network's answer depends on: a faithful ranking need not be plausible.
"""

from jaxtyping import Bool, Float
from numpy import ndarray

from core.analysis.faithfulness import rank


def average_precision(scores: Float[ndarray, " n"], marked: Bool[ndarray, " n"]) -> float:
    """The area under precision over recall as the words are taken in the order of the ranking.

    Source: DeYoung et al. 2020 (ERASER), section 4, AUPRC.
    """
    from sklearn.metrics import average_precision_score  # takes a second to import

    return float(average_precision_score(marked, scores))


def f1_of_first(scores: Float[ndarray, " n"], marked: Bool[ndarray, " n"], share: float) -> float:
    """F1 of a ranking's top words against the marked words, of which there must be at least one.

    Args:
        share: share of the words to take; their number is rounded and at least one.
    """
    taken = rank(scores)[: max(1, round(share * len(scores)))]
    return float(2 * marked[taken].sum() / (len(taken) + marked.sum()))
