"""The evidence of one network: its replies, a picture of one measure, all figures in a table, and sentences."""

from dataclasses import asdict

import pandas as pd
import streamlit as st

from core.measured.evidence.record import Evidence
from core.measured.evidence.scorecard import QUESTIONS
from dashboard.components.scorecard import scorecard
from dashboard.figures.evidence import dots
from dashboard.figures.vega import STATED
from dashboard.pages.evidence.measures import EARLIER, MEASURES, Measure
from dashboard.pages.evidence.scorecard import row_of
from dashboard.pages.evidence.texts import NONE, READING, SAY
from dashboard.runs import checkpoints
from dashboard.screen.evidence import ABOUT, sentences
from dashboard.screen.inputs import choose_option
from dashboard.screen.markdown import escape
from dashboard.screen.shown import Shown

MANY = 14  # rows of a table that scrolls


def draw_replies(name: str, evidence: Evidence) -> None:
    """Draw the network's own row of the scorecard."""
    sample = f"{name}, on {evidence.sample}{f', {STATED}' * evidence.is_stated}"
    row = row_of(checkpoints.title(name), sample, [evidence])
    scorecard("own scorecard", "Network", list(QUESTIONS), SAY, [row])


def choose_measure() -> str:
    """Let the user choose a measure. An address of an earlier version may hold its earlier name."""
    earlier = EARLIER.get(st.query_params.get("measure", ""))
    if earlier and "measure" not in st.session_state:
        st.session_state.measure = earlier
    return choose_option(list(MEASURES), "Measure", "measure")


def draw_measure(shown: Shown, measure: str, name: str, evidence: Evidence, way: str) -> None:
    """Draw the figures of one measure, and what its numbers mean."""
    chosen = MEASURES[measure]
    table = dot_table(chosen, evidence, way, name)
    st.caption(escape(chosen.meaning.replace("\n", " ")))
    if table.empty:
        st.caption(NONE)
        return
    title = f"{measure}: {chosen.axis}"
    shown.draw_chart(title, dots(table, chosen.axis, chosen.zero), f"{title}, {checkpoints.title(name)}")
    shown.add_table(measure.lower(), lambda: table)
    st.caption(READING.format(sample=escape(evidence.sample)))


def dot_table(measure: Measure, evidence: Evidence, way: str, name: str) -> pd.DataFrame:
    """One row per figure; "stated" is True if only an archive states it."""
    return pd.DataFrame([asdict(dot) | {"stated": evidence.is_stated} for dot in measure.dots(evidence, way, name)])


def draw_table(name: str, evidence: Evidence, way: str) -> None:
    """Draw all figures of a network, each with its unit and its interval."""
    table = all_figures(name, evidence, way)
    height = "content" if len(table) < MANY else 480
    st.dataframe(table, hide_index=True, height=height, alt="All figures of the network")


def all_figures(name: str, evidence: Evidence, way: str) -> pd.DataFrame:
    """One row per figure of every measure, with its unit and its interval."""
    rows = [
        {
            "measure": title,
            "what": dot.label,
            "value": _number(measure, dot.value),
            "95% interval": f"{_number(measure, dot.low)} to {_number(measure, dot.high)}",
            "unit": measure.axis,
        }
        for title, measure in MEASURES.items()
        for dot in measure.dots(evidence, way, name)
    ]
    return pd.DataFrame(rows)


def _number(measure: Measure, value: float) -> str:
    """A figure as text; changes and differences have a sign."""
    form = ".1f" if measure.unit == "points" else ".2f"
    return f"{value:{'+' if measure.zero else ''}{form}}"


def draw_words(name: str, evidence: Evidence, way: str) -> None:
    """Draw all evidence of a network in sentences."""
    st.markdown("\n".join(f"- {escape(sentence)}" for sentence in sentences(evidence, way, name)))
    st.caption(ABOUT)
