"""The faithfulness of each ranking of one text's words, for both ways to delete a word."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Bool
from numpy import ndarray

from core.analysis.faithfulness import (
    DROP_ONE,
    Curves,
    Predict,
    counts_to_delete,
    drop_one,
    masks,
    random_scores,
    summarize,
    tau,
)
from core.analysis.plausibility import average_precision, f1_of_first
from core.checkpoint import Checkpoint
from core.inputs.text import as_typed
from core.measured.evidence.probes import probe
from core.measured.evidence.record import RANDOM
from core.networks.probe import Answer, Probe, Sample

MAX_COUNTS = 8  # points of a curve over a longer text; those of ``SHARES`` come on top
WAYS = ("masked", "removed")
PHRASES = ("average_precision", "f1")
FIGURES = ("comprehensiveness", "sufficiency", "aopc", "deletion", "insertion", "tau")


@dataclass(frozen=True)
class Marks:
    """Words that people marked in a text.

    Args:
        words: whether each word is marked.
        share: mean share of marked words in a text; the same share of a ranking is compared with them.
    """

    words: Sequence[bool]
    share: float

    def first(self, n: int | None) -> "Marks":
        """The marks of the first n words, or of all if None."""
        return Marks(self.words[:n], self.share)


def measure_text(checkpoint: Checkpoint, sample: Sample, seed: int, marks: Marks | None = None) -> dict[str, Any]:
    """Measure ``FIGURES`` for each way of deletion and each ranking; empty for a text of one word.

    Args:
        sample: sample, as in ``probe``.
        seed: seed of the random ranking.
        marks: words that people marked. They add "phrases" to the result: average precision and F1 of each ranking.
    """
    read = probe(checkpoint, sample)
    if len(read.parts) < 2:
        return {}
    rankings = rankings_of(read, probability(read, "masked"), seed)
    masked = _measure_way(read, "masked", rankings)
    row = {"masked": masked, "removed": masked}
    if read.removed is not read.masked:
        row["removed"] = _measure_way(read, "removed", rankings_of(read, probability(read, "removed"), seed))
    if marks is not None and isinstance(sample, list):
        marked = marked_tokens(sample, marks.words, read.parts)
        if marked.any():
            row["phrases"] = {name: _plausibility(scores, marked, marks.share) for name, scores in rankings.items()}
    return row


def _plausibility(scores: ndarray, marked: ndarray, share: float) -> dict[str, Any]:
    """The agreement of a ranking with the marked words."""
    precision, f1 = average_precision(scores, marked), f1_of_first(scores, marked, share)
    return {"average_precision": _plain(precision), "f1": _plain(f1)}


def marked_tokens(words: list[str], marked: Sequence[bool], tokens: list[str]) -> Bool[ndarray, " n"]:
    """Whether each token holds a marked word. A token is a word, or several words that a transformer reads as one."""
    if len(tokens) == len(words):
        return np.array(marked)
    text = as_typed(words)
    places = _places([as_typed([word]) for word in words], text)
    spans = [place for place, is_marked in zip(places, marked, strict=True) if is_marked]
    return np.array([any(a < end and start < b for a, b in spans) for start, end in _places(tokens, text)])


def _places(parts: list[str], text: str) -> list[tuple[int, int]]:
    """The start and end of each part in a text that contains the parts in order."""
    places, end = [], 0
    for part in parts:
        start = text.index(part, end)
        end = start + len(part)
        places.append((start, end))
    return places


def _curves(rankings: Sequence[ndarray], predict: Predict, most: int) -> list[Curves]:
    """The curves of several rankings of the same words, from one call of ``predict``."""
    counts = counts_to_delete(len(rankings[0]), most)
    p = predict(np.concatenate([masks(scores, counts) for scores in rankings]))
    return [Curves(counts, *both) for both in p.reshape(len(rankings), 2, len(counts))]


def probability(read: Probe, way: str) -> Predict:
    """A function that returns the probability of the answered class, with words deleted in this way."""
    answer: Answer = getattr(read, way)
    return lambda masks: answer(masks)[:, read.answer]


def rankings_of(read: Probe, predict: Predict, seed: int) -> dict[str, ndarray]:
    """The network's own rankings, the ranking by drop-one and a random one."""
    n = len(read.parts)
    return read.rankings | {DROP_ONE: drop_one(n, predict), RANDOM: random_scores(n, 1, seed)[0]}


def _measure_way(read: Probe, way: str, rankings: dict[str, ndarray]) -> dict[str, dict[str, Any]]:
    """Measure the figures of each ranking for one way of deletion."""
    predict, figures = probability(read, way), {}
    for (name, scores), path in zip(
        rankings.items(), _curves(list(rankings.values()), predict, MAX_COUNTS), strict=True
    ):
        figures[name] = {key: _plain(value) for key, value in summarize(path)._asdict().items()}
        figures[name]["tau"] = _plain(tau(scores, rankings[DROP_ONE]))
    return figures


def _plain(value: Any) -> Any:
    """Numbers as JSON has them; None for NaN and infinity."""
    if isinstance(value, ndarray):
        return [_plain(float(v)) for v in value]
    return round(float(value), 6) if np.isfinite(value) else None
