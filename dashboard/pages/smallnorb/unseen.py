"""Accuracy on unseen directions: capsules compared with convolutions."""

import pandas as pd
import streamlit as st

from core.analysis.viewpoints import by_distance, compare_on_unseen, distances_of, match, stages
from dashboard.figures import readable
from dashboard.screen.markdown import escape
from dashboard.screen.shown import Shown
from dashboard.screen.trainings import sweep_section

ROUTED, PLAIN = "EM routing", "convolutions"
ABOUT = (
    "This test is from Hinton, Sabour and Frosst 2018. Each network learned from one contiguous third of the "
    "directions. We test it on new toys from all directions, in pictures of 48 by 48 pixels. Both networks have the "
    "same size and the same training, but the convolutions learn sooner. So we show each network at the stage of its "
    "training where the two are closest in accuracy on the training directions (0 degrees). Intervals are over the 25 "
    "rendered test toys. With another seed, the results may change by more than these intervals."
)


@sweep_section("viewpoints", "Accuracy on unseen directions")
def draw_unseen(shown: Shown, table: pd.DataFrame) -> None:
    """Draw the accuracy by the distance from the training directions, and say which network is better."""
    curves = {}
    for direction, rows in table.groupby("direction", sort=False):
        if {ROUTED, PLAIN} <= set(rows["network"]):
            by_network, distances = match(rows), distances_of(rows)
            matched = {network: by_network[network] for network in (ROUTED, PLAIN)}  # a fixed order keeps the colours
            curve = by_distance(matched, distances)
            difference = compare_on_unseen(matched[ROUTED], matched[PLAIN], distances)
            stages_by_network = stages(rows)
            at_end = compare_on_unseen(stages_by_network[ROUTED][-1], stages_by_network[PLAIN][-1], distances)
            words = f"On unseen {direction}s, EM routing is {_compare(*difference)}"
            st.markdown(escape(f"{words}. At the end of both trainings, it is {_compare(*at_end)}. {_on_seen(curve)}"))
            curves[f"Accuracy on unseen {direction}s"] = curve
    if not curves:
        return
    st.caption(ABOUT)
    shown.draw_charts({title: readable.by_distance(curve) for title, curve in curves.items()}, columns=2)
    for title, curve in curves.items():
        shown.add_table(title.lower(), lambda curve=curve: curve)


def _compare(difference: float, low: float, high: float) -> str:
    """A phrase on how EM routing compares with convolutions: their difference in points, with the interval."""
    compared = "better" if difference > 0 else "worse"
    chance = ", within chance" if low <= 0 <= high else ""
    interval = f"95% interval {100 * low:+.1f} to {100 * high:+.1f}{chance}"
    return f"{abs(100 * difference):.1f} points {compared} than convolutions ({interval})"


def _on_seen(curve: pd.DataFrame) -> str:
    """A sentence on each network's accuracy on training directions, and on the share of its training."""
    seen = curve[curve["distance"] == 0].to_dict("records")
    phrases = [f"{row['accuracy']:.1%} for {row['network']} after {row['share']:.0%} of the training" for row in seen]
    return f"On the training directions, accuracy is {' and '.join(phrases)}."
