"""Measured trainings: accuracy by aggregation, and by the number of iterations."""

import pandas as pd
import streamlit as st

from core import ledger
from core.datasets import CORPORA
from core.ledger import dragg
from core.ledger.claim import sweep_command
from core.sentences.words import capital, listed
from dashboard.figures import curves
from dashboard.screen.shown import Shown
from dashboard.screen.trainings import (
    chance_difference,
    draw_claims,
    draw_means,
    draw_own_training,
    note_on_seeds,
    sweep_section,
)

NAMES = {
    "max": "max pooling",
    "mean": "average pooling",
    "attentive": "self-attention",
    "standard": "standard DR-AGG",
    "reversed": "reversed DR-AGG",
}
EQUAL_FIRST = ", equal couplings in the first epoch"
TEXTS = {  # titles of the corpora by name in the tables
    "sst5": CORPORA["sst"].title_in(5),
    "sst2": CORPORA["sst"].title_in(2),
}


def draw_trainings(shown: Shown, name: str) -> None:
    """Draw the shipped sweeps, or the commands that make them. name: name of the page's network."""
    st.header("Does routing help?")
    draw_own_training(name)
    _draw_aggregations(shown)
    _draw_iterations(shown)


@sweep_section("aggregation", "The comparison of routing with pooling and self-attention")
def _draw_aggregations(shown: Shown, table: pd.DataFrame) -> None:
    shown.add_table("table 3", lambda: table)
    names = table["aggregation"].map(NAMES) + table["equal_epochs"].map({0: "", 1: EQUAL_FIRST})
    named = {"texts": table["corpus"].map(TEXTS), "aggregation": names}
    vectors = table["glove"].map({False: "word pieces", True: "word pieces and GloVe"})
    draw_means(table.assign(**named, vectors=vectors), ["texts", "vectors", "aggregation"])
    corpora = table.groupby("corpus", sort=False)
    sizes = corpora[["trained_on", "tested_on"]].first()
    used = "; ".join(
        f"{TEXTS[n.Index]}: {n.trained_on:,} for training, {n.tested_on:,} for testing" for n in sizes.itertuples()
    )
    by_chance = " or ".join(f"{100 * chance_difference(rows):.1f} points ({TEXTS[name]})" for name, rows in corpora)
    draw_claims(shown, ledger.read(dragg.PAPER, "sweeps/aggregation.parquet"))
    best = _best(table[table["glove"] & (table["equal_epochs"] == 0)])
    st.caption(
        f"{best}All networks have the same BiLSTM and the same kind of head. Routing adds a layer of votes and a wider "
        f"encoding. As in the paper, we use whole sentences ({used}). Dropout, batches (64), initialization (Xavier) "
        f"and sizes ({table['d'].iloc[0]} components per direction and per capsule) are the paper's, too. The dev "
        "split chooses the weights. With word pieces alone, two things differ: we train for 10 epochs with AdamW and "
        "cosine decay, and start from the vectors of MiniLM's word pieces. With GloVe, we train as in the paper, with "
        "Adam and step decay until 7 epochs in a row bring no gain, and start from 50 components of GloVe as well; the "
        "paper starts from 300. Equal couplings in the first epoch are ours, not the paper's: they keep one capsule "
        "from taking nearly all words before the others have learned anything. The claims are about the networks "
        "with GloVe and with free couplings from the start. By chance alone, the test accuracies "
        f"of two networks may differ by {by_chance}. {note_on_seeds(table)} Made by `{sweep_command('aggregation')}`."
    )


def _best(table: pd.DataFrame) -> str:
    """A sentence on the best aggregation for each corpus on which all are measured."""
    complete = table[table.groupby("corpus")["aggregation"].transform("nunique") == len(NAMES)]
    means = complete.groupby(["corpus", "aggregation"], sort=False)[["test", "paper"]].mean()
    best = {column: _name_best(means[column].unstack()) for column in means}
    return f"{capital(best['test'])}. In the paper, {best['paper']}. " if len(means) else ""


def _name_best(means: pd.DataFrame) -> str:
    """The best aggregation of each corpus (a row), as in "max pooling has the highest mean on SST-5"."""
    corpora_by_name = means.index.to_series().groupby(means.idxmax(axis="columns"), sort=False).apply(list)
    return " and ".join(
        f"{NAMES[name]} has the highest mean on {listed([TEXTS[corpus] for corpus in corpora])}"
        for name, corpora in corpora_by_name.items()
    )


@sweep_section("iterations", "The value of iterations and capsules")
def _draw_iterations(shown: Shown, table: pd.DataFrame) -> None:
    shown.add_table("figure 2", lambda: table)
    counts = {int(n): f"{n} capsule{'s' if n > 1 else ''}" for n in sorted(table["n_capsules"].unique())}
    figure = curves.error_curves(table, "n_capsules", counts, curves.ITERATIONS)
    shown.draw_charts({"SST-2 by iterations and capsules": figure}, columns=2)
    st.caption(
        "These are networks with standard DR-AGG. In the paper, 3 iterations are best with 2, 3 or 4 capsules. "
        f"{_best_iterations(table, counts)}{_worth_of_iterations(table)}A single capsule takes all of every word, "
        f"whatever the number of iterations. {note_on_seeds(table)} Made by `{sweep_command('iterations')}`."
    )


def _best_iterations(table: pd.DataFrame, counts: dict[int, str]) -> str:
    """A sentence on the best number of iterations for each number of capsules with complete measurements."""
    best = listed([f"{t} for {counts[n]}" for n, (t, _) in dragg.best_iterations(table).items()])
    return f"Here, the best number of iterations is {best}. " if best else ""


def _worth_of_iterations(table: pd.DataFrame) -> str:
    """A sentence on the gain of three iterations over one, for all networks with several capsules."""
    gain = dragg.gain_of_iterations(table)
    if gain is None:
        return ""
    interval = ", ".join(filter(None, (f"95% interval {gain.low:+.1f} to {gain.high:+.1f}", gain.note)))
    changed = f"With several capsules, three iterations instead of one change accuracy by {gain.text}"
    return f"{changed} ({interval}). The verdict: {gain.verdict}. "
