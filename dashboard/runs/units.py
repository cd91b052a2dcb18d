"""The units of a network, as measured over a test split and over the sentences of the program."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import isqrt
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st
from jaxtyping import Int
from numpy import ndarray

from core.analysis.rules import library
from core.datasets import corpus_of
from core.datasets.shipped import sentences
from core.sentences.unit_finder import as_lines
from core.sentences.unit_match import times_back
from core.sentences.units import INPUTS, SAMPLES, TAKES, meaning, name_of, say_meaning
from core.sentences.words import capital
from dashboard.runs import checkpoints
from dashboard.runs.checkpoints import is_of_session
from dashboard.runs.own_units import by_number, measured, stated

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class Units:
    """The units of a network.

    Attributes:
        name: name of the network.
        unit: unit in the singular, such as "capsule".
        kept: arrays "units" of ``core.measured.store``.
        reading: the same on the sentences of the program; None for a network of pictures.
        classes: names of the classes.
        given: the user's names of units, by number; they replace the measured ones.
        shown: the user's texts that ``kept`` was measured on, by number, as far as tenths show them; None if it was
            measured on a test split.
        stability: arrays "stability", on the matched units of other trainings; None if there are none.
        is_stated: whether only the archive that the network came in states all this.
    """

    name: str
    unit: str
    kept: dict[str, ndarray]
    reading: dict[str, ndarray] | None
    classes: tuple[str, ...]
    given: Mapping[int, str] = field(default_factory=dict)
    shown: Mapping[int, str] | None = None
    stability: dict[str, ndarray] | None = None
    is_stated: bool = False

    @property
    def input(self) -> str:
        """The inputs that the units take from, in the singular: "word" or "place"."""
        return INPUTS[checkpoints.record_of(self.name).reads]

    @property
    def sample(self) -> str:
        """The samples that the network reads, in the singular: "text" or "pair"."""
        return SAMPLES[self.input]

    @property
    def numbers(self) -> list[int]:
        """The numbers of the units, from 1, in the order of the arrays."""
        return self.kept["numbers"].tolist()

    @property
    def first(self) -> int:
        """The row of the unit that matters most."""
        return int(self.kept["matters"].argmax())

    @property
    def data(self) -> str:
        """The texts that the units were measured on, in words."""
        corpus = corpus_of(checkpoints.about(self.name).corpus) if self.shown is None else None
        data = str(self.kept["data"])
        return data if corpus is None or "rendered by" in data else f"{data} of {corpus.title_in(len(self.classes))}"

    def name_of(self, u: int) -> str:
        """The name of a unit; "" if it has none."""
        return self.given.get(self.numbers[u]) or name_of(self.kept, u)

    def meaning_of(self, u: int) -> str:
        """The user's name of a unit, or its meaning in a few words."""
        return self.given.get(self.numbers[u]) or meaning(self.kept, u, self.unit)

    def name_of_number(self, number: int) -> str:
        """The name of the unit with this number; "" if it has none."""
        return self.name_of(self.numbers.index(number))

    def label(self, u: int) -> str:
        """A unit with its number and its name."""
        return f"{self.unit} {self.short_label(u)}"

    def short_label(self, u: int) -> str:
        """The number and the name of a unit."""
        return " · ".join(filter(None, (str(self.numbers[u]), self.name_of(u))))

    def table(self) -> "pandas.DataFrame":
        """One row per unit with all its figures; what other trainings say only where there are some."""
        import pandas as pd  # takes half a second to import, which the first page need not wait for

        figures = ("matters", "flips", "between", "selective", "evenness", "idle", "accuracy", "base")
        kept, stable = self.stability, {}
        if kept is not None:
            back = [f"{n} of {len(kept['seeds'])}" for n in times_back(kept)]
            stable = {"stable": kept["correlation"].mean(0), "comes back in": back}
        return pd.DataFrame(
            {
                "number": self.kept["numbers"],
                "name": [self.name_of(u) for u in range(len(self.numbers))],
                "best rule": self.kept["rules"],
                "alike": self.kept["alike"],
                **{figure: self.kept[figure] for figure in figures},
                **stable,
                **({"stated": True} if self.is_stated else {}),
            }
        )

    def effects(self) -> "pandas.DataFrame":
        """One row per unit and class with the effect of the unit on it in points, and its interval."""
        import pandas as pd

        pairs = [(u, k) for u in range(len(self.numbers)) for k in range(len(self.classes))]
        points = ("effect", "effect_low", "effect_high")
        return pd.DataFrame(
            {
                "number": [self.numbers[u] for u, _ in pairs],
                "class": [self.classes[k] for _, k in pairs],
                **{column: 100 * self.kept[column].ravel() for column in points},
            }
        )

    def words(self, u: int, n: int) -> "pandas.DataFrame":
        """The n words that a unit takes most, with the amounts and the numbers of occurrences."""
        import pandas as pd

        lift = self.kept["lift"][u].astype(float)
        order = np.argsort(-lift, kind="stable")[:n]
        kept = {"word": self.kept["words"], "lift": lift, "count": self.kept["counts"]}
        return pd.DataFrame({column: values[order] for column, values in kept.items()})

    def words_of_rule(self, u: int) -> "pandas.DataFrame":
        """The words that a unit's rule on words holds for, as in ``words``; empty for a rule on texts."""
        chosen = [rule for rule in library(self.classes) if rule.name == str(self.kept["rules"][u]) and rule.of_word]
        table = self.words(u, len(self.kept["words"]))
        if not chosen or str(self.kept["aims"][u]) != TAKES:
            return table[:0]
        return table[[chosen[0].of_word([word], 0) for word in table["word"]]]

    def places(self, u: int) -> ndarray | None:
        """The amounts that a unit takes from the places of a picture, [row, column].

        None if the network reads texts, or if its places form no square.
        """
        names = {name: k for k, name in enumerate(self.kept["words"].tolist())}
        side = isqrt(len(names))
        order = [names.get(f"place {n}") for n in range(1, side**2 + 1)]
        if self.input != "place" or not side or side**2 != len(names) or None in order:
            return None
        return self.kept["lift"][u].astype(float)[order].reshape(side, side)

    def row_in_reading(self, u: int) -> int | None:
        """The row of a unit in the arrays on the program's sentences; None if it is not in them."""
        rows = [] if self.reading is None else np.flatnonzero(self.reading["numbers"] == self.kept["numbers"][u])
        return int(rows[0]) if len(rows) else None


