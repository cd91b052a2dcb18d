"""Measured trainings: the worth of attention in every layer."""

import pandas as pd
import streamlit as st

from dashboard.figures.curves import ablation
from dashboard.screen.shown import Shown
from dashboard.screen.trainings import command, draw_means, of_sweep


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
            "The paper's network has attention in all 15 layers. “3” keeps it in the first three layers, “1” in the "
            "first only; the other layers are plain highway layers. All were trained on labels alone, as the paper's "
            "was; `agt-sst5`, which also learned from DR-AGG's answers, is not included. One training per seed, "
            f"weights chosen on the dev split: `{command('attention')}`."
        )
