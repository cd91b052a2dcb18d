"""The words of a text: their credit for each class, and the classes over the iterations."""

import streamlit as st

from core.sentences.credit import describe_credit, most_credited
from core.sentences.words import capital, quote
from core.traces.em import EMTextTrace
from dashboard.components.finding import finding
from dashboard.components.verdict import verdict
from dashboard.figures import plots
from dashboard.figures.before import outline_before
from dashboard.figures.figure import pickable
from dashboard.figures.shaded import by_credit
from dashboard.screen.formula import draw_path
from dashboard.screen.inputs import pick_word
from dashboard.screen.outputs import after_iterations, draw_numbers, iteration_notes
from dashboard.screen.shaded import draw_shaded_text
from dashboard.screen.shown import Shown


def draw_verdict(shown: Shown, trace: EMTextTrace, trained: int, before: EMTextTrace | None = None) -> None:
    """Draw the classes as bars at the scrubbed iteration.

    Args:
        shown: record of the page.
        trace: trace of the run.
        trained: number of iterations in training.
        before: trace before the user's edits, if there are any.
    """
    options = {"before": None if before is None else before.probabilities, "start": min(trained, trace.n_steps)}
    notes = iteration_notes(trace, trained)
    shown.add(verdict("classes", trace.probabilities, trace.classes, notes, **options))


def draw_credit(shown: Shown, trace: EMTextTrace, text: str, trained: int, before: EMTextTrace | None = None) -> None:
    """Draw the finding, the text shaded by credit, and the credit of every word for every class.

    Args:
        shown: record of the page.
        trace: trace of the run.
        text: text as typed.
        trained: number of iterations in training.
        before: trace before the user's edits, if there are any.
    """
    sentences = describe_credit(trace.credit_of_words, trace.probabilities, trace.phrasing, trace.classes, trained)
    shown.add(finding("finding", sentences))
    shares, notes, _, arms, _ = by_credit(trace)
    shown.add(draw_shaded_text("shading", trace, text, shares, notes, on_pick=pick_word, arms=arms))
    alt = "Credit of each word for each class, through both routings"
    figure = pickable(plots.credit(trace), ["i"])
    if before is not None:
        figure = outline_before(figure, before, trace)
    shown.draw_heatmap("Credit of words", figure, "credit", alt, picks={"i": "word"})


def main_word(trace: EMTextTrace) -> int:
    """The word that adds most to the leading class's score after the last iteration, and that the finding names."""
    return most_credited(trace.credit_of_words[-1], trace.probabilities[-1], trace.phrasing)


def draw_word(trace: EMTextTrace, cell: tuple[int, int], step: int) -> None:
    """Draw the credit of a word for each class after an iteration, from 1.

    Args:
        trace: trace of the run.
        cell: indices of the word, and of the class whose path is drawn.
        step: iteration.
    """
    i = cell[0]
    rows = [
        [name, f"{credit:+.3f}"] for name, credit in zip(trace.classes, trace.credit_of_words[step - 1, i], strict=True)
    ]
    draw_numbers(["class", f"credit of {quote(trace.tokens[i])}"], rows)
    st.caption(
        f"{capital(after_iterations(step))}. The credits of all words for a class sum to the score of the class."
    )
    draw_path(trace, cell, step)
