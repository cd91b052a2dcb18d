"""Measured trainings: the error by window, and the paper's findings."""

import numpy as np
import pandas as pd
import streamlit as st

from core import ledger
from core.analysis.learning import band, fit_power_law
from core.ledger import drnn
from core.ledger.claim import sweep_command
from core.ledger.windows import (
    N_PAPER,
    POOLINGS,
    TABLE_5,
    TASKS,
    UNITS,
    by_size,
    reductions,
    table_5,
    varied_in,
)
from dashboard.figures.curves import error_curves, learning_curve
from dashboard.figures.figure import Figure
from dashboard.screen.shown import Shown
from dashboard.screen.trainings import (
    chance_difference,
    draw_claims,
    draw_means,
    draw_own_training,
    note_on_seeds,
    sweep_section,
)


def draw_measured(shown: Shown, name: str) -> None:
    """Draw the measured trainings. name: name of the page's network."""
    draw_own_training(name)
    draw_trainings(shown)


@sweep_section("windows", "Error by window")
def draw_trainings(shown: Shown, table: pd.DataFrame) -> None:
    """Draw the shipped sweep of windows, and compare its findings with the paper's."""
    st.header("Which window is best")
    shown.add_table("sweep of windows", lambda: table)
    shown.draw_charts(_curves(table), columns=2)
    st.caption(
        f"These networks are small ({table['d'].iloc[0]} components; the paper's have 300) and learned from samples. "
        "So compare the shapes of the curves with the paper's, not the errors. "
        f"{_on_tasks(table)}We fitted the power law to the errors at the best windows. The band shows how far chance "
        "may move this fit, if errors follow such a law at all. "
        f"{note_on_seeds(table)} Made by `{sweep_command('windows')}`."
    )
    st.subheader("What the paper found, and what these networks show")
    draw_claims(shown, ledger.read(drnn.PAPER, "sweeps/windows.parquet"))
    st.caption(_chance(table))
    st.subheader("Windows compared with layers that read the whole text (table 5, AG's News)")
    draw_means(table_5(table), ["architecture", "window"])
    st.caption(
        "The mean is over test accuracies. The window is the one that did best on the dev split. A window of 0 means "
        "that the layer reads from the start of the text."
    )


def _curves(table: pd.DataFrame) -> dict[str, Figure]:
    """One figure per varied setting."""
    sizes = {0: "all texts"} | {int(n): f"{n:,} texts" for n in sorted(set(table["size"]) - {0})}
    settings = {
        "Error by unit, AG's News": ("unit", UNITS),
        "Error by pooling, DGRU on AG's News": ("pooling", POOLINGS),
        "Error by number of training texts, DGRU on AG's News": ("size", sizes),
    }
    charts = {}
    for title, (column, names) in settings.items():
        rows = varied_in(table, column)
        rows = rows[rows[column].isin(list(names))]
        if len(rows):
            charts[title] = error_curves(rows, column, names)
    tasks = reductions(table)
    if len(tasks):
        charts["Error reduction by task, DGRU, compared with the smallest window"] = error_curves(
            tasks, "corpus", TASKS, reduction=True
        )
    if len(errors := by_size(table)) >= 3:
        charts["Error at the best window, by number of training texts"] = _learning_curve(errors)
    return charts


def _learning_curve(errors: pd.DataFrame) -> Figure:
    """The errors by number of training texts, a power law up to the paper's number, and the paper's error there."""
    sizes, values = errors["trained_on"].tolist(), errors["error"].tolist()
    at = np.geomspace(min(sizes), N_PAPER, 40)
    low, high = band(sizes, values, errors["deviation"].tolist(), at)
    law = pd.DataFrame({"trained_on": at, "error": fit_power_law(sizes, values).error(at), "low": low, "high": high})
    return learning_curve(errors, law, (N_PAPER, TABLE_5["gru"]))


def _chance(table: pd.DataFrame) -> str:
    """A sentence on the difference of two errors that may be chance; "" if no window was measured."""
    rows = varied_in(table, "window")
    if rows.empty:
        return ""
    difference, n = chance_difference(rows), int(rows["tested_on"].max())
    return (
        f"On {n:,} test texts of AG's News, the errors of two networks may differ by {100 * difference:.1f} points by "
        "chance alone."
    )


def _on_tasks(table: pd.DataFrame) -> str:
    """A sentence on the number of training texts of the tasks; "" if there are none."""
    tasks = reductions(table)
    if not len(tasks):
        return ""
    n = tasks["trained_on"].max()
    return (
        f"To compare tasks, we trained the networks of each task on {n:,} texts. Its curve shows how much "
        "smaller the error is than with the smallest window. Most texts of the treebank and of TREC are shorter than "
        "the larger windows, so the claims on tasks below leave these two out. "
    )
