"""A user's rule for a unit, tested on texts that were kept apart: of the official test split, or of the program."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st
from jaxtyping import Bool
from numpy import ndarray

from core.analysis.rules import Text, matching, score
from core.inputs.text import tokenize
from core.sentences.unit_idea import say_idea, say_matches, say_rule_of_program
from core.sentences.units import ACTIVE
from dashboard.runs.sources import may_read_split, read_test_split
from dashboard.runs.units import Units, shipped_texts

MARKS = frozenset(r"\.^$*+?{}[]()|")  # characters that mean something in a regular expression
SECONDS = 2.0  # for all matches of a rule together


@dataclass(frozen=True, eq=False)
class Tested:
    """The texts on which a rule is tested.

    Attributes:
        data: phrase for them.
        words: words of each text.
        active: whether the unit is active in it.
        rule, accuracy: the program's rule for when the unit is active, and its share of right predictions on the same
            held-out texts; "" if its rule says something else.
    """

    data: str
    words: Sequence[Text]
    active: Bool[ndarray, " n"]
    rule: str
    accuracy: float


def reads_split(units: Units) -> bool:
    """Whether a rule is tested on texts of the official test split, on which the units were measured."""
    return units.shown is None and not units.is_stated and may_read_split(units.name) and bool(_places(units).size)


def may_test(units: Units) -> bool:
    """Whether there are texts on which a rule for these units can be tested."""
    return units.reading is not None or reads_split(units)


def score_idea(units: Units, u: int, idea: str) -> str:
    """Sentences on how well words predict when a unit is active, and on what it takes from them.

    Args:
        units: units of the network.
        u: row of the unit.
        idea: words that are separated by commas, or a regular expression.

    Raises:
        ValueError: the expression is not valid, or the unit has no kept activations on these texts.
    """
    pattern = _pattern_of(idea)
    tested, rule = _texts_of(units, u), matching(pattern, SECONDS)
    held_out = np.arange(len(tested.active)) % 2 == 1
    predicted = np.array([rule.on_text(text) for text in tested.words])
    usual = bool(tested.active[~held_out].mean() > 0.5)
    scored = score(pattern, predicted[held_out], tested.active[held_out], np.flatnonzero(held_out), usual)
    unit = f"{units.unit} {units.numbers[u]}"
    said = say_idea(scored, float(predicted.mean()), unit, int(held_out.sum()), tested.data)
    if tested.rule:
        said = f"{said} {say_rule_of_program(tested.rule, tested.accuracy)}"
    table = units.words(u, len(units.kept["words"]))
    rule = matching(pattern, SECONDS)  # the first one has used some of its time
    matches = table[[bool(rule.on_words(Text([word], ""))[0]) for word in table["word"]]]
    words, lift, counts = (matches[column].to_numpy() for column in ("word", "lift", "count"))
    return f"{said} {say_matches(words.tolist(), lift, counts, units.data)}"


def _pattern_of(idea: str) -> str:
    """The regular expression for words that are separated by commas; the idea itself if it is something else."""
    words = [word.strip() for word in idea.split(",")]
    is_list = len(words) > 1 and not any(set(word) & MARKS for word in words)
    return f"^({'|'.join(filter(None, words))})$" if is_list and any(words) else idea


def _texts_of(units: Units, u: int) -> Tested:
    """The texts on which a rule for a unit is tested; ValueError if there are none."""
    if reads_split(units):
        kept, row, data = units.kept, u, f"{len(_places(units)):,} texts of the official test split"
        words = _split_words(units.name, tuple(_places(units).tolist()))
    else:
        kept, row, texts = units.reading, units.row_in_reading(u), shipped_texts()
        data, words = f"program's {len(texts)} sentences", _words(tuple(texts))
    if kept is None or row is None:
        raise ValueError(f"The sentences of the program say nothing about this {units.unit}.")
    active = np.unpackbits(kept["active"][row], count=len(words)).astype(bool)
    rule = str(kept["rules"][row]) if kept["aims"][row] == ACTIVE else ""
    return Tested(data, words, active, rule, float(kept["accuracy"][row]))


def _places(units: Units) -> ndarray:
    """The places in the test split of the texts that the units were measured on; none if the split has others."""
    whole, n = len(read_test_split(units.name).rows), int(units.kept["n"][0])
    places = np.arange(n) * whole // n if n <= whole else np.array([], int)
    return places if np.isin(units.kept["texts"], places).all() else places[:0]


def _split_words(name: str, places: tuple[int, ...]) -> list[Text]:
    texts = read_test_split(name).rows["text"].take(list(places)).to_pylist()
    return _words(tuple(texts))


@st.cache_resource(max_entries=4, show_spinner=False)
def _words(texts: tuple[str, ...]) -> list[Text]:
    """The words of texts. Rules on words do not ask what the network answers."""
    return [Text([word.text for word in tokenize(text)], "") for text in texts]