def measured_networks(also: str = "") -> list[str]:
    """The networks with units that are measured, those of this session, and one that a user asks for, by its name."""
    named = [name for name in checkpoints.known() if checkpoints.record_of(name).inner_unit]
    asked = [name for name in named if name == also or is_of_session(name)]
    return [name for name in named if name in asked or measured("units", name) or stated("units", name)]


def units_of(name: str) -> Units | None:
    """The units of a network, as measured here or, if they are not, as its archive states; None if neither is so."""
    kept, reading, shown = (measured(quantity, name) for quantity in ("units", "reading", "shown"))
    if kept is not None:
        units, stability = units_on(name, kept, reading, by_number(shown)), measured("stability", name)
        if units is None or stability is None or stability["numbers"].tolist() != units.numbers:
            return units
        return replace(units, stability=stability)
    if (kept := stated("units", name)) is None:
        return None
    units = units_on(name, kept, stated("reading", name), None)
    return None if units is None else replace(units, is_stated=True)


def units_on(
    name: str, kept: dict[str, ndarray], reading: dict[str, ndarray] | None, shown: Mapping[int, str] | None
) -> Units | None:
    """The units of a network with these arrays; None if they have other classes. Arguments as in ``Units``."""
    classes = tuple(checkpoints.about(name).classes)
    if kept["effect"].shape[1] != len(classes):
        return None
    return Units(name, checkpoints.record_of(name).inner_unit, kept, reading, classes, shown=shown)


def words_in_lines(units: Units) -> str:
    """The table of ``as_lines`` of a network's units. It is kept if all sessions have these units."""
    if units.shown is not None or units.is_stated or is_of_session(units.name):
        return as_lines(units.kept)
    return _words_in_lines(units.name, checkpoints.stamp_of_weights("units", units.name))


@st.cache_resource(max_entries=16, show_spinner=False)
def _words_in_lines(name: str, stamp: tuple) -> str:
    kept = checkpoints.measured("units", name)
    assert kept is not None
    return as_lines(kept)


def meaning_of(name: str, number: int, given: Mapping[int, str] = MappingProxyType({})) -> str | None:
    """A unit with its meaning in a few words; None if it is not among those that are measured.

    Args:
        name: name of the network.
        number: number of the unit, from 1.
        given: the user's names of units, by number.
    """
    units = units_of(name)
    if units is None or number not in units.numbers:
        return None
    if given.get(number):
        return f"{capital(units.unit)} {number}: {given[number]}"
    return say_meaning(units.kept, units.numbers.index(number), units.unit)


def shipped_texts() -> list[str]:
    """The sentences of the program."""
    return [sentence.text for sentence in sentences()]


FILMS, NEWS = ("film", "product"), ("world", "sports", "business", "science")  # topics of the program's sentences


def at_home(numbers: Int[ndarray, "d m"], name: str) -> list[int]:
    """The place in each tenth of a sentence on what the network was trained on; the middle one if there is none."""
    corpus = corpus_of(checkpoints.about(name).corpus)
    topics = NEWS if corpus is not None and corpus.subject == "topic" else FILMS
    fits = [[sentences()[k].topic in topics for k in of_tenth] for of_tenth in numbers.tolist()]
    return [of_tenth.index(True) if any(of_tenth) else 1 for of_tenth in fits]
