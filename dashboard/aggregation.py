"""What the Routing page shows of many trainings: whether routing helps, and how often it should go round."""

import pandas as pd
import streamlit as st

from dashboard import runs, trainings, widgets
from dashboard.figures import curves
from dashboard.figures.figure import Figure

NAMES = {
    "max": "max pooling",
    "mean": "average pooling",
    "attentive": "self-attention",
    "standard": "standard DR-AGG",
    "reversed": "reversed DR-AGG",
}
CORPORA = {"sst5": "SST-5", "sst2": "SST-2", "imdb": "IMDB"}


Drawn = tuple[dict[str, Figure], dict[str, pd.DataFrame]]  # figures and tables, by title


def measured() -> Drawn:
    """Draws the shipped sweeps, where there are any."""
    return _measured(runs.stamp("aggregation"), runs.stamp("iterations"))


@runs.draw_once
def _measured(*stamps: tuple[str, int]) -> Drawn:
    st.header("Does routing help, measured")
    if (compared := runs.swept("aggregation")) is None:
        trainings.to_be_measured("How routing does beside pooling and self-attention", "aggregation")
    else:
        _compared(compared)
    if (counted := runs.swept("iterations")) is None:
        trainings.to_be_measured("What iterations and capsules are worth", "iterations")
    else:
        figure = _counted(counted)
    tables = {title: t for title, t in (("table 3", compared), ("figure 2", counted)) if t is not None}
    return ({} if counted is None else {"SST-2 by iterations and capsules": figure}), tables


def _compared(table: pd.DataFrame) -> None:
    named = {"texts": table["corpus"].map(CORPORA), "aggregation": table["aggregation"].map(NAMES)}
    trainings.means(table.assign(**named), ["texts", "aggregation"])
    sizes = table.groupby("corpus", sort=False)[["trained_on", "tested_on"]].first()
    used = ", ".join(f"{CORPORA[n.Index]} {n.trained_on:,} and {n.tested_on:,}" for n in sizes.itertuples())
    apart = [(CORPORA[n], trainings.apart_by_chance(rows)) for n, rows in table.groupby("corpus", sort=False)]
    by_chance = ", ".join(f"{share:.1%} ({name})" for name, share in apart)
    st.caption(
        f"Best on the mean: {_best(table, 'test')}; in the paper: {_best(table.dropna(subset='paper'), 'paper')}. "
        "Test accuracy over one BiLSTM and under heads of one kind; routing has a layer of votes besides, and hands on "
        f"a wider encoding. {table['d'].iloc[0]} components a direction and a capsule instead of the paper's 200. "
        f"Trained on whole sentences, and on reviews cut after 200 words; texts to train on and to test on: {used}. "
        "The paper's IMDB has ten classes, and its self-attention and routing go sentence by sentence there: ours take "
        f"all words at once. Two networks may be as far apart by chance as {by_chance}. "
        f"{trainings.over_seeds(table)} Made by `{trainings.command('aggregation')}`."
    )


def _best(table: pd.DataFrame, by: str) -> str:
    """Which aggregation is best on each corpus."""
    means = table.groupby(["corpus", "aggregation"], sort=False)[by].mean()
    return ", ".join(f"{NAMES[means[n].idxmax()]} on {CORPORA[n]}" for n in means.index.unique("corpus"))


def _counted(table: pd.DataFrame) -> Figure:
    counts = {int(n): f"{n} capsule{'s' if n > 1 else ''}" for n in sorted(table["n_capsules"].unique())}
    figure = curves.error_curves(table, "n_capsules", counts, curves.ITERATIONS)
    widgets.charts({"SST-2 by iterations and capsules": figure}, columns=2)
    best = table.groupby(["n_capsules", "n_iters"])["test"].mean()
    said = ", ".join(f"{best[n].idxmax()} with {name}" for n, name in counts.items() if n > 1)
    st.caption(
        "Standard DR-AGG. The paper finds most at 3 iterations with several counts of capsules; the best counts of "
        f"iterations here: {said}. One capsule gets all of every word, however often routing goes round. "
        f"Two networks may be {trainings.apart_by_chance(table):.1%} apart by chance. "
        f"{trainings.over_seeds(table)} Made by `{trainings.command('iterations')}`."
    )
    return figure
