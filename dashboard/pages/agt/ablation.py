"""Measured trainings: what attention in every layer is worth."""

import streamlit as st

from dashboard import runs
from dashboard.figures.curves import ablation
from dashboard.shared.shown import Shown, draw_once
from dashboard.shared.trainings import command, draw_not_trained_yet, draw_summary


def draw_ablation(shown: Shown) -> None:
    """Accuracy by the number of layers that attend, or the command that measures it."""
    _draw_ablation(shown, runs.stamp_of_sweep("attention"))


@draw_once
def _draw_ablation(shown: Shown, stamp: tuple[str, int]) -> None:
    st.header("Does attention in every layer help? Measured")
    table = runs.read_sweep("attention")
    if table is None:
        draw_not_trained_yet("The ablation", "attention")
        return
    left, right = st.columns(2)
    with left:
        shown.draw_chart("Test accuracy", ablation(table), "Test accuracy by the number of layers that attend")
    shown.add_table("ablation", lambda: table)
    trainings = table.groupby("attending")
    summary = trainings["test"].agg(["mean", "std", "min", "max", "count"]).reset_index()
    summary.insert(1, "paper", trainings["paper"].first().to_numpy())
    summary = summary.sort_values("attending", ascending=False)
    with right:
        draw_summary(summary.rename(columns={"attending": "layers that attend"}))
        st.caption(
            "15 layers is the paper's network; 3 keeps s_l for l ≤ 2, 1 for l = 0 only, where the other layers are "
            "those of a plain highway network. All learned from labels alone, as the paper's did; `agt-sst5`, which "
            "learned from DR-AGG's answers besides, is not among them. One training a seed, weights chosen on the dev "
            f"split: `{command('attention')}`."
        )
