"""Reasons not to trust the name of the pair on screen, which stand before the name."""

import streamlit as st

from dashboard.pages.smallnorb.direction import RoutedPair
from dashboard.pages.smallnorb.views import ToyViews
from dashboard.runs import checkpoints
from dashboard.runs.pictures import ELEVATIONS, Doubt, reason_for_doubt

BEYOND = "The network was trained at elevations from {low}° to {high}°, so do not trust the name."
MEASURED = " From {degrees}° it misnames {share:.0%} of rendered test toys, and from {usual}° {usual_share:.0%}."
USUAL = 50  # degrees, in the middle of the trained elevations
DO_NOT_TRUST = ":material/warning: **Do not trust the name.** This pair is unlike those of the training: {reason}."
REASONS = {
    Doubt.FLAT: "it shows hardly anything",
    Doubt.EYES: "its two eyes show different things",
    Doubt.NO_TOY: "it shows no single toy on a plain ground",
}


def draw_doubts(name: str, views: ToyViews, seen: RoutedPair) -> None:
    """Say why the name of the pair on screen should not be trusted, if there is a reason.

    Args:
        name: name of the network.
        views: views of the toy.
        seen: pair on screen.
    """
    if views.look is None and (reason := reason_for_doubt(seen.pair)):
        st.markdown(DO_NOT_TRUST.format(reason=REASONS[reason]))
    elif seen.direction and not ELEVATIONS[0] <= seen.direction[1] <= ELEVATIONS[-1]:
        st.caption(_describe_elevation(name, seen.direction[1]))


def _describe_elevation(name: str, degrees: int) -> str:
    """Say that a network was not trained at an elevation, and how often it misnames toys there."""
    sentence = BEYOND.format(low=ELEVATIONS[0], high=ELEVATIONS[-1])
    kept = checkpoints.measured("elevations", name)
    if kept is None or not {degrees, USUAL} <= set(kept["degrees"].tolist()):
        return sentence
    wrong = dict(zip(kept["degrees"].tolist(), 1 - kept["right"] / kept["n"], strict=True))
    return sentence + MEASURED.format(degrees=degrees, share=wrong[degrees], usual=USUAL, usual_share=wrong[USUAL])
