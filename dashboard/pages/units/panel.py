"""One unit: its name, the words it takes, its effect on the classes, and texts from weak to strong activation."""

import pandas as pd
import streamlit as st
from numpy import ndarray

from core.sentences.units import nearest, say_effect, say_rule, say_static
from dashboard.figures.evidence import dots
from dashboard.figures.units import words
from dashboard.pages.units.texts import NOT_READ, ONE_IN_TENTH, PICTURES
from dashboard.runs.units import Units, shipped_texts
from dashboard.screen.markdown import escape
from dashboard.screen.shown import Shown

N_WORDS = 10


def draw_panel(shown: Shown, units: Units, u: int) -> None:
    """Draw what a unit takes and does."""
    kept = units.kept
    st.markdown(f"**{escape(units.label(u).capitalize())}**")
    st.markdown(escape(say_rule(kept, u, units.unit)))
    table = units.words(u, N_WORDS)
    if len(table):
        title = f"Words that {units.unit} {kept['numbers'][u]} takes"
        shown.draw_chart(title, words(table), f"{title}: {', '.join(table['word'])}")
    st.markdown(escape(say_effect(kept, u, units.classes, units.unit)))
    title = f"Effect of {units.unit} {kept['numbers'][u]}"
    shown.draw_chart(title, dots(effects(units, u), "points with the unit, minus without it", "no effect"), title)
    st.caption(escape(say_static(kept, u)))
    if (near := nearest(kept, u)) is not None:
        st.caption(escape(f"Its words are most like those of {units.label(near[0])} (correlation {near[1]:.2f})."))


def effects(units: Units, u: int) -> pd.DataFrame:
    """One row per class with the effect of a unit in points, as ``figures.evidence.dots`` takes it."""
    kept = units.kept
    names = {"value": "effect", "low": "effect_low", "high": "effect_high"}
    columns = {column: 100 * kept[array][u] for column, array in names.items()}
    return pd.DataFrame({"label": list(units.classes), **columns, "is_own": False, "stated": False})


def draw_readings(units: Units, u: int) -> None:
    """Draw a text for each tenth of a unit's activation, the strongest first, with the words it takes marked."""
    kept, texts = units.reading, shipped_texts()
    if kept is None:
        st.caption(PICTURES)
        return
    row = units.row_in_reading(u)
    if row is None:
        st.caption(NOT_READ.format(unit=units.unit))
        return
    st.caption(ONE_IN_TENTH)
    for tenth in reversed(range(kept["texts"].shape[1])):
        number = int(kept["texts"][row, tenth, 1])
        st.markdown(f"{tenth + 1}\\. {marked(texts[number], kept['top'][row, tenth, 1])}")


def marked(text: str, spans: ndarray) -> str:
    """A text as escaped Markdown, with these spans in bold."""
    parts, end = [], 0
    for start, stop in sorted((s, e) for s, e in spans.tolist() if s >= 0):
        parts += [escape(text[end:start]), f"**{escape(text[start:stop])}**"]
        end = stop
    return "".join([*parts, escape(text[end:])])
