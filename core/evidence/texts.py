"""How faithful each ranking of one text's words is, for both ways to delete a word."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import ndarray

from core.analysis.faithfulness import (
    Curves,
    Predict,
    counts_to_delete,
    curves,
    drop_one,
    masks,
    random_scores,
    summarize,
    tau,
)
from core.checkpoint import Checkpoint
from core.evidence.probes import Answer, Probe, probe

MOST_COUNTS = 12  # points of a curve over a longer text
WAYS = ("masked", "removed")
DRAWS = 20  # random orders of one text
DROP_ONE, RANDOM = "drop-one", "random"
FIGURES = ("comprehensiveness", "sufficiency", "aopc", "deletion", "insertion", "tau")


def measure_text(checkpoint: Checkpoint, words: list[Any], seed: int) -> dict[str, dict[str, dict[str, Any]]]:
    """The figures of ``FIGURES`` by way of deletion and ranking; none for a text of one word.

    Args:
        words: as ``probe`` takes them.
        seed: of the random ranking.
    """
    read = probe(checkpoint, words)
    if len(read.words) < 2:
        return {}
    return {way: _of_way(read, probability(read, way), seed) for way in WAYS}


@dataclass(frozen=True, eq=False)
class TextCurves:
    """The curves of one text.

    Args:
        words: that are ranked.
        answer: the class whose probability the curves are of.
        scores: of each ranking.
        curves: of each ranking; of ``RANDOM`` there are none.
        deletion, insertion: of ``DRAWS`` random orders [draw, c].
    """

    words: list[str]
    answer: int
    scores: dict[str, ndarray]
    curves: dict[str, Curves]
    deletion: ndarray
    insertion: ndarray


def curves_of_text(checkpoint: Checkpoint, text: str, way: str, most: int) -> TextCurves:
    """The curves of each ranking of a text's words, and of random orders.

    Args:
        way: one of ``WAYS``.
        most: points of a curve.

    Raises:
        ValueError: the text has fewer than two words.
    """
    read = probe(checkpoint, text)
    n = len(read.words)
    if n < 2:
        raise ValueError("This text has one word alone: there is no order in which words could be deleted.")
    predict = probability(read, way)
    scores = read.rankings | {DROP_ONE: drop_one(n, predict)}
    draws = random_scores(n, DRAWS)
    counts = counts_to_delete(n, most)
    every = [masks(of_ranking, counts) for of_ranking in (*scores.values(), *draws)]
    p = predict(np.concatenate(every)).reshape(len(every), 2, len(counts))
    of_rankings = {name: Curves(counts, *p[k]) for k, name in enumerate(scores)}
    return TextCurves(read.words, read.answer, scores, of_rankings, p[len(scores) :, 0], p[len(scores) :, 1])


def probability(read: Probe, way: str) -> Predict:
    """The probability of the answered class with words deleted in this way."""
    answer: Answer = getattr(read, way)
    return lambda masks: answer(masks)[:, read.answer]


def rankings_of(read: Probe, predict: Predict, seed: int) -> dict[str, ndarray]:
    """The network's own rankings, drop-one and one at random."""
    n = len(read.words)
    return read.rankings | {DROP_ONE: drop_one(n, predict), RANDOM: random_scores(n, 1, seed)[0]}


def _of_way(read: Probe, predict: Predict, seed: int) -> dict[str, dict[str, Any]]:
    rankings = rankings_of(read, predict, seed)
    figures = {}
    for name, scores in rankings.items():
        found = summarize(curves(scores, predict, MOST_COUNTS))
        figures[name] = {key: _plain(value) for key, value in found._asdict().items()}
        figures[name]["tau"] = _plain(tau(scores, rankings[DROP_ONE]))
    return figures


def _plain(value: Any) -> Any:
    """Numbers as JSON has them; None where there is none."""
    if isinstance(value, ndarray):
        return [_plain(float(v)) for v in value]
    return round(float(value), 6) if np.isfinite(value) else None
