"""The whole test split: the paper's figures 2 and 3, and its observations compared with our numbers."""

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.phrases import SELECTED, count_lengths
from core.ledger.agt import NOTICED, observe
from core.ledger.claim import under_other_conditions
from dashboard.figures.attention import distribution, phrase_bars, top_words
from dashboard.runs import checkpoints
from dashboard.runs.pytorch import longest_phrase
from dashboard.screen.markdown import escape
from dashboard.screen.shown import Shown, draw_once

HOW_MEASURED = "python -m core.measured selections NAME --data DIR"


def draw_split(shown: Shown, name: str, chosen: np.ndarray, n_layers: int) -> None:
    """Draw the phrases that each layer selects in this sentence and, if measured, in the test split.

    Args:
        shown: record of the page.
        name: name of the checkpoint.
        chosen: whether each word of this sentence is selected, [l, i].
        n_layers: number of the network's layers.
    """
    left, right = st.columns(2)
    with left:
        figure = phrase_bars(count_lengths(chosen, longest_phrase()), n_layers)
        shown.draw_charts({"Phrases by their length, this sentence": figure}, columns=1)
    if checkpoints.measured("selections", name) is None:
        _name_command("The same chart for the test split")
        return
    stamp = checkpoints.stamp_of_weights("selections", name)
    with right:
        _draw_phrases(shown, name, stamp, n_layers)
    _draw_words(shown, name, stamp, n_layers)


def draw_observations(shown: Shown, name: str) -> None:
    """Draw the paper's observations, compared with this network's if they were measured.

    Args:
        shown: record of the page.
        name: name of the checkpoint.
    """
    st.header("What the paper observed, and what this network shows")
    if checkpoints.measured("selections", name) is None:
        _name_command("The answer for this network")
        return
    _draw_findings(shown, name, checkpoints.stamp_of_weights("selections", name))


def _name_command(subject: str) -> None:
    """Draw a sentence that names the command for a measurement. subject: first words of the sentence, singular."""
    st.caption(f"{subject} appears here once it has been measured for these weights: `{HOW_MEASURED}`.")


@draw_once
def _draw_phrases(shown: Shown, name: str, stamp: tuple, n_layers: int) -> None:
    figure = phrase_bars(checkpoints.measured("selections", name)["lengths"], n_layers)
    shown.draw_charts({"Phrases by their length, all test sentences": figure}, columns=1)


@draw_once
def _draw_words(shown: Shown, name: str, stamp: tuple, n_layers: int) -> None:
    measured = checkpoints.measured("selections", name)
    x_title = "attention, relative to the layer's maximum"
    charts = {
        "Words by the attention they get, all test sentences": distribution(
            measured["attention"], 1, x_title, "words", n_layers
        ),
        "Words that the chosen layer selects most often, all test sentences": top_words(
            measured["top_words"], measured["top_counts"], n_layers
        ),
    }
    shown.draw_charts(charts, columns=2)
    st.caption(
        f"Measured on {escape(str(measured['data']))}. For these sentences, a layer always selects the words above "
        f"{SELECTED}. The threshold that you choose does not change this."
    )
    shown.add_table("attention, test split", lambda: bins_table(measured["attention"], 1))
    shown.add_table("gates, test split", lambda: bins_table(measured["gates"], 2))
    shown.add_table("words, test split", lambda: words_table(measured))
    shown.add_table("phrase lengths, test split", lambda: lengths_table(measured["lengths"]))


@draw_once
def _draw_findings(shown: Shown, name: str, stamp: tuple) -> None:
    observed = observe(checkpoints.measured("selections", name))
    differs = checkpoints.about(name).metrics.paper.differs
    judged = [(claim, under_other_conditions(here, differs)) for claim, here in observed]
    rows = [(claim, here.text, here.verdict.value, here.note) for claim, here in judged]
    table = pd.DataFrame(rows, columns=["The paper observed", "Here", "Verdict", "Note"])
    st.table(table.map(lambda value: escape(str(value))), hide_index=True)
    st.caption(f"Two layers count as equal if their shares, or their numbers of words, differ by {NOTICED} or less.")
    shown.add_table("what the paper observed", lambda: table)


def bins_table(counts: np.ndarray, first: int) -> pd.DataFrame:
    """One row per layer and bin.

    Args:
        counts: number of values in each bin between 0 and 1, [l, bins].
        first: number of the first layer.
    """
    layer, k = (index.ravel() for index in np.indices(counts.shape))
    n_bins = counts.shape[1]
    return pd.DataFrame({"layer": layer + first, "from": k / n_bins, "to": (k + 1) / n_bins, "count": counts.ravel()})


def words_table(measured: dict[str, np.ndarray]) -> pd.DataFrame:
    """The words that each layer selects most often, one row per layer and rank."""
    layer, rank = (index.ravel() + 1 for index in np.indices(measured["top_words"].shape))
    words, counts = (measured[name].ravel() for name in ("top_words", "top_counts"))
    return pd.DataFrame({"layer": layer, "rank": rank, "word": words.astype(object), "selected": counts})


def lengths_table(counts: np.ndarray) -> pd.DataFrame:
    """The numbers of phrases by length, one row per layer. counts: [l, length]."""
    longest = counts.shape[1]
    table = pd.DataFrame(counts, columns=[*map(str, range(1, longest)), f"{longest} or more"])
    table.insert(0, "layer", np.arange(1, len(counts) + 1))
    return table
