"""What the AGT page shows of the whole test split: its figures 2 and 3, what attention is worth, what the paper saw."""

import numpy as np
import pandas as pd
import streamlit as st

from dashboard import runs, trainings, widgets
from dashboard.figures import composition as figures
from dashboard.figures.figure import Figure

Drawn = tuple[dict[str, Figure], dict[str, pd.DataFrame]]  # figures and tables, by title
HOW_MEASURED = "python -m core.measured selections NAME --data DIR"
NEAR_ZERO = 2  # bins: below .1
MIDDLE = range(6, 11)  # of 15 layers, the first being 1
NOTICED = 0.05  # shares, or words, by which layers differ at least to count as different


def of_the_split(name: str, own: np.ndarray, n_layers: int) -> Drawn:
    """Draws what each layer selects of this sentence and, where it was measured for these weights, of the test split.

    Args:
        name: of the checkpoint.
        own: phrases of this sentence by layer and length, as ``runs.lengths`` counts them.
    """
    st.header("Phrases and words, here and over all test sentences")
    left, right = st.columns(2)
    charts = {"Phrases by their length, this sentence": figures.phrase_bars(own, n_layers)}
    with left:
        widgets.charts(charts, columns=1)
    if runs.measured("selections", name) is None:
        st.caption(f"Over the test split it is shown once it is measured for these weights: `{HOW_MEASURED}`.")
        return charts, {}
    stamp = runs.stamp_of_weights("selections", name)
    with right:
        charts |= _phrases_of_the_split(name, stamp, n_layers)
    more, tables = _of_the_split(name, stamp, n_layers)
    return charts | more, tables


@runs.draw_once
def _phrases_of_the_split(name: str, stamp: tuple, n_layers: int) -> dict[str, Figure]:
    lengths = runs.measured("selections", name)["lengths"]
    charts = {"Phrases by their length, all test sentences": figures.phrase_bars(lengths, n_layers)}
    widgets.charts(charts, columns=1)
    return charts


@runs.draw_once
def _of_the_split(name: str, stamp: tuple, n_layers: int) -> Drawn:
    measured = runs.measured("selections", name)
    attention, lengths = measured["attention"], measured["lengths"]
    charts = {
        "Words by the attention they get, all test sentences": figures.distribution(
            attention, 1, "share of the layer's largest", "words", n_layers
        ),
        "Words that the chosen layer selects most often in them": figures.top_words(
            measured["top_words"], measured["top_counts"], n_layers
        ),
    }
    widgets.charts(charts, columns=2)
    st.caption(
        f"Measured on {widgets.plain(str(measured['data']))}; selected there is above {runs.SELECTED}, whatever is "
        "chosen for this sentence."
    )
    st.subheader("What the paper saw, and what this network shows")
    seen = findings(measured)
    st.table(seen.map(lambda said: widgets.plain(str(said))), hide_index=True)
    st.caption(f"Layers that differ by {NOTICED} or less, in shares or in words, are taken to be alike.")
    tables = {"attention": of_layers(attention, 1), "gates": of_layers(measured["gates"], 2)}
    layer, rank = (index.ravel() + 1 for index in np.indices(measured["top_words"].shape))
    words, counts = (measured[name].ravel() for name in ("top_words", "top_counts"))
    tables["words"] = pd.DataFrame({"layer": layer, "rank": rank, "word": words.astype(object), "selected": counts})
    phrases = pd.DataFrame(lengths, columns=[*map(str, range(1, runs.MAX_LENGTH)), f"{runs.MAX_LENGTH} or more"])
    phrases.insert(0, "layer", np.arange(1, len(lengths) + 1))
    named = {f"{name}, test split": table for name, table in (tables | {"phrase lengths": phrases}).items()}
    return charts, named | {"what the paper saw": seen}


def of_layers(counts: np.ndarray, first: int) -> pd.DataFrame:
    """One row a layer and bin. counts: [l, bins] of values from 0 to 1."""
    layer, k = (index.ravel() for index in np.indices(counts.shape))
    n_bins = counts.shape[1]
    return pd.DataFrame({"layer": layer + first, "from": k / n_bins, "to": (k + 1) / n_bins, "count": counts.ravel()})


