"""What the Routing page shows of a document below its sentences' routing: what each is worth, and the words of one."""

import numpy as np
import pandas as pd
import streamlit as st

from dashboard import routed, runs, widgets
from dashboard.components import shading
from dashboard.figures.figure import Figure
from dashboard.figures.routing import cell_table

NOT_SHOWN = """What a sentence is worth is measured with its vote left out: the second BiLSTM has read it all the same,
so that the votes of its neighbours still know of it. The words' capsules go on after the model's own count of
iterations, whichever of them is shown."""


def below(traces: list[runs.Trace], text: str, s: int, n_iters: int, own: int) -> dict[str, dict[str, Figure]]:
    """Draws both.

    Args:
        traces: of the document, with every iteration.
        s: the sentence whose words are shown, from 0.
        n_iters: iterations that are shown. own: those that the models were trained with.

    Returns:
        Figures by title, of each model.
    """
    st.header("What each sentence is worth")
    for trace in widgets.side_by_side(traces):
        effects(trace, text, n_iters, own)
    st.header(f"The words of sentence {s + 1}")
    figures = {}
    for trace in widgets.side_by_side(traces):
        words = trace.first(n_iters).of_sentence(s)
        figure = routed.heatmap(words, "word", picked=False)
        widgets.heatmap(figure, f"words-{trace.model}", f"Coupling coefficients of the words, {trace.model}")
        routed.once_per_capsule(words, text)
        figures[trace.model] = {f"Words of sentence {s + 1}": figure}
    return figures


def tables(trace: runs.Trace, s: int, n_iters: int) -> dict[str, pd.DataFrame]:
    """The numbers under ``below``, by title."""
    words = trace.first(n_iters).of_sentence(s)
    return {"sentences": effect_table(trace), "words": cell_table(words.steps, words.tokens)}


def effects(trace: runs.Trace, text: str, n_iters: int, own: int) -> None:
    """Draws the text, its sentences shaded by what they are worth for the class that the model answers."""
    best, effect = int(trace.probabilities[own - 1].argmax()), np.array(trace.extra["effect"])
    if len(effect) == 1:
        st.caption("There is one sentence only: nothing is left to compare with.")
        return
    effect, name = effect[:, best], trace.classes[best]
    most = float(np.abs(effect).max())
    shares = np.stack([effect, -effect], 1).clip(min=0) / max(1e-9, most)
    st.caption(
        f"Shaded by how far the log-odds of {widgets.plain(name)}, after {own} iterations, fall or rise when a "
        f"sentence's vote is left out of the routing: from 0 to 1 of {most:.2f}, the largest change of this text."
    )
    sides = [[f"For {name}", f"Against {name}"]] * n_iters
    spans = trace.of_sentences().spans
    shading(f"effects-{trace.model}", text, spans, np.repeat(shares[None], n_iters, 0), sides)


def effect_table(trace: runs.Trace) -> pd.DataFrame:
    """One row a sentence."""
    sentences, effect = trace.of_sentences().tokens, np.array(trace.extra["effect"]).T
    lost = {f"log-odds of {name} lost without it": e for name, e in zip(trace.classes, effect, strict=True)}
    return pd.DataFrame({"sentence": range(1, len(sentences) + 1), "text": sentences, **lost})
