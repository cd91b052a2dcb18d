"""Measured trainings: the worth of attention in every layer."""

import pandas as pd
import streamlit as st

from dashboard.figures.curves import ablation
from dashboard.shared.shown import Shown
from dashboard.shared.trainings import command, draw_means, of_sweep


@of_sweep("attention", "The ablation of attention")
def draw_ablation(shown: Shown, table: pd.DataFrame) -> None:
    """Accuracy by the number of layers that attend."""
    st.header("Does attention in every layer help?")
    left, right = st.columns(2)
    with left:
        shown.draw_chart("Test accuracy", ablation(table), "Test accuracy by the number of layers that attend")
    shown.add_table("ablation", lambda: table)
    with right:
        draw_means(table.rename(columns={"attending": "layers that attend"}), ["layers that attend"])
        st.caption(
            "15 layers is the paper's network; 3 keeps s_l for l ≤ 2, 1 for l = 0 only, where the other layers are "
            "those of a plain highway network. All learned from labels alone, as the paper's did; `agt-sst5`, which "
            "learned from DR-AGG's answers besides, is not among them. One training a seed, weights chosen on the dev "
            f"split: `{command('attention')}`."
        )
