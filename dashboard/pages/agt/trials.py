"""Measured trainings: accuracy by the number of layers with attention, and phrases in changed trainings."""

import numpy as np
import pandas as pd
import streamlit as st

from core.ledger.agt import ENCOURAGED, LEARNED, USUAL
from core.ledger.claim import sweep_command
from dashboard.figures import attention
from dashboard.figures.curves import ablation
from dashboard.screen.shown import Shown
from dashboard.screen.trainings import draw_means, sweep_section


@sweep_section("attention", "The ablation of attention")
def draw_ablation(shown: Shown, table: pd.DataFrame) -> None:
    """Draw the accuracy by the number of layers with attention."""
    st.header("Does attention in every layer help?")
    left, right = st.columns(2)
    with left:
        shown.draw_chart("Test accuracy", ablation(table), "Test accuracy by the number of layers that attend")
    shown.add_table("ablation", lambda: table)
    with right:
        draw_means(table.rename(columns={"attending": "layers that attend"}), ["layers that attend"])
        st.caption(
            "The paper's network has attention in all 15 layers. “3” means that only the first three layers have it, "
            "“1” that only the first layer has it. The other layers are plain highway layers. All networks learned "
            "from labels alone, as in the paper, and their attention starts as usual. So `agt-sst5` and "
            "`agt-taught-sst5` are not among them. There is one training per seed; the dev split chooses the weights. "
            f"Made by `{sweep_command('attention')}`."
        )


@sweep_section("composition", "What makes the layers select phrases")
def draw_trials(shown: Shown, table: pd.DataFrame) -> None:
    """Draw the accuracy of each changed training and the length of its phrases, the longest phrases first."""
    st.header("What makes the layers select phrases?")
    table = table.loc[summarize(table)["mean length"].sort_values(ascending=False).index]
    summary = summarize(table)
    st.markdown(finding(summary))
    percent, length = (st.column_config.NumberColumn(format=format) for format in ("percent", "%.2f"))
    shares = dict.fromkeys(("dev", "test", "constituents", "by chance", "from", "to"), percent)
    columns = shares | {"mean length": length, "longest": length}
    st.dataframe(summary, hide_index=True, height="content", column_config=columns)
    shown.add_table("composition", lambda: summary)
    several = table["trial"].duplicated(keep=False)
    names = table["trial"].where(~several, table["trial"] + ", seed " + table["seed"].astype(str))
    by_layer = attention.lengths_by_layer([list(row) for row in table["lengths"]], names.tolist())
    shown.draw_charts({"Length of the phrases that each layer selects": by_layer}, columns=1)
    st.caption(
        "In the paper, layers learn to select phrases of several words. Its author attributes this to a gate bias of "
        "1. Each row names how its training differs from the usual start, and its seed. All networks learned only from "
        "labels. Aligned attention means that the rows of each attention matrix start equal and large. So tanh "
        "saturates, and many words share the largest score. The table has two mean lengths of selected phrases: over "
        "all layers, and in the layer with the longest phrases. They count words of the dev sentences. A constituent "
        "is a phrase of the sentence's tree. For some trainings, we counted how many selected phrases of two or more "
        "words are constituents. For these, the table has the share, the share by chance, and the interval of the "
        f"difference. Made by `{sweep_command('composition')}`."
    )


def finding(summary: pd.DataFrame) -> str:
    """Sentences on the change whose phrases are constituents most often beyond chance, and on its accuracy.

    Compared are changes with long phrases, and of these the ones with the most trainings. Where no constituents were
    counted, the sentence is on the longest phrases.
    """
    learned = summary[summary["dev"] > LEARNED]
    if learned.empty:
        return "None of these trainings learned anything."
    top = learned.loc[learned["mean length"].idxmax()]
    lengths = f"{top['mean length']:.2f} words on average, {top['longest']:.2f} in layer {top['in layer']}"
    if top["mean length"] < ENCOURAGED:
        none = "No training" if len(learned) == 1 else f"None of {len(learned)} trainings"
        longest = f"training “{top['trial']}” (accuracy on the dev split {top['dev']:.1%})"
        idle = len(summary) - len(learned)
        note = f" We left out {idle} more training{'s' * (idle > 1)}, which learned nothing." if idle else ""
        return f"{none} makes the layers select phrases. The longest phrases come from the {longest}: {lengths}.{note}"
    long = learned[learned["mean length"] >= ENCOURAGED]
    counted = long.dropna(subset=["constituents"]) if "constituents" in long else long[:0]
    if counted.empty:
        sentence = f"The longest phrases come from the training “{top['trial']}”: {lengths}."
        return f"{sentence}{_cost(learned, top['trial'])}"
    sizes = counted.groupby("trial")["seed"].transform("size")
    gains = (counted["constituents"] - counted["by chance"])[sizes == sizes.max()].groupby(counted["trial"]).mean()
    best = str(gains.idxmax())
    return f"{_constituents(counted[counted['trial'] == best])}{_cost(learned, best)}"


def _cost(learned: pd.DataFrame, trial: str) -> str:
    """A sentence on what a trial costs or gains in accuracy; "" if the usual start is not among the trainings."""
    accuracies = learned.groupby("trial")["test"].agg(["mean", "size"])
    if USUAL not in accuracies.index or trial == USUAL:
        return ""
    ours, usual = accuracies.loc[trial], accuracies.loc[USUAL]
    n, n_usual = (f"{size:.0f} training{'s' * bool(size > 1)}" for size in (ours["size"], usual["size"]))
    return (
        f" The test accuracy with this change is {ours['mean']:.1%} ({n}); that of the usual start is "
        f"{usual['mean']:.1%} ({n_usual})."
    )


def _constituents(trainings: pd.DataFrame) -> str:
    """Sentences on the share of the phrases that are constituents, as the mean over trainings of one change."""
    mean = trainings[["constituents", "by chance", "mean length"]].mean()
    low, high = f"{100 * trainings['from'].min():+.0f}", f"{100 * trainings['to'].max():+.0f}"
    change, n = trainings["trial"].iloc[0], f"{len(trainings)} training{'s' * (len(trainings) > 1)}"
    return (
        f"We compare changes whose selected phrases average at least {ENCOURAGED} words, and of these only the ones "
        f"with the most trainings. With “{change}” ({n}), the phrases average {mean['mean length']:.2f} words. Of "
        f"those with two words or more, {mean['constituents']:.0%} are constituents of the sentence, against "
        f"{mean['by chance']:.0%} by chance. This is the largest margin among these changes (the 95% intervals of its "
        f"trainings reach from {low} to {high} points)."
    )


def summarize(table: pd.DataFrame) -> pd.DataFrame:
    """One row per trial: accuracies, the mean length of phrases over all layers, and the layer where it is largest."""
    lengths = np.stack(table["lengths"].map(lambda row: (np.mean(row), np.max(row), 1 + np.argmax(row))))
    summary = pd.DataFrame(
        {
            "trial": table["trial"],
            "seed": table["seed"],
            "dev": table["dev"],
            "test": table["test"],
            "mean length": lengths[:, 0],
            "longest": lengths[:, 1],
            "in layer": lengths[:, 2].astype(int),
        }
    )
    counted = {"constituents": "constituents", "by_chance": "by chance", "low": "from", "high": "to"}
    return summary.join(table[[column for column in counted if column in table]].rename(columns=counted))
