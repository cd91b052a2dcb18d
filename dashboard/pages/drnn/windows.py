"""One text, window by window: the classes, the words that win the pooling, and those that carry the decision."""

import numpy as np
import pandas as pd
import streamlit as st

from core.traces.drnn import DRNNTrace
from dashboard.components import shading
from dashboard.figures.lines import lines_over
from dashboard.figures.windows import evidence_table, wins_heatmap
from dashboard.shared.outputs import verdict
from dashboard.shared.shown import Shown

Words = tuple[int, int]  # the first, and the one after the last
MANY = 80  # words from which on cells are narrow


def draw_verdict(trace: DRNNTrace) -> None:
    """What the network answers with the window that it was trained with, or the largest that is shown."""
    trained = trace.window
    window = min(trained, trace.n_steps)
    which = "its own window" if window == trained else f"the largest shown; its own is {trained}"
    st.markdown(f"{verdict(trace, window - 1)} with a window of {window}, {which}, on {trace.device}.")


def draw_classes(shown: Shown, trace: DRNNTrace, carried: list[Words]) -> None:
    """The classes by window. carried: the words that carry the decision of each window."""
    st.header("What every window says")
    figure = lines_over(trace.probabilities, "probability", trace.classes, [0, 1], along="window")
    shown.draw_charts({"Class by window": figure}, columns=1)
    shown.add_table("windows", lambda: windows_table(trace, carried))


def draw_wins(shown: Shown, trace: DRNNTrace, carried: list[Words]) -> None:
    """How many components of the pooled vector each word wins, by window."""
    st.header("Which words win the pooling")
    wins, evidence = trace.wins, trace.evidence
    figure = wins_heatmap(wins, trace.tokens, carried, trace.components, MANY)
    alt = "How many components of the pooled vector each position wins, by window"
    shown.draw_heatmap("Components won", figure, "wins", alt)
    shown.add_table("positions", lambda: evidence_table(wins, evidence, trace.tokens, trace.classes))


def draw_carried(trace: DRNNTrace, text: str, carried: list[Words]) -> None:
    """The text, with the words that carry the decision of the chosen window."""
    st.header("The words that carry the decision of the chosen window")
    shares = np.zeros((trace.n_steps, len(trace.tokens), 1))
    notes = []
    for k, (start, end) in enumerate(carried):
        shares[k, start:end] = 1
        best = int(trace.probabilities[k].argmax())
        words = f"{end - start} word" + "s" * (end - start > 1)
        notes.append([f"Window {k + 1} · {words} for {trace.classes[best]}, {trace.probabilities[k, best]:.1%}"])
    shading("carried", text, trace.spans, shares, notes, param="window")
    st.caption(
        "They end at the position that adds most to the most probable class's score before the softmax, and begin "
        "where the window begins."
    )


def windows_table(trace: DRNNTrace, carried: list[Words]) -> pd.DataFrame:
    """One row a window: the classes, and the words that carry the decision."""
    columns = {f"P({name})": p for name, p in zip(trace.classes, trace.probabilities.T, strict=True)}
    words = [" ".join(trace.tokens[start:end]) for start, end in carried]
    return pd.DataFrame({"window": np.arange(1, trace.n_steps + 1), **columns, "carried by": words})