def findings(measured: dict[str, np.ndarray]) -> pd.DataFrame:
    """The paper's observations (its section 3), the same of this network in numbers, and whether they agree."""
    attention, counts = measured["attention"], measured["lengths"]
    spiky = (attention[:, 0] + attention[:, -1]).sum() / attention.sum()
    top = [str(word) for word in measured["top_words"][0, :3]]
    single = counts[:, 0] / np.maximum(1, counts.sum(1))
    mean = counts @ np.arange(1, counts.shape[1] + 1) / np.maximum(1, counts.sum(1))
    longest = int(mean.argmax()) + 1
    middle = single[[layer - 1 for layer in MIDDLE if layer <= len(single)] or [-1]].mean()
    rows = [
        (
            "Most attention weights are near 0 or near 1",
            f"{spiky:.0%} of the words get less than .05 or more than .95",
            _yes(spiky > 0.5),
        ),
        (
            "The first layer most often selects n't, never, not",
            "It most often selects " + ", ".join(f"“{word}”" for word in top),
            _yes(set(top) == {"n't", "never", "not"}),
        ),
        (
            "Low layers select single words, higher ones phrases",
            f"Phrases of one word: {single[0]:.0%} in layer 1, {middle:.0%} in layers 6 to 10",
            _yes(single[0] - middle > NOTICED),
        ),
        (
            "The middle layers (8, 9) have the longest phrases",
            f"Layer {longest} has the longest, {mean[longest - 1]:.2f} words in the mean; layer 1 {mean[0]:.2f}, "
            f"the last {mean[-1]:.2f}",
            _yes(longest in MIDDLE and mean[longest - 1] - max(mean[0], mean[-1]) > NOTICED),
        ),
    ]
    gates = measured["gates"]
    if len(gates):
        near_zero = gates[:, :NEAR_ZERO].sum(1) / gates.sum(1)
        most = int(near_zero.argmax()) + 2
        rows.append(
            (
                "Gates are near 0 in the middle layers, away from it at both ends",
                f"Components below .1: most in layer {most}, {near_zero.max():.0%}; layer 2 {near_zero[0]:.0%}, "
                f"the last {near_zero[-1]:.0%}",
                _yes(most in MIDDLE and near_zero.max() - max(near_zero[0], near_zero[-1]) > NOTICED),
            )
        )
    return pd.DataFrame(rows, columns=["The paper saw", "Here", "They agree"])


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"


def ablation() -> Drawn:
    """Draws what attention in all layers is worth, where the trainings were made."""
    return _ablation(runs.stamp("attention"))


@runs.draw_once
def _ablation(stamp: tuple[str, int]) -> Drawn:
    st.header("What attention in every layer is worth")
    table = runs.swept("attention")
    if table is None:
        trainings.to_be_measured("The ablation", "attention")
        return {}, {}
    figure = figures.ablation(table)
    summary = table.groupby("attending")["test"].agg(["mean", "std", "min", "max", "count"]).reset_index()
    summary.insert(1, "paper", table.groupby("attending")["paper"].first().to_numpy())
    summary = summary.sort_values("attending", ascending=False)
    left, right = st.columns(2)
    left.vega_lite_chart(*figure, alt="Test accuracy by the number of layers that attend")
    percent = st.column_config.NumberColumn(format="percent")
    right.dataframe(
        summary.rename(columns={"attending": "layers that attend", "count": "trainings"}),
        hide_index=True,
        column_config=dict.fromkeys(("paper", "mean", "std", "min", "max"), percent),
    )
    right.caption(
        "15 layers is the paper's network; 3 keeps s_l for l ≤ 2, 1 for l = 0 only, where the other layers are those "
        "of a plain highway network. All learned from labels alone, as the paper's did; `agt-sst5`, which learned from "
        "DR-AGG's answers besides, is not among them. One training a seed, weights chosen on the dev split: "
        f"`{trainings.command('attention')}`."
    )
    return {"Test accuracy": figure}, {"ablation": table}
