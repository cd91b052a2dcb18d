"""The words of a text: their credit for each class, and the classes over the iterations."""

import numpy as np
import streamlit as st

from core.sentences.credit import describe_credit
from core.traces.em import EMTextTrace
from dashboard.components.finding import finding
from dashboard.components.verdict import verdict
from dashboard.figures import plots
from dashboard.figures.figure import pickable
from dashboard.screen.inputs import WHAT_IF, pick_word
from dashboard.screen.outputs import iteration_notes
from dashboard.screen.shaded import draw_shaded_text
from dashboard.screen.shown import Shown


def draw_verdict(shown: Shown, trace: EMTextTrace, trained: int) -> None:
    """Draw the classes as bars: at the scrubbed iteration, and over all iterations.

    Args:
        shown: record of the page.
        trace: trace of the run.
        trained: number of iterations in training.
    """
    shown.add(verdict("classes", trace.probabilities, trace.classes, iteration_notes(trace, trained)))


def draw_credit(shown: Shown, trace: EMTextTrace, text: str, trained: int | None = None) -> None:
    """Draw the finding, the credit of every word for every class, and the text shaded by credit.

    Args:
        shown: record of the page.
        trace: trace of the run.
        text: text as typed.
        trained: number of iterations in training; the number of the run if None.
    """
    sentences = describe_credit(trace.credit_of_words, trace.probabilities, trace.phrasing, trace.classes, trained)
    shown.add(finding("finding", sentences))
    alt = "Credit of each word for each class, through both routings"
    figure = pickable(plots.credit(trace), ["i"])
    shown.draw_heatmap("Credit of words", figure, "credit", alt, picks={"i": "word"}, opens=WHAT_IF)
    shares, leading = credit_shares(trace)
    notes = [[f"For {name}", f"Against {name}"] for name in leading]
    shown.add(draw_shaded_text("shading", trace, text, shares, notes, on_pick=pick_word))
    st.caption(
        "The text is shaded by each word's credit for or against the leading class, as a share of the largest credit "
        "in this iteration."
    )


def credit_shares(trace: EMTextTrace) -> tuple[np.ndarray, list[str]]:
    """The credit of words for and against the leading class of each iteration.

    Returns:
        Positive and negative credit as shares of the largest, [t, word, 2], and the leading class of each iteration.
    """
    leading = trace.probabilities.argmax(1)
    credit = np.take_along_axis(trace.credit_of_words, leading[:, None, None], axis=2)  # [t, word, 1]
    largest = np.abs(credit).max(1, keepdims=True)
    signed = np.divide(credit, largest, out=np.zeros_like(credit), where=largest > 0)
    return np.concatenate([signed, -signed], axis=2).clip(min=0), [trace.classes[k] for k in leading]
