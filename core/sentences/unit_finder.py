"""Sentences that answer which unit of a network takes a word most, or is first in another way."""

from collections.abc import Callable, Sequence

import numpy as np

from core.sentences.units import SAMPLES, UnitArrays, nearest
from core.sentences.words import listed

MATTERS, MOST_STATIC, MOST_IDLE, TWIN = "matters most", "is most static", "is most often idle", "has the closest twin"
SPEAKS = "speaks most for "
MIN_COUNT = 5  # occurrences from which a word is described
Answer = tuple[str, int | None]  # a sentence, and the row of the unit; None without one


def find_word(kept: UnitArrays, word: str, unit: str, input: str = "word") -> Answer:
    """A sentence on the units that take a word most, and the row of the first.

    Args:
        kept: arrays "units" of ``core.measured.store``.
        word: word in any case.
        unit: unit in the singular, such as "capsule".
        input: an input of the network in the singular: "word", or "place" for a network of pictures.
    """
    word = " ".join(word.split())
    places = np.flatnonzero(kept["words"] == word.lower())
    if not len(places):
        return _unknown(kept, word, input), None
    lift = kept["lift"][:, places[0]].astype(float)
    order = np.argsort(-lift, kind="stable")
    first, *others = order[:3]
    named = [f"{kept['numbers'][first]} ({lift[first]:.1f} times an average {input})"]
    named += [f"{kept['numbers'][u]} ({lift[u]:.1f} times)" for u in others]
    count = int(kept["counts"][places[0]])
    units = f"{unit}{'s' * (len(named) > 1)} {listed(named)}"
    return f"“{word}”, which occurs {count:,} times, is taken most by {units}.", int(order[0])


def _unknown(kept: UnitArrays, word: str, input: str) -> str:
    """A sentence on a word that is not described."""
    if input != "word":
        return f"There is no {input} “{word}”. The first one is “{input} 1”."
    if " " in word:
        return "Type a single word."
    least = max(int(kept["counts"].min()) if len(kept["counts"]) else 0, MIN_COUNT)
    return f"“{word}” occurs fewer than {least} times in these texts, so nothing is known about it."


def questions(classes: Sequence[str]) -> list[str]:
    """The ends of the questions "Which unit ...?" that can be answered."""
    return [MATTERS, *(f"{SPEAKS}“{name}”" for name in classes), MOST_STATIC, MOST_IDLE, TWIN]


def answer(kept: UnitArrays, question: str, unit: str, classes: Sequence[str], input: str = "word") -> Answer:
    """A sentence that answers one of ``questions``, and the row of the unit.

    Args:
        kept, unit, input: as in ``find_word``.
        question: end of the question.
        classes: names of the classes.

    Raises:
        KeyError: it is none of ``questions``.
    """
    of_class = {f"{SPEAKS}“{name}”": k for k, name in enumerate(classes)}
    if question in of_class:
        return _speaker(kept, of_class[question], unit, classes)
    return ANSWERS[question](kept, unit, SAMPLES[input])


def _named(kept: UnitArrays, u: int, unit: str) -> str:
    """A unit at the beginning of a sentence."""
    return f"{unit.capitalize()} {kept['numbers'][u]}"


def _speaker(kept: UnitArrays, k: int, unit: str, classes: Sequence[str]) -> Answer:
    u = int(kept["effect"][:, k].argmax())
    if kept["effect_low"][u, k] <= 0:
        return f"No {unit} adds to “{classes[k]}” by more than chance.", None
    points = 100 * float(kept["effect"][u, k])
    return f"{_named(kept, u, unit)} speaks most for “{classes[k]}”: it adds {points:.1f} points to it.", u


def _matters(kept: UnitArrays, unit: str, sample: str) -> Answer:
    u = int(kept["matters"].argmax())
    points = 100 * float(kept["matters"][u])
    change = f"the probability of the answer changes by {points:.1f} points on average"
    return f"{_named(kept, u, unit)} matters most: without it, {change}.", u


def _static(kept: UnitArrays, unit: str, sample: str) -> Answer:
    u = int(kept["between"].argmin())
    return (
        f"{_named(kept, u, unit)} is most static: {kept['between'][u]:.0%} of its variance lies between {sample}s.",
        u,
    )


def _idle(kept: UnitArrays, unit: str, sample: str) -> Answer:
    u = int(kept["idle"].argmax())
    if not kept["idle"][u]:
        return f"No {unit} is ever idle.", None
    return f"{_named(kept, u, unit)} is most often idle: in {kept['idle'][u]:.0%} of the {sample}s it does nothing.", u


def _twin(kept: UnitArrays, unit: str, sample: str) -> Answer:
    pairs = [(u, *twin) for u in range(len(kept["numbers"])) if (twin := nearest(kept, u))]
    if not pairs:
        return f"There is only one {unit}, so it has no twin.", None
    u, v, correlation = max(pairs, key=lambda pair: pair[2])
    other = f"{unit} {kept['numbers'][v]}"
    return (
        f"{_named(kept, u, unit)} has the closest twin, {other}: what they take has correlation {correlation:.2f}.",
        u,
    )


ANSWERS: dict[str, Callable[[UnitArrays, str, str], Answer]] = {
    MATTERS: _matters,
    MOST_STATIC: _static,
    MOST_IDLE: _idle,
    TWIN: _twin,
}
