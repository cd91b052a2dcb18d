"""Measured trainings: whether routing helps, and how many iterations it should take."""

import pandas as pd
import streamlit as st

from core.analysis.intervals import interval_of_difference
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
        f"Best on the mean: {_best(table, 'test')}; in the paper: {_best(table, 'paper')}. Test accuracy with the same "
        "BiLSTM below and the same kind of head above; routing also has a layer of votes, and a wider encoding. As in "
        f"the paper, trained on whole sentences ({used} to train and to test on), {table['d'].iloc[0]} components a "
        "direction and a capsule, its dropout, batches of 64 and Xavier's start; weights are chosen on the dev split. "
        "Here for 10 epochs by AdamW with cosine decay, from MiniLM's word pieces; there until 7 epochs bring no gain, "
        f"by Adam with step decay, from GloVe. By chance alone two networks may differ by {by_chance}. "
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
        f"iterations here: {best}. {_worth_of_iterations(table)}A single capsule gets every word whole, however many "
        f"iterations there are. {note_on_seeds(table)} Made by `{command('iterations')}`."
    )


def _worth_of_iterations(table: pd.DataFrame) -> str:
    """How much more accurate three iterations are than one, over all networks with several capsules, as a sentence."""
    several = table[table["n_capsules"] > 1]
    one, three = (several[several["n_iters"] == n]["test"].tolist() for n in (1, 3))
    if not (one and three):
        return ""
    low, high = interval_of_difference(three, one, int(table["tested_on"].max()))
    verdict = "more" if low > 0 else "less" if high < 0 else "neither more nor less, within chance,"
    gain = f"{50 * (low + high):+.1f} points, 95% interval {100 * low:+.1f} to {100 * high:+.1f}"
    return f"With several capsules three iterations are worth {verdict} than one: {gain}. "
