"""What each word contributes to the feature capsules."""

import numpy as np
import pandas as pd
import streamlit as st

from core.traces.cccaps import CCCapsTrace
from dashboard.figures.codes import contribution_heatmap
from dashboard.shared.markdown import escape
from dashboard.shared.shown import Shown


def draw_contributions(shown: Shown, traces: list[CCCapsTrace], feature: int) -> None:
    """A heat map a model, on one scale. feature: the capsule in a frame, counted from 0."""
    st.header("What each word contributes")
    contributions = {trace.model: contributions_of(trace) for trace in traces}
    largest = max(1e-9, *(float(np.abs(values).max()) for values in contributions.values()))
    for trace in traces:
        values = contributions[trace.model]
        st.markdown(f"**{escape(trace.model)}**")
        figure = contribution_heatmap(values, trace.tokens, feature, largest)
        alt = f"What each word contributes, {trace.model}"
        shown.of(trace).draw_heatmap("Contributions of words", figure, f"contributions-{trace.model}", alt)
        shown.of(trace).add_table("contributions", lambda trace=trace, values=values: _table(trace.tokens, values))


def contributions_of(trace: CCCapsTrace) -> np.ndarray:
    """[n, i]: how far each word moves each feature capsule along the capsule's own direction.

    The sum over the words is the capsule's length.
    """
    contributions = trace.parts.astype(np.float64)
    capsules = contributions.sum(0)
    lengths = np.linalg.norm(capsules, axis=1, keepdims=True)
    return np.einsum("nid,id->ni", contributions, capsules / np.maximum(lengths, 1e-12))


def _table(tokens: list[str], contributions: np.ndarray) -> pd.DataFrame:
    columns = [f"feature {i + 1}" for i in range(contributions.shape[1])]
    return pd.concat([pd.DataFrame({"word": tokens}), pd.DataFrame(contributions, columns=columns)], axis=1)
