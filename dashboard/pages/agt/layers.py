"""One sentence, layer by layer: attention, selected words, classes and gates."""

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.phrases import RELAXED, SELECTED, phrases, selected
from core.sentences.layers import describe_layers, most_attended
from core.sentences.words import quote
from core.traces.agt import AGTTrace
from dashboard.components.finding import finding
from dashboard.components.verdict import verdict
from dashboard.figures import plots
from dashboard.figures.attention import attention_table, distribution
from dashboard.figures.before import outline_before
from dashboard.figures.figure import pickable
from dashboard.figures.standalone import DrawnComponent
from dashboard.runs.pytorch import histogram
from dashboard.screen.address import in_address
from dashboard.screen.formula import draw_path
from dashboard.screen.inputs import MAX_SHOWN, choose_number_from, pick_word
from dashboard.screen.outputs import draw_numbers
from dashboard.screen.shaded import draw_shaded_text
from dashboard.screen.shown import Shown
from dashboard.screen.unit_link import name_unit


def choose_threshold() -> float:
    """Let the user choose the share of a layer's largest attention above which a word is selected."""
    limits = {"min_value": 0.5, "max_value": 0.99, "value": SELECTED, "step": 0.01, "format": "%.2f"}
    help = "A layer selects a word that gets more than this share of the layer's largest attention; 0.95 in the paper."
    return st.number_input("Selected above", help=help, **limits, **in_address("threshold"))


def draw_classes(shown: Shown, trace: AGTTrace, before: AGTTrace | None = None) -> None:
    """Draw the classes of the scrubbed layer as bars. before: trace before the user's edits, if there are any."""
    layers = range(1, trace.n_steps + 1)
    notes = [f"Prediction from layer {n}" + (", the final one" if n == trace.n_steps else "") for n in layers]
    options = {"param": "layer", "before": None if before is None else before.probabilities}
    shown.add(verdict(f"verdict-{trace.model}", trace.probabilities, trace.classes, notes, **options))


def choose_word_and_layer(trace: AGTTrace, subject: str, name: str) -> tuple[int, int]:
    """Let the user choose a word and a layer by number, or by a click in the heat map.

    Args:
        trace: trace without edits.
        subject: value that identifies text and network; if it changes, the choice of a word starts again.
        name: name of the network; if it changes, the choice of a layer starts again.
    """
    attention = trace.scaled_attention
    words, layers, chosen = st.columns([1, 1, 2], vertical_alignment="bottom")
    with words:
        i = choose_number_from(len(trace.tokens), "Word", "word", most_attended(attention[-1], trace.phrasing), subject)
    with layers:
        layer = choose_number_from(trace.n_steps, "Layer", "changed", trace.n_steps - 1, name)
    chosen.text(quote(trace.tokens[i], MAX_SHOWN))
    return i, layer


def draw_cell(trace: AGTTrace, i: int, layer: int) -> None:
    """Draw the attention of a layer to word i, and the layer's gates."""
    rows = []
    if layer < len(trace.attention):
        rows += [
            [f"attention to {quote(trace.tokens[i])}", f"{trace.attention[layer, i]:.3f}"],
            ["relative to the layer's maximum", f"{trace.scaled_attention[layer, i]:.2f}"],
        ]
    if layer > 0:
        rows.append(["mean gate value", f"{trace.gates[layer - 1].mean():.2f}"])
    leading = int(trace.probabilities[layer].argmax())
    rows.append([f"P({trace.classes[leading]}) from this layer", f"{trace.probabilities[layer, leading]:.1%}"])
    draw_numbers([f"layer {layer + 1}", "value"], rows)
    st.caption("A gate of 0 keeps what the layer below found. A gate of 1 replaces it.")
    draw_path(trace, (i,), layer + 1)


