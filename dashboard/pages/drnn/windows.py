"""One text, window by window: classes, words that win the pooling, and words that carry the decision."""

import numpy as np
import pandas as pd
import streamlit as st

from core.sentences.windows import decisive_word, describe_windows
from core.sentences.words import quote
from core.traces.drnn import DRNNTrace
from dashboard.components.finding import finding
from dashboard.components.verdict import verdict
from dashboard.figures import plots
from dashboard.figures.before import outline_before
from dashboard.figures.figure import pickable
from dashboard.figures.shaded import decisive
from dashboard.figures.windows import evidence_table
from dashboard.runs.pytorch import largest_window
from dashboard.screen.address import in_address
from dashboard.screen.formula import draw_path
from dashboard.screen.inputs import WHOLE, pick_word
from dashboard.screen.outputs import draw_numbers
from dashboard.screen.shaded import draw_shaded_text
from dashboard.screen.shown import Shown


def choose_largest_window() -> int:
    """Let the user choose the largest window to show; at first the largest of all."""
    largest = float(largest_window())
    help = "The picture shows all windows from 1 word up to this one."
    limits = {"value": largest, "max_value": largest}
    return int(st.number_input("Largest window", help=help, **limits, **WHOLE, **in_address("most")))


def draw_verdict(shown: Shown, trace: DRNNTrace, before: DRNNTrace | None = None) -> None:
    """Draw the classes of the scrubbed window as bars. before: trace before the user's edits, if there are any."""
    notes = []
    for window in range(1, trace.n_steps + 1):
        words = "1 word" if window == 1 else f"{window} words"
        trained = "as trained" if window == trace.window else f"trained with {trace.window}"
        notes.append(f"Reading {words} at a time ({trained})")
    options = {"param": "window", "before": None if before is None else before.probabilities, "start": trace.own_step}
    shown.add(verdict("classes", trace.probabilities, trace.classes, notes, **options))


def draw_wins(shown: Shown, trace: DRNNTrace, text: str, before: DRNNTrace | None = None) -> None:
    """Draw the finding, the text's decisive words, and the components of the pooled vector that each word wins.

    Args:
        shown: record of the page.
        trace: trace of the run.
        text: text as typed.
        before: trace before the user's edits, if there are any.
    """
    sentences = describe_windows(trace.evidence, trace.probabilities, trace.phrasing, trace.classes, trace.window)
    shown.add(finding("finding", sentences, param="window"))
    draw_decisive_words(shown, trace, text)
    alt = "How many components of the pooled vector each position wins, by window"
    figure = pickable(plots.wins(trace), ["i"])
    if before is not None:
        figure = outline_before(figure, before, trace)
    shown.draw_heatmap("Components won", figure, "wins", alt, picks={"i": "word"})
    shown.add_table("windows", lambda: windows_table(trace))
    shown.add_table("positions", lambda: evidence_table(trace.wins, trace.evidence, trace.tokens, trace.classes))


def main_word(trace: DRNNTrace) -> int:
    """The last word of the passage that decides with the trained window, and that the finding names."""
    own = trace.own_step
    return decisive_word(trace.evidence[own - 1], trace.probabilities[own - 1], own, trace.phrasing)


def draw_word(trace: DRNNTrace, i: int) -> None:
    """Draw the evidence of the window that ends at word i for each class, with the trained window."""
    step = trace.own_step - 1
    rows = [[name, f"{value:+.3f}"] for name, value in zip(trace.classes, trace.evidence[step, i], strict=True)]
    draw_numbers(["class", f"evidence of the window ending at {quote(trace.tokens[i])}"], rows)
    st.caption(
        f"With windows of {trace.own_step} words, the window that ends here has the largest value in "
        f"{trace.wins[step, i]:.0f} of {trace.components} components."
    )
    draw_path(trace, (i,), trace.own_step)


def draw_decisive_words(shown: Shown, trace: DRNNTrace, text: str) -> None:
    """Draw the text with the words that carry the decision of the scrubbed window."""
    shares, notes, *_ = decisive(trace)
    look = {"known": trace.known, "param": "window", "on_pick": pick_word}
    shown.add(draw_shaded_text("decisive", trace, text, shares, notes, **look))
    st.caption(
        "The shaded words decide. Orange marks enclose the same words below.",
        help="The last of these words adds more to the leading class's score than any other position.",
    )


def draw_classes(shown: Shown, trace: DRNNTrace) -> None:
    """Draw the class probabilities over the windows."""
    shown.draw_charts({"Class by window": plots.probabilities(trace)}, columns=1)


def windows_table(trace: DRNNTrace) -> pd.DataFrame:
    """One row per window, with the classes and the words that carry the decision."""
    columns = {f"P({name})": p for name, p in zip(trace.classes, trace.probabilities.T, strict=True)}
    words = [trace.as_typed(start, end) for start, end in trace.decisive]
    return pd.DataFrame({"window": np.arange(1, trace.n_steps + 1), **columns, "carried by": words})
