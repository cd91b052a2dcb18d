"""The texts of a unit, from the strongest activation to the weakest."""

from html import escape

import streamlit as st
from numpy import ndarray

from dashboard.pages.units.texts import NO_READING, NOT_READ, ONE_IN_TENTH, PICTURES
from dashboard.runs.units import Units, shipped_texts


def draw_readings(units: Units, u: int) -> None:
    """Draw a text for each tenth of a unit's activation, the strongest first, with the words it takes marked."""
    kept, row = units.reading, units.row_in_reading(u)
    if units.input == "place":
        st.caption(PICTURES)
    elif kept is None:
        st.caption(NO_READING)
    elif row is None:
        st.caption(NOT_READ.format(unit=units.unit))
    else:
        st.caption(ONE_IN_TENTH)
        texts, tenths = shipped_texts(), range(kept["texts"].shape[1])
        chosen = [(texts[int(kept["texts"][row, tenth, 1])], kept["top"][row, tenth, 1]) for tenth in reversed(tenths)]
        items = "".join(f"<li>{marked(text, spans)}</li>" for text, spans in chosen)
        st.html(f'<ol class="rs-tenths" reversed>{items}</ol>')


def marked(text: str, spans: ndarray) -> str:
    """A text as escaped HTML, with these spans in bold."""
    parts, end = [], 0
    for start, stop in sorted((s, e) for s, e in spans.tolist() if s >= 0):
        parts += [escape(text[end:start]), f"<b>{escape(text[start:stop])}</b>"]
        end = stop
    return "".join([*parts, escape(text[end:])])
