"""Measured trainings: whether routing helps, and how many iterations it should take."""

import pandas as pd
import streamlit as st

from dashboard import runs
from dashboard.figures import curves
from dashboard.shared.shown import Shown
from dashboard.shared.trainings import chance_difference, command, draw_means, note_on_seeds, of_sweep

NAMES = {
    "max": "max pooling",
    "mean": "average pooling",
    "attentive": "self-attention",
    "standard": "standard DR-AGG",
    "reversed": "reversed DR-AGG",
}
TEXTS = {  # titles of the corpora by their names in the tables
    "sst5": runs.CORPORA["sst"].title_in(5),
    "sst2": runs.CORPORA["sst"].title_in(2),
    "imdb": runs.CORPORA["imdb"].title_in(2),
}


def draw_trainings(shown: Shown) -> None:
    """The shipped sweeps, or the commands that make them."""
    st.header("Does routing help, measured")
    _draw_aggregations(shown)
    _draw_iterations(shown)


@of_sweep("aggregation", "How routing does beside pooling and self-attention")
def _draw_aggregations(shown: Shown, table: pd.DataFrame) -> None:
    shown.add_table("table 3", lambda: table)
    named = {"texts": table["corpus"].map(TEXTS), "aggregation": table["aggregation"].map(NAMES)}
    draw_means(table.assign(**named), ["texts", "aggregation"])
    corpora = table.groupby("corpus", sort=False)
    sizes = corpora[["trained_on", "tested_on"]].first()
    used = ", ".join(f"{TEXTS[n.Index]} {n.trained_on:,} and {n.tested_on:,}" for n in sizes.itertuples())
    by_chance = ", ".join(f"{chance_difference(rows):.1%} ({TEXTS[name]})" for name, rows in corpora)
    st.caption(
        f"Best on the mean: {_best(table, 'test')}; in the paper: {_best(table.dropna(subset='paper'), 'paper')}. "
        "Test accuracy with the same BiLSTM below and the same kind of head above; routing also has a layer of votes, "
        f"and a wider encoding. {table['d'].iloc[0]} components a direction and a capsule instead of the paper's 200. "
        f"Trained on whole sentences, and on reviews cut after 200 words; texts to train and to test on: {used}. "
        "The paper's IMDB has ten classes, and its self-attention and routing work sentence by sentence there; ours "
        f"take all words at once. By chance alone two networks may differ by {by_chance}. "
        f"{note_on_seeds(table)} Made by `{command('aggregation')}`."
    )


def _best(table: pd.DataFrame, column: str) -> str:
    """Which aggregation is best on each corpus."""
    means = table.groupby(["corpus", "aggregation"], sort=False)[column].mean()
    return ", ".join(f"{NAMES[means[n].idxmax()]} on {TEXTS[n]}" for n in means.index.unique("corpus"))


@of_sweep("iterations", "What iterations and capsules are worth")
def _draw_iterations(shown: Shown, table: pd.DataFrame) -> None:
    shown.add_table("figure 2", lambda: table)
    counts = {int(n): f"{n} capsule{'s' if n > 1 else ''}" for n in sorted(table["n_capsules"].unique())}
    figure = curves.error_curves(table, "n_capsules", counts, curves.ITERATIONS)
    shown.draw_charts({"SST-2 by iterations and capsules": figure}, columns=2)
    accuracy = table.groupby(["n_capsules", "n_iters"])["test"].mean()
    best = ", ".join(f"{accuracy[n].idxmax()} with {name}" for n, name in counts.items() if n > 1)
    st.caption(
        "Standard DR-AGG. In the paper 3 iterations are best for several numbers of capsules; the best numbers of "
        f"iterations here: {best}. A single capsule gets every word whole, however many iterations there are. "
        f"By chance alone two networks may differ by {chance_difference(table):.1%}. "
        f"{note_on_seeds(table)} Made by `{command('iterations')}`."
    )
