"""One sentence, layer by layer: attention, what is composed of it, classes and gates."""

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.phrases import RELAXED, phrases, scaled, selected
from core.traces.agt import AGTTrace
from dashboard import runs
from dashboard.components import shading
from dashboard.figures.attention import attention_heatmap, attention_table, distribution
from dashboard.figures.lines import lines_over
from dashboard.shared.shown import Shown


def draw_attention(shown: Shown, trace: AGTTrace, chosen: np.ndarray, threshold: float) -> None:
    """The attention of every layer to every word. chosen: which words are selected [l, i]."""
    attention = trace.attention
    shares, phrases_by_layer = scaled(attention), [phrases(row) for row in chosen]
    figure = attention_heatmap(shares, trace.tokens, phrases_by_layer, threshold, trace.n_steps)
    alt = "Attention of every layer to every word, scaled to its layer's largest"
    shown.draw_heatmap("Attention", figure, "attention", alt)
    shown.add_table("attention", lambda: attention_table(attention, shares, chosen, trace.tokens))


def draw_shaded_sentence(trace: AGTTrace, text: str, chosen: np.ndarray) -> None:
    """The sentence, shaded by the attention of the chosen layer; not at all where a layer has none."""
    st.header("What the chosen layer attends to")
    st.caption("Shaded by scaled attention, on the scale above.")
    without = trace.n_steps - len(chosen)  # layers
    shares = np.pad(scaled(trace.attention), ((0, without), (0, 0)))[:, :, None]
    n_words = chosen.shape[1]
    notes = [[f"Layer {n} · {row.sum()} of {n_words} words selected"] for n, row in enumerate(chosen, 1)]
    notes += [[f"Layer {n} has no attention"] for n in range(len(chosen) + 1, trace.n_steps + 1)]
    shading("composed", text, trace.spans, shares, notes, param="layer")


def draw_composed(shown: Shown, trace: AGTTrace, chosen: np.ndarray, threshold: float) -> None:
    """The words that each layer selects, and those that it selects by the paper's relaxed reading."""
    st.header("What each layer selects")
    table = composed_table(trace.tokens, chosen, selected(trace.attention, RELAXED), threshold)
    st.dataframe(table, hide_index=True, height=36 * (len(table) + 1))
    st.caption(
        "Dots separate phrases. The paper's second, relaxed reading selects words that get more than half of the "
        "largest attention."
    )
    shown.add_table("composed", lambda: table)


def composed_table(tokens: list[str], strict: np.ndarray, relaxed: np.ndarray, threshold: float) -> pd.DataFrame:
    """One row a layer: the words it selects, and the length of the longest phrase among them."""

    def written(row: np.ndarray) -> str:
        return " · ".join(" ".join(tokens[start:end]) for start, end in phrases(row))

    lengths = [[end - start for start, end in phrases(row)] for row in strict]
    return pd.DataFrame(
        {
            "layer": np.arange(1, len(strict) + 1),
            f"selected, above {threshold:.2f}": [written(row) for row in strict],
            "relaxed, above .5": [written(row) for row in relaxed],
            "longest phrase": [max(of_layer, default=0) for of_layer in lengths],
        }
    )


def draw_layers(shown: Shown, trace: AGTTrace, measured: dict[str, np.ndarray] | None) -> None:
    """Classes and gates, layer by layer: this sentence's gates beside those of all test sentences, where measured."""
    st.header("What each layer lets in and what it changes")
    n_layers, gates = trace.n_steps, trace.gates
    classes = lines_over(trace.probabilities, "probability", trace.classes, [0, 1], along="layer")
    charts = {"Class, read off each layer": classes}
    if len(gates):
        what, x_title = "gate components", "T, 0: carried on, 1: made anew"
        counts = {"this sentence": runs.histogram(gates)}
        if measured is not None:
            counts["all test sentences"] = measured["gates"]
        charts |= {f"Gates, {of}": distribution(n, 2, x_title, what, n_layers) for of, n in counts.items()}
    shown.draw_charts(charts, columns=len(charts))
    shown.add_table("layers", lambda: classes_table(trace))
    shown.add_table("gates", lambda: gates_table(trace))


def classes_table(trace: AGTTrace) -> pd.DataFrame:
    """What the head says of each layer's features, one row a layer."""
    columns = {f"P({name})": p for name, p in zip(trace.classes, trace.probabilities.T, strict=True)}
    return pd.DataFrame({"layer": np.arange(1, trace.n_steps + 1), **columns})


def gates_table(trace: AGTTrace) -> pd.DataFrame:
    """One row a layer with a gate and component, counted from 1."""
    gates = trace.gates
    layer, h = (index.ravel() for index in np.indices(gates.shape))
    return pd.DataFrame({"layer": layer + 2, "component": h + 1, "T": gates.ravel()})
