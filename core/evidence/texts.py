"""How faithful each ranking of one text's words is, for both ways to delete a word."""

from typing import Any

import numpy as np
from numpy import ndarray

from core.analysis.faithfulness import Predict, curves, drop_one, random_scores, summarize, tau
from core.checkpoint import Checkpoint
from core.evidence.probes import Answer, Probe, probe

MOST_COUNTS = 12  # points of a curve over a longer text
WAYS = ("masked", "removed")
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
