"""Measured trainings: what embedding, routing and loss are worth."""

import pandas as pd
import streamlit as st

from dashboard.shared.shown import Shown
from dashboard.shared.trainings import command, draw_means, of_sweep


@of_sweep("capsules", "How much embedding, routing and loss help")
def draw_trainings(shown: Shown, table: pd.DataFrame) -> None:
    """The paper's tables 4 to 6 beside ours."""
    st.header("How much each component helps")
    shown.add_table("tables 4 to 6", lambda: table)
    draw_means(table, ["embedding", "routing", "loss"])
    st.caption(
        f"Test accuracy on AG's News, trained on {table['trained_on'].iloc[0]:,} items where the paper has 120,000: "
        "compare differences, not levels. One training for each seed, weights chosen on texts held out of training. "
        "Networks without routing have a linear layer and cross entropy. A row of table 4 appears once it is measured. "
        f"Made by `{command('capsules')}`."
    )
