"""Measures of the units of a network over many texts: capsules, parts, layers or components."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from core.analysis.intervals import QUANTILE

MIN_COUNT = 5  # occurrences from which a word is described
MAX_WORDS = 5000  # the most frequent words are described
MIN_CHANGE = 0.001  # a unit is idle in a text if its removal changes every probability by less
MIN_TAKEN = 2.0  # a unit takes a word from this many times what it takes on average from a word of the text
ACTIVE_QUANTILE = 0.75  # a unit is active in a text if its activation is above this quantile
N_DECILES, PER_DECILE, N_TOP = 10, 3, 4  # texts that are kept of each tenth, and words of each text


@dataclass(frozen=True, eq=False)
class Words:
    """All inputs of many texts, one after the other.

    Args:
        names: the distinct inputs, such as lower-case words.
        name_of: index of each input's name.
        text_of: index of each input's text.
        amount: amount that each unit takes from it, relative to the mean over its text; 0 where it takes nothing.
    """

    names: list[str]
    name_of: Int[ndarray, " n"]
    text_of: Int[ndarray, " n"]
    amount: Float[ndarray, "n u"]

    @property
    def frequent(self) -> Int[ndarray, " w"]:
        """The indices of the names that are described, the most frequent first."""
        counts = np.bincount(self.name_of, minlength=len(self.names))
        order = np.argsort(-counts, kind="stable")
        return order[counts[order] >= MIN_COUNT][:MAX_WORDS]


def relative(taken: Float[ndarray, "u i"]) -> Float[ndarray, "u i"]:
    """The amounts that units take, each divided by the unit's mean over the inputs; 0 for a unit that takes nothing."""
    mean = taken.mean(1, keepdims=True)
    return np.divide(taken, mean, out=np.zeros_like(taken), where=mean > 0)


def gather(names: Sequence[Sequence[str]], amounts: Sequence[Float[ndarray, "u i"]]) -> Words:
    """Put the inputs of many texts in a row.

    Args:
        names: names of the inputs of each text.
        amounts: relative amounts of each text.
    """
    index = {name: k for k, name in enumerate(Counter(name for text in names for name in text))}
    name_of = np.array([index[name] for text in names for name in text])
    text_of = np.repeat(np.arange(len(names)), [len(text) for text in names])
    return Words(list(index), name_of, text_of, np.concatenate(amounts, 1).T)


def lift(words: Words, chosen: Int[ndarray, " w"]) -> Float[ndarray, "u w"]:
    """The mean amount that each unit takes from each chosen word: 1 is as much as from an average word of its text."""
    counts = np.bincount(words.name_of, minlength=len(words.names))
    sums = np.zeros((len(words.names), words.amount.shape[1]))
    np.add.at(sums, words.name_of, words.amount)
    return (sums[chosen] / counts[chosen, None]).T


def between_texts(words: Words) -> Float[ndarray, " u"]:
    """The share of the amounts' variance that lies between texts: between occurrences of the same word.

    It is 0 for a static unit, which takes the same amount from a word in every text, and 1 for one whose amounts say
    nothing about the word. Rare words are left out.

    Source: the static routing of Mitterreiter et al. 2023, "Why Capsule Neural Networks Do Not Scale", measured by
        word, since words have no fixed places in texts.
    """
    is_kept = np.isin(words.name_of, words.frequent)
    amount, groups = words.amount[is_kept], np.unique(words.name_of[is_kept], return_inverse=True)[1]
    if len(amount) < 2:
        return np.zeros(words.amount.shape[1])
    counts = np.bincount(groups)
    means = np.zeros((len(counts), amount.shape[1]))
    np.add.at(means, groups, amount)
    means /= counts[:, None]
    within = ((amount - means[groups]) ** 2).sum(0) / max(1, len(amount) - len(counts))
    total = amount.var(0, ddof=1)
    return np.clip(np.divide(within, total, out=np.zeros_like(total), where=total > 0), 0, 1)


def evenness(taken: Float[ndarray, "u i"]) -> Float[ndarray, " u"]:
    """The entropy of what each unit takes as a part of that of equal amounts: 1 if all are equal, 0 if one has all.

    It is 1 for a text of one input, and 0 for a unit that takes nothing.
    """
    total = taken.sum(1, keepdims=True)
    shares = np.divide(taken, total, out=np.zeros_like(taken), where=total > 0)
    if shares.shape[1] == 1:
        return np.ones(len(shares))
    bits = -(shares * np.log2(np.where(shares > 0, shares, 1))).sum(1)
    return bits / np.log2(shares.shape[1])


@dataclass(frozen=True, eq=False)
class Effects:
    """The changes of the classes when each unit is removed.

    Args:
        effect: mean probability of each class with the unit minus that without it.
        low, high: 95% interval of it, over the texts.
        matters: mean change of the answer's probability, in either direction.
        flips: share of texts whose answer becomes another class.
        idle: share of texts in which no class changes by ``MIN_CHANGE``.
    """

    effect: Float[ndarray, "u k"]
    low: Float[ndarray, "u k"]
    high: Float[ndarray, "u k"]
    matters: Float[ndarray, " u"]
    flips: Float[ndarray, " u"]
    idle: Float[ndarray, " u"]


def effects(probabilities: Float[ndarray, "n k"], without: Float[ndarray, "n u k"]) -> Effects:
    """The changes of the classes when each unit is removed, over n texts."""
    change = probabilities[:, None] - without
    mean, half = change.mean(0), QUANTILE * change.std(0, ddof=1) / np.sqrt(len(change))
    answer = probabilities.argmax(1)
    of_answer = np.take_along_axis(change, answer[:, None, None], 2)[..., 0]
    return Effects(
        effect=mean,
        low=mean - half,
        high=mean + half,
        matters=np.abs(of_answer).mean(0),
        flips=(without.argmax(2) != answer[:, None]).mean(0),
        idle=(np.abs(change).max(2) < MIN_CHANGE).mean(0),
    )


def active(activation: Float[ndarray, "n u"]) -> Bool[ndarray, "n u"]:
    """Whether each unit is active in each text: its activation is in the highest quarter."""
    return activation > np.quantile(activation, ACTIVE_QUANTILE, axis=0)


def deciles(activation: Float[ndarray, "n u"]) -> Int[ndarray, "u d m"]:
    """The texts that stand for each tenth of a unit's activation, the lowest first: evenly spaced in the tenth.

    With fewer texts than places, some are repeated.
    """
    order = np.argsort(activation, axis=0, kind="stable")
    share = (np.arange(N_DECILES)[:, None] + (np.arange(PER_DECILE) + 0.5) / PER_DECILE) / N_DECILES
    return np.moveaxis(order[(share * len(activation)).astype(int)], 2, 0)


def overlap(lifts: Float[ndarray, "u w"]) -> Float[ndarray, "u v"]:
    """The correlation of what two units take from the words; 0 for a unit that takes the same from all."""
    return cosines(lifts - lifts.mean(1, keepdims=True)) if lifts.shape[1] else np.zeros((len(lifts), len(lifts)))


def cosines(vectors: Float[ndarray, "u h"]) -> Float[ndarray, "u v"]:
    """The cosine of each two units' vectors in one text; 0 for a vector of zeros."""
    norm = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = np.divide(vectors, norm, out=np.zeros_like(vectors), where=norm > 0)
    return np.clip(unit @ unit.T, -1, 1)
