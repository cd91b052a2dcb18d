"""The contribution of each word to the feature capsules."""

import numpy as np
import pandas as pd
import streamlit as st

from core.sentences.findings import surest
from core.traces.cccaps import CCCapsTrace
from dashboard.figures import plots
from dashboard.figures.standalone import DrawnComponent
from dashboard.runs import checkpoints
from dashboard.screen.inputs import pick_word
from dashboard.screen.markdown import escape
from dashboard.screen.shaded import draw_shaded_text
from dashboard.screen.shown import Shown
from dashboard.theme import FOR_AND_AGAINST


def main_word(trace: CCCapsTrace, feature: int) -> int:
    """The word that contributes most to a feature capsule, and that the finding names."""
    return surest(trace.contributions[:, [feature]], trace.tokens)[0]


def draw_contributions(shown: Shown, traces: list[CCCapsTrace], feature: int) -> None:
    """Draw one heat map per model, all on one scale. feature: index of the feature capsule in a frame."""
    largest = max(1e-9, *(float(np.abs(trace.contributions).max()) for trace in traces))
    for trace in traces:
        network = checkpoints.title(trace.model)
        if len(traces) > 1:
            st.markdown(f"**{escape(network)}**")
        figure = plots.contributions(trace, largest, feature)
        alt = f"What each word contributes, {network}"
        title = f"Contributions of words: {network}"
        shown.of(trace).draw_heatmap(title, figure, f"contributions-{trace.model}", alt)


def draw_text_by_contribution(trace: CCCapsTrace, text: str, feature: int) -> DrawnComponent:
    """Draw the text that was read, shaded by each word's contribution. feature: index of the feature capsule."""
    contributions = trace.contributions[:, feature]
    signed = np.stack([contributions, -contributions], 1).clip(min=0)
    shares = signed / max(1e-9, float(signed.max()))
    notes = [f"Adds to capsule {feature + 1}", f"Takes from capsule {feature + 1}"]
    look = {"known": trace.known, "on_pick": pick_word, "arms": FOR_AND_AGAINST}
    return draw_shaded_text(f"shading-{trace.model}", trace, text, shares[None], [notes], **look)


def contribution_table(trace: CCCapsTrace) -> pd.DataFrame:
    """One row per word, with its contribution to each feature capsule."""
    columns = [f"feature {i + 1}" for i in range(trace.contributions.shape[1])]
    contributions = pd.DataFrame(trace.contributions, columns=columns)
    return pd.concat([pd.DataFrame({"word": trace.tokens}), contributions], axis=1)
