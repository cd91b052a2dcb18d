"""Sentences on a unit in one text of the user: what it takes, how active it is, and what it does to the answer."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from core.sentences.words import listed, quote

N_WORDS = 3  # words that are named


def say_shares(words: Sequence[str], shares: Float[ndarray, " i"]) -> str:
    """One sentence on the words of a text that a unit takes most of.

    Args:
        words: words of the text.
        shares: part of what the unit takes in the text that comes from each word; all 0 if it takes nothing.
    """
    if not shares.any():
        return "It takes nothing from this text."
    order = [int(i) for i in np.argsort(-shares, kind="stable")[:N_WORDS] if shares[i] > 0]
    most = listed([f"{quote(words[i])} ({shares[i]:.0%})" for i in order])
    return f"Of all that it takes in this text, most comes from {most}; an equal part would be {1 / len(words):.0%}."


def say_activation(activation: float, quantiles: Float[ndarray, " 11"], n: int, samples: str) -> str:
    """One sentence on where the activation of a unit in a text is among those in the texts that were measured.

    Args:
        activation: activation in the text.
        quantiles: its quantiles at 0, 10%, .., 100% in the texts that were measured.
        n: number of these texts.
        samples: these texts in the plural, such as "texts".
    """
    of = f"the {n:,} {samples} that were measured ({activation:.2f})"
    same = int((quantiles == activation).sum()) - 1
    if same > 0:
        return f"Its activation is the same as in at least {same * 10}% of {of}."
    if activation > quantiles[-1]:
        return f"Its activation is stronger than in any of {of}."
    tenth = int((quantiles[1:-1] < activation).sum())
    if tenth in (0, 9):
        return f"Its activation is in the {'strongest' if tenth else 'weakest'} tenth of {of}."
    return f"Its activation is stronger than in {tenth * 10}% to {tenth * 10 + 10}% of {of}."


def say_without(before: Float[ndarray, " k"], without: Float[ndarray, " k"], classes: Sequence[str]) -> str:
    """One sentence on the answer to a text if a unit is removed.

    Args:
        before, without: class probabilities with the unit, and without it.
        classes: names of the classes.
    """
    k, now = int(before.argmax()), int(without.argmax())
    if now != k:
        return f"Without it, the answer is {quote(classes[now])} ({without[now]:.1%}), not {quote(classes[k])}."
    first, then = f"{before[k]:.1%}", f"{without[k]:.1%}"
    if first == then:
        return f"Without it, the answer is the same: {quote(classes[k])} ({then})."
    return f"Without it, the answer {quote(classes[k])} goes from {first} to {then}."