def draw_attention(
    shown: Shown, trace: AGTTrace, text: str, chosen: np.ndarray, threshold: float, before: AGTTrace | None = None
) -> None:
    """Draw each layer's finding, the text shaded by the scrubbed layer's attention, and the attention of all layers.

    Args:
        shown: record of the page.
        trace: trace of the run.
        text: text as typed.
        chosen: whether each word is selected, [l, i].
        threshold: share of the layer's largest attention above which a word is selected.
        before: trace before the user's edits, if there are any.
    """
    names = [name_unit(trace.model, n, "layer") for n in range(1, trace.n_steps + 1)]
    predicted = trace.probabilities, trace.phrasing, trace.classes
    sentences = describe_layers(trace.attention, *predicted, threshold, names)
    shown.add(finding(f"finding-{trace.model}", sentences, param="layer"))
    shown.add(_draw_shaded_text(trace, text, chosen))
    alt = "Attention of every layer to every word, scaled to its layer's largest"
    figure = pickable(plots.attention(trace, threshold), ["i", "j"])
    if before is not None:
        figure = outline_before(figure, before, trace)
    shown.draw_heatmap("Attention", figure, "attention", alt, picks={"i": "word", "j": "changed"})
    relaxed = selected(trace.attention, RELAXED)
    shares = trace.scaled_attention
    shown.add_table("attention", lambda: attention_table(trace.attention, shares, chosen, trace.tokens))
    shown.add_table("composed", lambda: composed_table(trace, chosen, relaxed, threshold))
    shown.add_table("layers", lambda: classes_table(trace))
    shown.add_table("gates", lambda: gates_table(trace))


def _draw_shaded_text(trace: AGTTrace, text: str, chosen: np.ndarray) -> DrawnComponent:
    """Draw the text that was read, shaded by the attention of the scrubbed layer, or plain if it has none."""
    n_without = trace.n_steps - len(chosen)  # layers without attention
    shares = np.pad(trace.scaled_attention, ((0, n_without), (0, 0)))[:, :, None]
    notes = [[f"Layer {n} · {row.sum()} selected"] for n, row in enumerate(chosen, 1)]
    notes += [[f"Layer {n} has no attention"] for n in range(len(chosen) + 1, trace.n_steps + 1)]
    look = {"known": trace.known, "param": "layer", "on_pick": pick_word}
    return draw_shaded_text("composed", trace, text, shares, notes, **look)


def draw_layers(shown: Shown, trace: AGTTrace, chosen: np.ndarray, threshold: float) -> None:
    """Draw the phrases that each layer composes from its selected words, and the classes of each layer.

    Args:
        shown: record of the page.
        trace: trace of the run.
        chosen: whether each word is selected, [l, i].
        threshold: share of the layer's largest attention above which a word is selected.
    """
    table = composed_table(trace, chosen, selected(trace.attention, RELAXED), threshold)
    st.dataframe(table, hide_index=True, height="content")
    st.caption(
        "Dots separate phrases. The paper also has a relaxed reading: a layer selects every word that gets more than "
        "half of the layer's largest attention."
    )
    classes = plots.probabilities(trace)
    shown.draw_charts({"Prediction from each layer": classes}, columns=1)


def composed_table(trace: AGTTrace, strict: np.ndarray, relaxed: np.ndarray, threshold: float) -> pd.DataFrame:
    """One row per layer, with its phrases in the strict and the relaxed reading, and the length of the longest one."""

    def join(row: np.ndarray) -> str:
        return " · ".join(trace.as_typed(start, end) for start, end in phrases(row))

    lengths = [[end - start for start, end in phrases(row)] for row in strict]
    return pd.DataFrame(
        {
            "layer": np.arange(1, len(strict) + 1),
            f"selected, above {threshold:.2f}": [join(row) for row in strict],
            "longest phrase of these": [max(row, default=0) for row in lengths],
            "relaxed, above .5": [join(row) for row in relaxed],
        }
    )


def draw_gates(shown: Shown, trace: AGTTrace, measured: dict[str, np.ndarray] | None) -> None:
    """Draw the distribution of each layer's gates, for this sentence and, if measured, for all test sentences."""
    if not len(trace.gates):
        st.caption("This network has a single layer, and no gate.")
        return
    counts = {"this sentence": histogram(trace.gates)}
    if measured is not None:
        counts["all test sentences"] = measured["gates"]
    x_title = "gate value T (0: keep the layer below, 1: replace it)"
    charts = {
        f"Gates, {texts}": distribution(n, 2, x_title, "gate components", trace.n_steps) for texts, n in counts.items()
    }
    shown.draw_charts(charts, columns=2)


def classes_table(trace: AGTTrace) -> pd.DataFrame:
    """The class probabilities that the classifier computes from each layer's features, one row per layer."""
    columns = {f"P({name})": p for name, p in zip(trace.classes, trace.probabilities.T, strict=True)}
    return pd.DataFrame({"layer": np.arange(1, trace.n_steps + 1), **columns})


def gates_table(trace: AGTTrace) -> pd.DataFrame:
    """The gates, one row per layer and component, counted from 1; the first layer has none."""
    layer, h = (index.ravel() for index in np.indices(trace.gates.shape))
    return pd.DataFrame({"layer": layer + 2, "component": h + 1, "T": trace.gates.ravel()})
