"""Accuracy on directions that were not trained on: capsules beside convolutions."""

import pandas as pd
import streamlit as st

from core.analysis.viewpoints import by_distance, match, on_unseen
from dashboard.figures import readable
from dashboard.shared.shown import Shown
from dashboard.shared.trainings import of_sweep

ROUTED, PLAIN = "EM routing", "convolutions"
ABOUT = (
    "A test of Hinton, Sabour, Frosst 2018: each network learned from a third of the directions, side by side, and is "
    "tested on toys that it has not seen, from all directions. Convolutions alone have the same size and were trained "
    "alike. Both are shown after the share of their training with which they are equally good on the directions that "
    "they have seen (0 degrees). Bars are 95% intervals over the 25 test toys, which are rendered."
)


@of_sweep("viewpoints", "Accuracy on directions not trained on")
def draw_unseen(shown: Shown, table: pd.DataFrame) -> None:
    """Draw the accuracy by the distance from the directions trained on, and say which network is better there."""
    both = {
        str(direction): rows
        for direction, rows in table.groupby("direction", sort=False)
        if {ROUTED, PLAIN} <= set(rows["network"])
    }
    for direction, rows in both.items():
        st.markdown(_in_words(direction, rows))
    st.caption(ABOUT)
    curves = {f"Accuracy on unseen {direction}s": by_distance(rows) for direction, rows in both.items()}
    shown.draw_charts({title: readable.by_distance(rows) for title, rows in curves.items()}, columns=2)
    for title, rows in curves.items():
        shown.add_table(title.lower(), lambda rows=rows: rows)


def _in_words(direction: str, rows: pd.DataFrame) -> str:
    """Which network is better on unseen directions, by how much, and at which accuracy on the seen ones."""
    difference, low, high = (100 * value for value in on_unseen(rows, ROUTED, PLAIN))
    on_seen = by_distance(rows).query("distance == 0").set_index("network")["accuracy"]
    shares = {name: matched.share for name, matched in match(rows).items()}
    seen = ", ".join(f"{name} {on_seen[name]:.1%} after {shares[name]:.0%} of its training" for name in (ROUTED, PLAIN))
    chance = ", within chance" if low <= 0 <= high else ""
    return (
        f"On {direction}s not trained on, EM routing is {abs(difference):.1f} points "
        f"{'better' if difference > 0 else 'worse'} than convolutions ({low:+.1f} to {high:+.1f}{chance}). "
        f"On those trained on: {seen}."
    )
