"""What the DRNN page shows of many trainings: measured curves, what the paper found, a small sweep to start."""

import numpy as np
import pandas as pd
import streamlit as st

from dashboard import runs, trainings, widgets
from dashboard.figures import curves as figures
from dashboard.figures.figure import Figure

UNITS = {"gru": "DGRU", "lstm": "DLSTM", "rnn": "plain DRNN", "cnn": "CNN"}
POOLINGS = {"max": "max", "mean": "mean", "attentive": "attentive"}
TASKS = {
    "ag_news": "topic, AG's News",
    "dbpedia": "topic, DBpedia",
    "trec": "topic, TREC",
    "sst": "sentiment, SST-2",
    "imdb": "sentiment, IMDB",
}
AROUND = {"corpus": "ag_news", "unit": "gru", "pooling": "max", "size": 0}  # what is varied is varied around this


Drawn = tuple[dict[str, Figure], dict[str, pd.DataFrame]]  # figures and tables, by title


def measured() -> Drawn:
    """Draws the shipped sweep, where there is one."""
    return _measured(runs.stamp("windows"))


@runs.draw_once
def _measured(stamp: tuple[str, int]) -> Drawn:
    st.header("Which window is best, measured")
    table = runs.swept("windows")
    if table is None:
        trainings.to_be_measured("Error by window", "windows")
        return {}, {}
    sizes = {0: "all texts"} | {int(n): f"{n:,} texts" for n in sorted(set(table["size"]) - {0})}
    shown = {
        "By unit, AG's News": _curves(table, "unit", UNITS),
        "By pooling, DGRU on AG's News": _curves(table, "pooling", POOLINGS),
        "By task, DGRU": _curves(table, "corpus", TASKS),
        "By training texts, DGRU on AG's News": _curves(table, "size", sizes),
    }
    charts = {title: figure for title, figure in shown.items() if figure is not None}
    widgets.charts(charts, columns=2)
    st.caption(
        f"Small networks, {table['d'].iloc[0]} components wide instead of the paper's 300, on samples: compare curves, "
        f"not errors, with the paper. By task they were trained on {_samples(table)} texts. "
        f"{trainings.over_seeds(table)} Made by `{trainings.command('windows')}`."
    )
    st.subheader("What the paper found, and what these networks show")
    found = findings(table)
    st.table(found.map(lambda said: widgets.plain(str(said))), hide_index=True)
    st.caption(_chance(table))
    return charts, {"sweep of windows": table, "what the paper found": found}


def _curves(table: pd.DataFrame, by: str, names: dict) -> Figure | None:
    """Of the rows in which nothing else is varied; None where there are none."""
    rows = _around(table, by)
    rows = rows[rows[by].isin(list(names))]
    return figures.error_curves(rows, by, names) if len(rows) else None


def _chance(table: pd.DataFrame) -> str:
    rows = _around(table, "window")
    apart, n = trainings.apart_by_chance(rows), int(rows["tested_on"].max())
    return f"On {n:,} test texts of AG's News two errors that are less than {apart:.1%} apart may be so by chance."


def _samples(table: pd.DataFrame) -> str:
    """How many texts of each task."""
    whole = _around(table, "corpus").groupby("corpus", sort=False)["trained_on"].max()
    return ", ".join(f"{n:,} ({TASKS[corpus]})" for corpus, n in whole.items() if corpus in TASKS)


def _around(table: pd.DataFrame, by: str) -> pd.DataFrame:
    """The rows in which nothing but ``by`` is varied."""
    held = [table[name].to_numpy() == value for name, value in AROUND.items() if name != by]
    return table[np.logical_and.reduce(held)]


