"""Sentences on the units of a network: what one means, takes and does, and which others are alike."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy import ndarray

from core.sentences.words import capital, listed

UnitArrays = Mapping[str, ndarray]  # the arrays "units" of ``core.measured.store``
TAKES, ACTIVE = "takes", "active"  # the two aims of a rule
NO_RULE = "no simple rule"
INPUTS = {"text": "word", "pictures": "place"}  # what units take from, by what a network reads
SAMPLES = {"word": "text", "place": "pair"}  # what a network reads as a whole, by its inputs
MAX_NAMED = 3  # units that are named in a row
STATIC, CHANGING = 0.2, 0.6  # shares of variance between texts
WEAK = 0.03  # gain in accuracy below which a rule is called weak
SHOWN = 0.0005  # a smaller effect would be printed as 0.0 points
MOSTLY = 0.5  # a unit that does nothing in more texts than this has no name


def label(kept: UnitArrays, u: int, unit: str) -> str:
    """The number of a unit with its name, if it has one. Arguments as in ``meaning``."""
    name = name_of(kept, u)
    return f"{unit} {kept['numbers'][u]}{f' · {name}' * bool(name)}"


def is_idle(kept: UnitArrays, u: int) -> bool:
    """Whether a unit does nothing in most texts."""
    return float(kept["idle"][u]) > MOSTLY


def does_nothing(kept: UnitArrays, u: int) -> bool:
    """Whether a unit does nothing in any text, so that what it takes has no use."""
    return float(kept["idle"][u]) >= 1


def name_of(kept: UnitArrays, u: int) -> str:
    """The name that a rule gave to a unit; "" if it has none, or does nothing in most texts."""
    return "" if is_idle(kept, u) else str(kept["names"][u])


def meaning(kept: UnitArrays, u: int, unit: str) -> str:
    """The meaning of a unit in a few words: its name, a rule that is no name of its own, or that there is none.

    Args:
        kept: arrays of all units.
        u: row of the unit.
        unit: unit in the singular, such as "capsule".
    """
    alike = str(kept["alike"][u]).split()
    if is_idle(kept, u):
        return "does nothing in most cases"
    if name := name_of(kept, u):
        return name
    is_good = kept["low"][u] > 0 and alike
    return f"no name of its own ({kept['rules'][u]}, like {_others(alike, unit)})" if is_good else NO_RULE


def say_meaning(kept: UnitArrays, u: int, unit: str) -> str:
    """A unit with its meaning in a few words. Arguments as in ``meaning``."""
    return f"{capital(unit)} {kept['numbers'][u]}: {meaning(kept, u, unit)}"


def _others(numbers: Sequence[str], unit: str) -> str:
    """Other units: their numbers, or how many there are."""
    if len(numbers) > MAX_NAMED:
        return f"{len(numbers)} other {unit}s"
    return f"{unit}{'s' * (len(numbers) > 1)} {listed(numbers)}"


def say_rule(kept: UnitArrays, u: int, unit: str, input: str = "word") -> str:
    """One sentence on the rule that fits a unit best, with its accuracy, and on units that are alike.

    Args:
        kept, u, unit: as in ``meaning``.
        input: an input of the network in the singular, such as "word".
    """
    rule, aim, alike = str(kept["rules"][u]), str(kept["aims"][u]), str(kept["alike"][u])
    accuracy, base = float(kept["accuracy"][u]), float(kept["base"][u])
    of = f"{input}s" if aim == TAKES else f"{SAMPLES[input]}s"
    if does_nothing(kept, u):
        return f"It does nothing in any {SAMPLES[input]}, so no rule is given for what it takes or when it is active."
    numbers = f"is right for {accuracy:.1%} of the {of} kept apart; always giving the usual answer, for {base:.1%}."
    if kept["low"][u] <= 0:
        return f"No simple rule says what it takes or when it is active. The best one, “{rule}”, {numbers}"
    verb = f"It takes {rule}" if aim == TAKES else f"It is active in {_texts(rule, of)}"
    says = f"{verb}. This {'weak ' * (accuracy - base < WEAK)}rule {numbers}"
    if name_of(kept, u):
        return says
    if is_idle(kept, u):
        return f"{says} We do not name it by that, since the {unit} does nothing in most {SAMPLES[input]}s."
    fits = f"It also fits {_others(alike.split(), unit)} best" if alike else f"The rule of another {unit} fits better"
    return f"{says} {fits}, so we do not name it by that."


def _texts(rule: str, of: str) -> str:
    """The texts, or pairs of pictures, that a rule holds for, in words."""
    if rule.endswith(" texts"):
        return rule
    if rule.endswith(" answers"):
        return f"{of} that are answered “{rule.removesuffix(' answers')}”"
    return f"texts with {rule}"


def say_effect(kept: UnitArrays, u: int, classes: Sequence[str], unit: str, input: str = "word") -> str:
    """Two sentences on what the removal of a unit does to the classes. Arguments as in ``say_rule``."""
    effect, low, high = (kept[name][u] for name in ("effect", "effect_low", "effect_high"))
    sure = np.flatnonzero((low > 0) | (high < 0))
    most = sorted((k for k in sure if abs(effect[k]) >= SHOWN), key=lambda k: -abs(effect[k]))[:2]
    moves = listed(_moves([(float(effect[k]), classes[k]) for k in most]))
    flips, idle = float(kept["flips"][u]), float(kept["idle"][u])
    ends = f"Without it, {flips:.1%} of the answers change."
    if is_idle(kept, u):
        on_average = f"; on average over all, it {moves}" if moves else ""
        return f"It does nothing in {idle:.0%} of the {SAMPLES[input]}s{on_average}. {ends}"
    if moves:
        return f"It {moves}. {ends}"
    chance = "0.1 points" if len(sure) else "more than chance"
    return f"On average this {unit} moves no class by {chance}. {ends}"


def _moves(changes: Sequence[tuple[float, str]]) -> list[str]:
    """Changes of probabilities of classes, in words; a verb is not repeated."""
    said, before = [], 0.0
    for change, name in changes:
        verb, end = ("adds ", "to") if change > 0 else ("takes ", "from")
        is_again = change * before > 0
        said.append(f"{verb * (not is_again)}{abs(100 * change):.1f}{' points' * (not is_again)} {end} “{name}”")
        before = change
    return said


def say_static(kept: UnitArrays, u: int, input: str = "word") -> str:
    """One sentence on how far what a unit takes of an input depends on the text. Arguments as in ``say_rule``."""
    between, sample = float(kept["between"][u]), SAMPLES[input]
    if between < STATIC:
        says = f"it takes nearly the same from a {input} in every {sample}"
    elif between < CHANGING:
        says = f"what it takes depends on the {input} and on the {sample}"
    else:
        says = f"what it takes from a {input} depends mostly on the {sample}"
    return f"{between:.0%} of the variance lies between {sample}s: {says}."


def nearest(kept: UnitArrays, u: int) -> tuple[int, float] | None:
    """The row of the unit that takes the most similar words, and the correlation; None if there is only one unit."""
    overlap = kept["overlap"][u].astype(float)
    overlap[u] = -np.inf
    v = int(overlap.argmax())
    return (v, float(overlap[v])) if len(overlap) > 1 else None


def most_taken(kept: UnitArrays, u: int, n: int) -> list[str]:
    """The n words, or places, of which a unit takes most."""
    order = np.argsort(-kept["lift"][u].astype(float), kind="stable")[:n]
    return [str(word) for word in kept["words"][order]]
