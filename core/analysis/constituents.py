"""Tests whether the phrases that a layer selects are constituents of a parse tree more often than chance.

A network that selects many words need not compose anything: many neighbours are then selected together by chance. So
every selected phrase of two words or more is compared with all runs of as many words in its sentence.
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float
from numpy import ndarray

from core.analysis.intervals import RESAMPLES
from core.analysis.phrases import phrases

ALL = "all layers"
MIN_WORDS = 2  # words in a phrase that is compared; every single word is a constituent

Span = tuple[int, int]  # first word and end


@dataclass(frozen=True)
class Constituents:
    """Counts of constituents among the selected phrases of two words or more.

    Args:
        n: number of these phrases.
        share: share of these phrases that are constituents.
        by_chance: share of constituents among runs of the same lengths at random places in the same sentences.
        low, high: 95% interval of ``share - by_chance``, from the bootstrap over sentences.
    """

    n: int
    share: float
    by_chance: float
    low: float
    high: float


def count(chosen: Bool[ndarray, "l i"], spans: Set[Span]) -> Float[ndarray, "l 3"]:
    """Count the selected phrases of two words or more, the constituents among them, and those expected by chance.

    Args:
        chosen: words that each layer selects in a sentence.
        spans: constituents of the sentence.
    """
    n_words, counts = chosen.shape[1], np.zeros((len(chosen), 3))
    for layer, row in enumerate(chosen):
        for start, end in phrases(row):
            if end - start >= MIN_WORDS:
                length = end - start
                starts = range(n_words - length + 1)
                by_chance = sum((first, first + length) in spans for first in starts) / len(starts)
                counts[layer] += 1, (start, end) in spans, by_chance
    return counts


def compare(counts: Float[ndarray, "s 3"]) -> Constituents:
    """Compare the share of constituents among a layer's phrases with chance.

    All values are 0 if there is no phrase.

    Args:
        counts: result of ``count`` for the layer in each sentence.
    """
    n, constituents, by_chance = counts.sum(0)
    if not n:
        return Constituents(0, 0.0, 0.0, 0.0, 0.0)
    n_sentences = len(counts)
    # How often each bootstrap sample contains each sentence.
    times = np.random.default_rng(0).multinomial(n_sentences, np.full(n_sentences, 1 / n_sentences), RESAMPLES)
    drawn = times @ counts
    drawn = drawn[drawn[:, 0] > 0]  # a sample without a phrase has no share
    low, high = np.quantile((drawn[:, 1] - drawn[:, 2]) / drawn[:, 0], [0.025, 0.975])
    return Constituents(int(n), float(constituents / n), float(by_chance / n), float(low), float(high))


def table(arrays: Mapping[str, ndarray]) -> pd.DataFrame:
    """The arrays "constituents" of ``core.measured.store`` as a table: one row per layer, and one for all layers."""
    layers = [str(layer + 1) for layer in range(len(arrays["selected"]))]
    by_layer = {name: [*arrays[name], np.nan] for name in ("selected", "length", "length_by_chance")}
    return pd.DataFrame(
        {
            "layer": [*layers, ALL],
            "phrases of 2 words or more": arrays["n"],
            "constituents": arrays["share"],
            "by chance": arrays["by_chance"],
            "difference": arrays["share"] - arrays["by_chance"],
            "from": arrays["low"],
            "to": arrays["high"],
            "words selected per sentence": by_layer["selected"],
            "mean length": by_layer["length"],
            "mean length by chance": by_layer["length_by_chance"],
        }
    )
