"""The texts of a unit, from the strongest activation to the weakest, or a text of the user."""

from html import escape

import streamlit as st
from numpy import ndarray

from core.datasets import corpus_of
from dashboard.pages.units.own_text import draw_own_text
from dashboard.pages.units.texts import HOME, NO_READING, NOT_READ, OF, ONE_IN_TENTH, OWN, PICTURES, SENTENCES, SPLIT
from dashboard.runs import checkpoints
from dashboard.runs.sources import has_test_split, is_joined, read_test_split
from dashboard.runs.units import Units, at_home, shipped_texts
from dashboard.screen.inputs import choose_option
from dashboard.screen.shown import Shown


def draw_readings(shown: Shown, units: Units, u: int) -> None:
    """Draw texts of a unit: one for each tenth of its activation, or a text of the user."""
    if units.input == "place":
        st.caption(PICTURES)
        return
    options = [SENTENCES, *([SPLIT] if may_read_split(units.name) else []), OWN]
    read = choose_option(options, "Texts", "read", bare=True)
    if read == OWN:
        draw_own_text(shown, units, u)
    else:
        _draw_tenths(units, u, read == SPLIT)


def _draw_tenths(units: Units, u: int, of_split: bool) -> None:
    """Draw a text for each tenth of a unit's activation, the strongest first, with the words it takes marked."""
    kept, row = (units.kept, u) if of_split else (units.reading, units.row_in_reading(u))
    if kept is None:
        st.caption(NO_READING)
    elif row is None:
        st.caption(NOT_READ.format(unit=units.unit))
    else:
        st.caption(ONE_IN_TENTH.format(of=OF[of_split], home="" if of_split else HOME))
        texts = read_test_split(units.name).rows["text"] if of_split else shipped_texts()
        chosen = [1] * len(kept["texts"][row]) if of_split else at_home(kept["texts"][row], units.name)
        pairs = [(kept["texts"][row, t, n], kept["top"][row, t, n]) for t, n in reversed(list(enumerate(chosen)))]
        items = (f"<li>{marked(str(texts[int(k)]), words)}</li>" for k, words in pairs)
        st.html(f'<ol class="rs-tenths" reversed>{"".join(items)}</ol>')


def may_read_split(name: str) -> bool:
    """Whether the texts of the test split are here as the network read them."""
    corpus = corpus_of(checkpoints.about(name).corpus)
    return corpus is not None and is_joined(corpus) and has_test_split(name)


def marked(text: str, spans: ndarray) -> str:
    """A text as escaped HTML, with these spans in bold."""
    parts, end = [], 0
    for start, stop in sorted((s, e) for s, e in spans.tolist() if s >= 0):
        parts += [escape(text[end:start]), f"<b>{escape(text[start:stop])}</b>"]
        end = stop
    return "".join([*parts, escape(text[end:])])
