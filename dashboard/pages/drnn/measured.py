"""Measured trainings: the error by window, and the paper's findings beside it."""

import pandas as pd
import streamlit as st

from dashboard.figures.curves import error_curves
from dashboard.figures.figure import Figure
from dashboard.pages.drnn.findings import POOLINGS, TASKS, UNITS, findings, varied_in
from dashboard.shared.markdown import escape
from dashboard.shared.shown import Shown
from dashboard.shared.trainings import chance_difference, command, note_on_seeds, of_sweep


@of_sweep("windows", "Error by window")
def draw_trainings(shown: Shown, table: pd.DataFrame) -> None:
    """Draw the shipped sweep of windows, and the paper's findings beside its own."""
    st.header("Which window is best")
    shown.add_table("sweep of windows", lambda: table)
    shown.draw_charts(_curves(table), columns=2)
    st.caption(
        f"Small networks, {table['d'].iloc[0]} components wide instead of the paper's 300, on samples: compare curves "
        f"with the paper, not errors. By task they were trained on {_sizes(table)} texts. "
        f"{note_on_seeds(table)} Made by `{command('windows')}`."
    )
    st.subheader("What the paper found, and what these networks show")
    compared = findings(table)
    st.table(compared.map(lambda value: escape(str(value))), hide_index=True)
    st.caption(_chance(table))
    shown.add_table("what the paper found", lambda: compared)


def _curves(table: pd.DataFrame) -> dict[str, Figure]:
    """One figure for each setting that was varied."""
    sizes = {0: "all texts"} | {int(n): f"{n:,} texts" for n in sorted(set(table["size"]) - {0})}
    settings = {
        "By unit, AG's News": ("unit", UNITS),
        "By pooling, DGRU on AG's News": ("pooling", POOLINGS),
        "By task, DGRU": ("corpus", TASKS),
        "By training texts, DGRU on AG's News": ("size", sizes),
    }
    charts = {}
    for title, (column, names) in settings.items():
        rows = varied_in(table, column)
        rows = rows[rows[column].isin(list(names))]
        if len(rows):
            charts[title] = error_curves(rows, column, names)
    return charts


def _chance(table: pd.DataFrame) -> str:
    rows = varied_in(table, "window")
    difference, n = chance_difference(rows), int(rows["tested_on"].max())
    return f"On {n:,} test texts of AG's News two errors less than {difference:.1%} apart may differ by chance alone."


def _sizes(table: pd.DataFrame) -> str:
    """The number of training texts of each task, as text."""
    largest = varied_in(table, "corpus").groupby("corpus", sort=False)["trained_on"].max()
    return ", ".join(f"{n:,} ({TASKS[corpus]})" for corpus, n in largest.items() if corpus in TASKS)
