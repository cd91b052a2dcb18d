"""Sentences that answer which unit of a network takes a word most, or is first in another way."""

from collections.abc import Callable, Sequence

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from core.sentences.units import SAMPLES, UnitArrays, nearest
from core.sentences.words import listed

MATTERS, MOST_STATIC, MOST_IDLE, TWIN = "matters most", "is most static", "is most often idle", "has the closest twin"
SPEAKS = "speaks most for "
N_FIRST = 3  # units, or words, that are named
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
    (order,), (lift,) = _first(kept["lift"][:, places[:1]])
    pairs = zip(kept["numbers"][order], lift, strict=True)
    named = [
        f"{number} ({amount:.1f} times{f' an average {input}' * (not k)})" for k, (number, amount) in enumerate(pairs)
    ]
    count = int(kept["counts"][places[0]])
    units = f"{unit}{'s' * (len(named) > 1)} {listed(named)}"
    return f"“{word}”, which occurs {count:,} times, is taken most by {units}.", int(order[0])


def _first(lift: Float[ndarray, "u w"]) -> tuple[Int[ndarray, "w n"], Float[ndarray, "w n"]]:
    """The rows of the units that take each word most, and the amounts."""
    order = np.argsort(-lift.T, axis=1, kind="stable")[:, :N_FIRST]
    return order, np.take_along_axis(lift.T, order, 1).astype(float)


def as_lines(kept: UnitArrays) -> str:
    """The facts of ``find_word`` on all words, in lines of fields between tabs.

    A line has the word, how often it occurs, and the number and the amount of each of the units that take it most. So
    a browser can answer by itself.
    """
    order, lift = _first(kept["lift"])
    rows = zip(
        kept["words"].tolist(), kept["counts"].tolist(), kept["numbers"][order].tolist(), lift.tolist(), strict=True
    )
    return "\n".join(
        "\t".join(
            [word, str(count), *(f"{number} {amount:.1f}" for number, amount in zip(numbers, amounts, strict=True))]
        )
        for word, count, numbers, amounts in rows
    )


def least_count(kept: UnitArrays) -> int:
    """The number of occurrences from which a word is described."""
    return max(int(kept["counts"].min()) if len(kept["counts"]) else 0, MIN_COUNT)


def _unknown(kept: UnitArrays, word: str, input: str) -> str:
    """A sentence on a word that is not described."""
    if input != "word":
        return f"There is no {input} “{word}”. The first one is “{input} 1”."
    if " " in word:
        return "Type a single word."
    begin = [str(known) for known in kept["words"] if known.startswith(word.lower())][:N_FIRST]
    others = f" Known words that begin so: {listed(begin)}." if begin else ""
    return f"“{word}” occurs fewer than {least_count(kept)} times in these texts, so nothing is known about it.{others}"


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