def findings(table: pd.DataFrame) -> pd.DataFrame:
    """The paper's findings (its sections 4.3 to 4.5), ours in numbers, and whether they agree."""
    rows = []

    def add(theirs: str, ours: str, agree: bool) -> None:
        rows.append((theirs, ours, "yes" if agree else "no"))

    units = _errors(table, "unit")
    for unit, theirs in (("cnn", 3), ("gru", 15), ("lstm", 5)):
        if unit in units:
            best, least = units[unit].idxmin(), units[unit].min()
            at_theirs = f"; at {theirs} it is {units[unit][theirs]:.1%}" if theirs in units[unit] else ""
            said = f"{UNITS[unit]}: {best}, error {least:.1%}{at_theirs}"
            add(f"The best window of the {UNITS[unit]} on AG's News is {theirs}", said, _near(best, theirs))
    if "rnn" in units and units["rnn"].index.max() >= 15:
        short, long = units["rnn"].loc[:10].min(), units["rnn"].loc[15:].min()
        said = f"At its best it errs by {short:.1%} up to window 10, by {long:.1%} beyond"
        add("The plain unit collapses beyond a window of 10", said, bool(long > 1.5 * short))
    poolings = _errors(table, "pooling")
    if len(poolings) == len(POOLINGS):
        least = {name: errors.min() for name, errors in poolings.items()}
        said = ", ".join(f"{name} {error:.1%}" for name, error in least.items()) + " at the best window of each"
        add("Max pooling is better than mean and attentive pooling", said, min(least, key=least.__getitem__) == "max")
    tasks = {name: int(errors.idxmin()) for name, errors in _errors(table, "corpus").items()}
    if len(tasks) > 1:
        said = ", ".join(f"{TASKS[name]} {best}" for name, best in tasks.items())
        topic, sentiment = ([b for n, b in tasks.items() if TASKS[n].startswith(w)] for w in ("topic", "sentiment"))
        agree = bool(topic and sentiment) and max(topic) < min(sentiment)
        add("Topics want a window near 15, sentiment one of 40 or more", said, agree)
    sizes = {name: int(errors.idxmin()) for name, errors in _errors(table, "size").items()}
    if len(sizes) > 1:
        said = ", ".join(f"{name:,} texts: {best}" if name else f"all: {best}" for name, best in sorted(sizes.items()))
        add(
            "The best window hardly depends on how many texts there are",
            said,
            max(sizes.values()) <= 2 * min(sizes.values()),
        )
    return pd.DataFrame(rows, columns=["The paper found", "Here", "They agree"])


def _near(best: int, theirs: int) -> bool:
    """Within a factor of two, which is about a step of the windows that were tried."""
    return theirs / 2 <= best <= 2 * theirs


def _errors(table: pd.DataFrame, by: str) -> dict:
    """By value of ``by``: mean error by window, where the largest window has been trained."""
    rows, largest = _around(table, by), table["window"].max()
    rows = rows[rows[by] != "made"]
    errors = {name: 1 - group.groupby("window")["test"].mean() for name, group in rows.groupby(by)}
    return {name: e for name, e in errors.items() if e.index.max() == largest}


def to_start() -> None:
    """Draws the small sweep, and the buttons that start and cancel it."""
    st.header("A small sweep of your own")
    st.markdown(
        f"Texts are made in which *key* comes up to {runs.FARTHEST} words before *lock*, or after it, and networks "
        "learn which. Only a window that holds both words can tell, so that the least possible error is known for "
        "every window. It runs beside the dashboard, in a process of its own, and takes minutes; there is one for all "
        "who use this server."
    )
    sweep = runs.small_sweep()
    with st.container(horizontal=True):
        st.button("Start", icon=":material/play_arrow:", on_click=sweep.start, disabled=sweep.runs, key="start sweep")
        st.button("Cancel", icon=":material/stop:", on_click=sweep.cancel, disabled=not sweep.runs, key="cancel sweep")
    st.fragment(_progress, run_every=2 if sweep.runs else None)(sweep.runs)


def _progress(ran: bool) -> None:
    """Draws how far it is. ran: whether it ran when the page was drawn."""
    sweep = runs.small_sweep()
    if ran and not sweep.runs:
        st.rerun()  # for the buttons
    rows = sweep.rows()
    state = "running" if sweep.runs else "not running"
    st.progress(len(rows) / runs.N_SMALL, f"{len(rows)} of {runs.N_SMALL} trainings, {state}")
    if sweep.failed:
        st.error(widgets.plain(f"The sweep ended early: {sweep.failed}"), icon=":material/error:")
    if len(rows):
        best = pd.DataFrame({"unit": "best", "window": rows["window"].unique()})
        best["test"] = best["window"].map(runs.at_best)
        figure = figures.error_curves(pd.concat([rows, best]), "unit", UNITS | {"best": "least possible"})
        st.vega_lite_chart(*figure, alt="Test error of the small sweep by window")
