"""What the Routing page shows of a document beyond its sentences' routing: what each is worth, and its words."""

import numpy as np
import pandas as pd
import streamlit as st

from dashboard import runs, widgets
from dashboard.components import shading
from dashboard.figures import routing as figures
from dashboard.figures.figure import Figure

NOT_SHOWN = """What a sentence is worth is measured with its vote left out: the second BiLSTM has read it all the same,
so that the votes of its neighbours still know of it. The words' capsules go on after the model's own count of
iterations, whichever of them is shown."""
MOST_DRAWN = 150  # sentences of a heat map, which keeps it small; the tables hold all


def drawn(trace: runs.Trace) -> Figure:
    """Sentences, or the first of them, by capsules."""
    some = slice(MOST_DRAWN)
    if len(trace.tokens) > MOST_DRAWN:
        st.caption(f"The first {MOST_DRAWN} of {len(trace.tokens)} sentences are drawn; the tables below hold all.")
    return figures.coupling_heatmap(
        trace.steps["coupling"][:, some], trace.tokens[some], trace.extra["normalize"], "sentence"
    )


def effects(trace: runs.Trace, text: str) -> None:
    """Draws the text, its sentences shaded by what they are worth for the class that won. trace: of sentences."""
    best = int(trace.probabilities[-1].argmax())
    effect, name = np.array(trace.extra["effect"])[:, best], trace.classes[best]
    most = max(1e-9, float(np.abs(effect).max()))
    signed = np.stack([effect, -effect], 1).clip(min=0) / most
    st.caption(
        f"Shaded by how far the log-odds of *{widgets.plain(name)}* fall, or rise, when a sentence's vote is left out "
        f"of the routing: from 0 to {most:.2f}, the largest of this text. What the others read in it stays with them."
    )
    sides = [f"For {name}", f"Against {name}"]
    shading(
        f"effects-{trace.model}", text, trace.spans, np.repeat(signed[None], trace.n_iters, 0), [sides] * trace.n_iters
    )


def words(trace: runs.Trace) -> Figure:
    """Draws how the words of a sentence are routed to its capsules. trace: of that sentence."""
    figure = figures.coupling_heatmap(trace.steps["coupling"], trace.tokens, trace.extra["normalize"], picked=False)
    widgets.heatmap(figure, f"words-{trace.model}", f"Coupling coefficients of the words, {trace.model}")
    return figure


def effect_table(trace: runs.Trace) -> pd.DataFrame:
    """One row a sentence. trace: of sentences."""
    effect = np.array(trace.extra["effect"]).T
    lost = {f"log-odds of {name} lost without it": e for name, e in zip(trace.classes, effect, strict=True)}
    return pd.DataFrame({"sentence": range(1, len(trace.tokens) + 1), "text": trace.tokens, **lost})
