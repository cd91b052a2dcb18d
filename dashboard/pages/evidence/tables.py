"""The picture and the tables that compare the evidence of all checkpoints."""

from dataclasses import asdict

import pandas as pd
import streamlit as st

from core.measured.evidence.record import Evidence
from dashboard.figures.evidence import dots
from dashboard.figures.vega import STATED
from dashboard.pages.evidence.measures import MEASURES, Measure, place_of_series
from dashboard.pages.evidence.texts import NONE, NOT_MEASURED
from dashboard.runs import checkpoints
from dashboard.runs.evidence import evidence_to_show
from dashboard.screen.evidence import routing_of
from dashboard.screen.links import draw_page_link
from dashboard.screen.markdown import escape
from dashboard.screen.shown import Shown

ORDER = ("dynamic", "reversed", "k-means", "EM", "attention", "windows", "none")  # other routings are last
WIDTHS = {"Couplings": 140, "Iterations": 140, "Capsules": 150}  # pixels, enough for words such as "within chance"


def routings() -> dict[str, str]:
    """The routing of each checkpoint by its name, in the order of the routings."""
    rows = [(name, routing_of(name)) for name in checkpoints.known()]
    # False sorts before True, so the routings come in their order.
    return dict(sorted(rows, key=lambda row: ([row[1] != routing for routing in ORDER], row[0])))


def draw_picture(shown: Shown, measure: str, names: list[str], way: str) -> None:
    """Draw the figures of a measure, and name the checkpoints without evidence."""
    chosen = MEASURES[measure]
    table = dot_table(chosen, names, way)
    if len(table):
        series = sorted(set(table["series"]), key=place_of_series)
        figure = dots(table, series, chosen.axis, chosen.zero)
        shown.draw_chart(measure, figure, f"{measure}: {chosen.axis}, of every checkpoint")
        shown.add_table(measure.lower(), lambda: table)
    else:
        st.caption(NONE)
    if missing := [name for name in names if evidence_to_show(name) is None]:
        st.caption(NOT_MEASURED.format(names=escape(", ".join(missing))))


def dot_table(measure: Measure, names: list[str], way: str) -> pd.DataFrame:
    """One row per figure and checkpoint with evidence; "stated" is True if only an archive states it."""
    shown = {name: evidence for name in names if (evidence := evidence_to_show(name))}
    rows = [
        {"name": name, **asdict(dot), "stated": evidence.is_stated}
        for name, evidence in shown.items()
        for dot in measure.dots(evidence, way)
    ]
    return pd.DataFrame(rows)


def draw_table(names: list[str], way: str) -> None:
    """Draw one row per checkpoint with a number for each measure; the selected row links to the checkpoint's page."""
    config, names = st.column_config, sorted(names, key=lambda name: evidence_to_show(name) is None)
    table = pd.DataFrame([_row(name, way) for name in names])
    opened = st.container()
    event = st.dataframe(
        table, hide_index=True, height="content", key="checkpoints", on_select="rerun", selection_mode="single-row",
        alt="The checkpoints by measure",
        column_config={
            title: config.TextColumn(width=WIDTHS.get(title), help=measure.number)
            for title, measure in MEASURES.items()
        },
    )  # fmt: skip
    if event.selection.rows and event.selection.rows[0] < len(table):
        with opened:
            draw_page_link(names[event.selection.rows[0]], tab="Does it hold?")
    else:
        opened.caption("Select a row to open the checkpoint's page.")


def _row(name: str, way: str) -> dict[str, str]:
    evidence = evidence_to_show(name)
    row = {
        "checkpoint": name,
        "routing": routing_of(name),
        "samples": f"{evidence.n:,}{_note_if_stated(evidence)}" if evidence else "not measured",
    }
    for title, measure in MEASURES.items():
        has_figures = evidence and measure.dots(evidence, way)
        row[title] = measure.short(evidence, way) if has_figures else ""
    return row


def _note_if_stated(evidence: Evidence) -> str:
    """A note for evidence that an archive states; "" for evidence that was measured here."""
    return f", {STATED}" if evidence.is_stated else ""


def draw_words(measure: str, names: list[str], way: str) -> None:
    """Draw the sentence of a measure for each checkpoint."""
    chosen = MEASURES[measure]
    for name in names:
        evidence = evidence_to_show(name)
        if evidence and chosen.dots(evidence, way):
            label = f"**{escape(name)}** ({routing_of(name)}{_note_if_stated(evidence)})."
            st.markdown(f"{label} {escape(chosen.sentence(evidence, way))}")
    st.caption("Within chance: the 95% interval over the samples contains 0.")
