"""The sentences of a document: the effect of each on the answer, and the routing of one sentence's words."""

import numpy as np
import pandas as pd
import streamlit as st

from core.traces.dragg import DocumentTrace
from dashboard.components.shading import shading
from dashboard.figures.routing import cell_table, coupling_heatmap
from dashboard.pages.routing.heatmaps import draw_text_by_capsule
from dashboard.runs import checkpoints
from dashboard.screen.markdown import escape
from dashboard.screen.outputs import side_by_side
from dashboard.screen.shown import Shown


def draw_sentence(
    shown: Shown, full_traces: list[DocumentTrace], traces: list[DocumentTrace], text: str, s: int, trained: int
) -> None:
    """Draw the effect of each sentence, and the routing of the words of sentence s, counted from 0.

    Args:
        shown: record of the page.
        full_traces: traces with every iteration.
        traces: traces with the shown iterations.
        text: text as typed.
        s: index of the sentence.
        trained: number of iterations in training.
    """
    draw_effects(full_traces, text, traces[0].n_steps, trained)
    draw_words_of_sentence(shown, traces, text, s)


def add_tables(shown: Shown, full_traces: list[DocumentTrace], traces: list[DocumentTrace], s: int) -> None:
    """Record the tables of ``draw_sentence``, whose arguments have the same meaning."""
    for full, trace in zip(full_traces, traces, strict=True):
        words = trace.of_sentence(s)
        shown.of(trace).add_table("sentences", lambda full=full: effect_table(full))
        shown.of(trace).add_table("words", lambda words=words: cell_table(words.inputs_to_capsules, words.tokens))


def draw_effects(traces: list[DocumentTrace], text: str, n_iters: int, trained: int) -> None:
    """Draw the text with its sentences shaded by their effect on the predicted class.

    Args:
        traces: traces of the document with every iteration.
        text: text as typed.
        n_iters: number of shown iterations.
        trained: number of iterations in training.
    """
    st.header("How much each sentence counts")
    for trace in side_by_side(traces):
        _draw_effects(trace, text, n_iters, trained)


def _draw_effects(trace: DocumentTrace, text: str, n_iters: int, trained: int) -> None:
    """Draw the sentences of one trace, or say that there is only one."""
    best, effects = int(trace.probabilities[trained - 1].argmax()), trace.effect
    if len(effects) == 1:
        st.caption("This text has only one sentence: there is nothing to compare it with.")
        return
    effect, name = effects[:, best], trace.classes[best]
    largest = float(np.abs(effect).max())
    shares = np.stack([effect, -effect], 1).clip(min=0) / max(1e-9, largest)  # no division by 0
    st.caption(
        f"The shade shows how far the log-odds of {escape(name)}, after {trained} iterations, fall or rise when "
        f"routing leaves out a sentence's vote. The darkest shade is the largest change in this text, {largest:.2f}."
    )
    sides = [[f"For {name}", f"Against {name}"]] * n_iters
    spans = trace.of_sentences().spans
    shading(f"effects-{trace.model}", text, spans, np.repeat(shares[None], n_iters, 0), sides)


def draw_words_of_sentence(shown: Shown, traces: list[DocumentTrace], text: str, s: int) -> None:
    """Draw the routing of the words of sentence s, counted from 0."""
    st.header(f"The words of sentence {s + 1}")
    for trace in side_by_side(traces):
        words, known = trace.of_sentence(s), trace.known[trace.sentence_of == s]
        shares = words.inputs_to_capsules.coupling
        figure = coupling_heatmap(shares, words.tokens, words.normalize, picked=False, known=known, array="")
        alt = f"Coupling coefficients of the words, {checkpoints.title(trace.model)}"
        shown.of(trace).draw_heatmap(f"Words of sentence {s + 1}", figure, f"words-{trace.model}", alt)
        draw_text_by_capsule(words, text, known, key="shaded words")


def effect_table(trace: DocumentTrace) -> pd.DataFrame:
    """One row per sentence, with the fall of each class's log-odds without it."""
    sentences, effects = trace.of_sentences().tokens, trace.effect.T
    lost = {f"log-odds of {name} lost without it": effect for name, effect in zip(trace.classes, effects, strict=True)}
    return pd.DataFrame({"sentence": range(1, len(sentences) + 1), "text": sentences, **lost})
