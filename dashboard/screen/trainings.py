"""Tables and sentences on the trainings of a sweep."""

import math
import re
from collections.abc import Callable
from functools import wraps
from statistics import fmean

import pandas as pd
import streamlit as st

from core.analysis.intervals import interval_of_mean
from core.analysis.verdict import Verdict
from core.ledger.claim import sweep_command
from core.ledger.words import with_interval
from core.measured.store import read_sweep, stamp_of_sweep
from dashboard.runs import checkpoints
from dashboard.runs.pytorch import count_trainings
from dashboard.screen.markdown import escape
from dashboard.screen.shown import Shown, draw_once

PERCENT = ("mean", "from", "to", "std", "min", "max", "paper")  # columns with shares
MAX_DATA = 300  # characters about the training data
OTHERS = (
    "The networks of these tables were trained to be compared with each other. The network above is a different one: "
    "its test accuracy is **{accuracy:.1%}**, and it learned from {data}. A line below each table names the data that "
    "its networks learned from."
)
DrawTable = Callable[[Shown, pd.DataFrame], None]
DrawSection = Callable[[Shown], None]


def sweep_section(name: str, content: str) -> Callable[[DrawTable], DrawSection]:
    """Decorate a function that draws the table of a sweep, so that it is replayed until the table changes.

    Args:
        name: name of the sweep.
        content: name of the section's content, for the sentence that is shown while there is no table.
    """

    def make_section(draw: DrawTable) -> DrawSection:
        @draw_once
        @wraps(draw)
        def draw_table(shown: Shown, stamp: tuple[str, int]) -> None:
            table = read_sweep(name)
            if table is None:
                draw_not_trained_yet(content, name)
            else:
                draw(shown, table)
                draw_missing(name)

        return wraps(draw)(lambda shown: draw_table(shown, stamp_of_sweep(name)))

    return make_section


def draw_not_trained_yet(content: str, sweep: str) -> None:
    """Say that the content of a section is not measured yet, and which command measures it."""
    st.caption(f"{content} is not measured yet: `{sweep_command(sweep)}` trains the networks for it.")


def draw_missing(sweep: str) -> None:
    """Say how many trainings of a sweep are missing; draw nothing if none is."""
    missing, planned = count_trainings(sweep)
    if missing:
        st.caption(f"Not measured yet: {missing:,} of {planned:,} trainings. `{sweep_command(sweep)}` runs them.")


def draw_own_training(name: str) -> None:
    """Say that the networks of the tables are others than the page's, and what this one reaches and learned from."""
    metrics = checkpoints.about(name).metrics
    data = re.split("[:;]", str(metrics.training.get("data", "")))[0]
    if metrics.test.accuracy is not None and data:
        st.markdown(OTHERS.format(accuracy=metrics.test.accuracy, data=escape(data[:MAX_DATA])))


def note_on_seeds(table: pd.DataFrame) -> str:
    """A note on the seeds behind the lines and bars of a figure."""
    if table["seed"].nunique() == 1:
        return "One seed each."
    return "Lines and means are averages over seeds. Bars reach from the worst seed to the best."


def chance_difference(table: pd.DataFrame) -> float:
    """The largest difference that the accuracies of two networks on a table's test texts probably have by chance.

    It is 1.96 standard deviations of a difference of two shares: 95% of differences by chance are smaller.
    """
    right = table["test"].mean()
    return 1.96 * math.sqrt(2 * right * (1 - right) / table["tested_on"].max())


def means(table: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """The mean test accuracy over seeds with its 95% interval, compared with the paper's.

    Args:
        table: table with one row per training.
        by: columns that identify a network.
    """
    rows = []
    for names, group in table.groupby(by, sort=False):
        shares, paper = group["test"].tolist(), group["paper"].iloc[0]
        low, high = interval_of_mean(shares, int(group["tested_on"].max()))
        inside = "" if pd.isna(paper) else "yes" if low <= paper <= high else "no"
        row = {"mean": fmean(shares), "from": low, "to": high, "paper": paper, "paper in interval": inside}
        rows.append(dict(zip(by, names, strict=True)) | row | {"trainings": len(shares)})
    return pd.DataFrame(rows)


def draw_means(table: pd.DataFrame, by: list[str]) -> None:
    """Draw the table of ``means``."""
    if len(table):
        draw_summary(means(table, by))
    else:
        st.caption("Not measured yet.")


def draw_claims(shown: Shown, claims: pd.DataFrame) -> None:
    """Draw claims of a paper with our measurements.

    Args:
        shown: record of the page.
        claims: rows of ``core.ledger.read``.
    """
    measured = claims[claims["verdict"] != Verdict.NOT_MEASURED]
    if missing := len(claims) - len(measured):
        st.caption(f"Not measured yet: {missing} of the {len(claims)} claims that these trainings can judge.")
    if measured.empty:
        return
    table = pd.DataFrame(
        {
            "The paper": measured["claim"] + ", " + measured["place"],
            "its number": measured["the paper's"],
            "Here (95% interval)": [with_interval(row, " ({})") for row in measured.to_dict("records")],
            "Verdict": measured["verdict"],
            "Note": measured["note"],
        }
    )
    st.table(table.map(lambda value: escape(str(value))), hide_index=True)
    shown.add_table("what the paper claims", lambda: table)


def draw_summary(summary: pd.DataFrame) -> None:
    """Draw a table with one row per network and accuracies as percentages."""
    percent = st.column_config.NumberColumn(format="percent")
    st.dataframe(
        summary.rename(columns={"count": "trainings"}),
        hide_index=True,
        height="content",
        column_config={name: percent for name in PERCENT if name in summary},
    )
