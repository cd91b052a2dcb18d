"""Sentences on the units of a network: a name, what one takes and does, and which others are alike."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy import ndarray

from core.sentences.words import listed

Kept = Mapping[str, ndarray]  # the arrays "units" of ``core.measured.store``
TAKES, ACTIVE = "takes", "active"  # the two aims of a rule
NO_RULE = "no simple rule"
STATIC, CHANGING = 0.2, 0.6  # shares of variance between texts


def label(kept: Kept, u: int, unit: str) -> str:
    """The number of a unit with its name, if it has one.

    Args:
        u: row of the arrays.
        unit: unit in the singular, such as "capsule".
    """
    name = str(kept["names"][u])
    return f"{unit} {kept['numbers'][u]}{f' · {name}' * bool(name)}"


def say_rule(kept: Kept, u: int, unit: str) -> str:
    """One sentence on the rule that fits a unit best, with its accuracy, and on units that are alike."""
    rule, aim, alike = str(kept["rules"][u]), str(kept["aims"][u]), str(kept["alike"][u])
    accuracy, base = float(kept["accuracy"][u]), float(kept["base"][u])
    of = "words" if aim == TAKES else "texts"
    numbers = f"right for {accuracy:.1%} of {of} kept apart; always giving the usual answer: {base:.1%}"
    if kept["low"][u] <= 0:
        return f"No simple rule says what it takes or when it is active. The best one, {rule}, is {numbers}."
    verb = f"It takes {rule}" if aim == TAKES else f"It is active in {_texts(rule)}"
    if kept["names"][u]:
        return f"{verb}: {numbers}."
    if alike:
        return f"{verb}, like {unit} {listed(alike.split())}, so this is no name of its own: {numbers}."
    return f"{verb}: {numbers}. The rule of another {unit} fits it better, so this is not its name."


def _texts(rule: str) -> str:
    """The texts that a rule holds for, in words."""
    if rule.endswith(" texts"):
        return rule
    if rule.endswith(" answers"):
        return f"texts that are answered “{rule.removesuffix(' answers')}”"
    return f"texts with {rule}"


def say_effect(kept: Kept, u: int, classes: Sequence[str], unit: str) -> str:
    """One sentence on what the removal of a unit does to the classes."""
    effect, low, high = (kept[name][u] for name in ("effect", "effect_low", "effect_high"))
    sure = np.flatnonzero((low > 0) | (high < 0))
    flips, idle = float(kept["flips"][u]), float(kept["idle"][u])
    ends = f"Without it, {flips:.1%} of the answers change."
    if idle > 0.5:
        ends += f" In {idle:.0%} of the texts it does nothing."
    if not len(sure):
        return f"On average this {unit} moves no class by more than chance. {ends}"
    most = sorted(sure, key=lambda k: -abs(effect[k]))[:2]
    return f"It {listed([_move(float(effect[k]), classes[k]) for k in most])}. {ends}"


def _move(change: float, name: str) -> str:
    """A change of a class's probability, in words."""
    points = f"{abs(100 * change):.1f} points"
    return f"adds {points} to “{name}”" if change > 0 else f"takes {points} from “{name}”"


def say_static(kept: Kept, u: int) -> str:
    """One sentence on how far what a unit takes of a word depends on the text."""
    between = float(kept["between"][u])
    if between < STATIC:
        meaning = "it takes nearly the same from a word in every text"
    elif between < CHANGING:
        meaning = "what it takes depends on the word and on the text"
    else:
        meaning = "what it takes from a word depends mostly on the text"
    return f"{between:.0%} of the variance lies between texts: {meaning}."


def find_word(kept: Kept, word: str, unit: str) -> tuple[str, list[int]]:
    """A sentence on which units take a word most, and the rows of all units by what they take, the most first.

    Args:
        word: word in any case.
        unit: unit in the singular.
    """
    places = np.flatnonzero(kept["words"] == word.strip().lower())
    if not len(places):
        least = int(kept["counts"].min()) if len(kept["counts"]) else 0
        return f"“{word}” occurs fewer than {max(least, 5)} times in these texts, so nothing is known about it.", []
    lift = kept["lift"][:, places[0]].astype(float)
    order = np.argsort(-lift, kind="stable")
    named = [f"{kept['numbers'][u]} ({lift[u]:.1f} times an average word)" for u in order[:3]]
    count = int(kept["counts"][places[0]])
    return f"“{word}”, which occurs {count} times, is taken most by {unit} {listed(named)}.", order.tolist()


def nearest(kept: Kept, u: int) -> tuple[int, float] | None:
    """The row of the unit that takes the most similar words, and the correlation; None if there is only one unit."""
    overlap = kept["overlap"][u].astype(float)
    overlap[u] = -np.inf
    v = int(overlap.argmax())
    return (v, float(overlap[v])) if len(overlap) > 1 else None


def most_taken(kept: Kept, u: int, n: int) -> list[str]:
    """The n words, or places, of which a unit takes most."""
    order = np.argsort(-kept["lift"][u].astype(float), kind="stable")[:n]
    return [str(word) for word in kept["words"][order]]
