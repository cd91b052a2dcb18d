"""The texts of a unit, from the strongest activation to the weakest, or a text of the user."""

from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st
from numpy import ndarray

from dashboard.pages.units.own_text import draw_own_text
from dashboard.pages.units.texts import (
    FILE,
    HOME,
    NO_READING,
    NOT_READ,
    OF,
    ONE_IN_TENTH,
    OWN,
    PAGE_LINK,
    PICTURES,
    SENTENCES,
    SPLIT,
)
from dashboard.pages.units.views import draw_tenths
from dashboard.runs.sources import may_read_split, read_test_split
from dashboard.runs.unit_views import UnitViews
from dashboard.runs.units import Units, at_home, shipped_texts
from dashboard.screen.inputs import choose_option
from dashboard.screen.shown import Shown


def page_link(units: Units) -> str:
    """The label of the link to the network's page."""
    return PAGE_LINK[units.input]


def draw_readings(shown: Shown, units: Units, u: int, views: UnitViews | None) -> None:
    """Draw texts of a unit, or pictures: one for each tenth of its activation, or a text of the user."""
    if views is not None:
        draw_tenths(views)
        return
    if units.input == "place":
        st.caption(PICTURES)
        return
    of = _choose_texts(units)
    if of == OWN:
        draw_own_text(shown, units, u)
    else:
        _draw_tenths(units, u, of)


def _draw_tenths(units: Units, u: int, of: str) -> None:
    """Draw a text for each tenth of a unit's activation, the strongest first, with the words it takes marked.

    Args:
        units: units of the network.
        u: row of the unit.
        of: texts to read, a key of ``OF``.
    """
    kept, row = (units.reading, units.row_in_reading(u)) if of == SENTENCES else (units.kept, u)
    if kept is None:
        st.caption(NO_READING)
    elif row is None:
        st.caption(NOT_READ.format(unit=units.unit))
    else:
        st.caption(ONE_IN_TENTH.format(of=OF[of], home=HOME if of == SENTENCES else ""))
        texts = _texts(units, of)
        chosen = at_home(kept["texts"][row], units.name) if of == SENTENCES else [1] * len(kept["texts"][row])
        pairs = [(kept["texts"][row, t, n], kept["top"][row, t, n]) for t, n in reversed(list(enumerate(chosen)))]
        items = (f"<li>{marked(str(texts[int(k)]), words)}</li>" for k, words in pairs)
        st.html(f'<ol class="rs-tenths" reversed>{"".join(items)}</ol>')


def _choose_texts(units: Units) -> str:
    """Let the user choose the texts to read: the program's, those that the units were measured on, or one to type."""
    is_on_file = units.shown is not None
    if is_on_file:
        options = [FILE, *([] if units.reading is None else [SENTENCES])]
    else:
        options = [SENTENCES, *([SPLIT] if may_read_split(units.name) and not units.is_stated else [])]
    return choose_option([*options, OWN], "Texts", "read own" if is_on_file else "read", bare=True)


def _texts(units: Units, of: str) -> Mapping[int, str] | Sequence[str]:
    """These texts by number. of: a key of ``OF``."""
    if of == FILE:
        return units.shown or {}
    return shipped_texts() if of == SENTENCES else read_test_split(units.name).rows["text"]


def marked(text: str, spans: ndarray) -> str:
    """A text as escaped HTML, with these spans in bold."""
    parts, end = [], 0
    for start, stop in sorted((s, e) for s, e in spans.tolist() if s >= 0):
        parts += [escape(text[end:start]), f"<b>{escape(text[start:stop])}</b>"]
        end = stop
    return "".join([*parts, escape(text[end:])])
