"""The text as typed, shaded word by word."""

from collections.abc import Callable, Sequence

import numpy as np
import streamlit as st

from core.trace import Trace
from dashboard.components.shading import shading
from dashboard.figures.standalone import DrawnComponent
from dashboard.runs.edits import text_read
from dashboard.screen.inputs import picked_number

UNKNOWN = (
    "Dotted: not among the words that this network knows. Where half of the words or more are unknown, its answer "
    "means little."
)


def draw_shaded_text(
    key: str,
    trace: Trace,
    text: str,
    shares: np.ndarray,
    notes: list[list[str]],
    known: np.ndarray | None = None,
    bars: np.ndarray | None = None,
    param: str = "iteration",
    on_pick: Callable[[int, int], None] | None = None,
    arms: Sequence[str] | None = None,
) -> DrawnComponent:
    """Draw the part of the text that was read, once per row, with unknown words underlined.

    Args:
        key: key of the component.
        trace: trace of the run.
        text: text as typed.
        shares: shares from 0 to 1, [t, word, row].
        known: whether the network knows each word; None for a network without a vocabulary.
        notes, bars, param, on_pick, arms: as in ``shading``.
    """
    text = text_read(text, trace)
    start, end = trace.spans[0][0], trace.spans[-1][1]
    spans = [(first - start, last - start) for first, last in trace.spans]
    unknown = [] if known is None else np.flatnonzero(~known).tolist()
    picked = picked_number("word") if on_pick else None
    part = shading(key, text[start:end], spans, shares, notes, unknown, bars, param, on_pick, arms, picked)
    if unknown:
        st.caption(UNKNOWN)
    return part
