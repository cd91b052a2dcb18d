"""Measured trainings: what embedding, routing and loss are worth."""

import streamlit as st

from dashboard import runs
from dashboard.shared.shown import Shown, draw_once
from dashboard.shared.trainings import command, draw_means, draw_not_trained_yet


def draw_trainings(shown: Shown) -> None:
    """The paper's tables 4 to 6 beside ours, or the command that makes ours."""
    _draw_trainings(shown, runs.stamp_of_sweep("capsules"))


@draw_once
def _draw_trainings(shown: Shown, stamp: tuple[str, int]) -> None:
    st.header("How much each component helps, measured")
    table = runs.read_sweep("capsules")
    if table is None:
        draw_not_trained_yet("How much embedding, routing and loss help", "capsules")
        return
    shown.add_table("tables 4 to 6", lambda: table)
    draw_means(table, ["embedding", "routing", "loss"])
    st.caption(
        f"Test accuracy on AG's News, trained on {table['trained_on'].iloc[0]:,} items where the paper has 120,000: "
        "compare differences, not levels. One training for each seed, weights chosen on texts held out of training. "
        "Networks without routing have a linear layer and cross entropy. A row of table 4 appears once it is measured. "
        f"Made by `{command('capsules')}`."
    )
