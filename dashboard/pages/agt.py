"""AGT on one sentence: what each layer attends to, what it composes, what its gates let through."""

import numpy as np
import pandas as pd
import streamlit as st

from dashboard import composition, runs, widgets
from dashboard.components import scrubber, shading
from dashboard.figures import composition as figures
from dashboard.figures.figure import Figure
from dashboard.figures.routing import over_iterations

EXAMPLES = {
    "Though": "Though the plot is predictable, the movie never feels formulaic, because the attention is on the "
    "nuances of the emotional development of the delicate characters.",
    "Not only": "Bad company leaves a bad taste, not only because of its bad luck timing, but also the staleness of "
    "its script.",
    "Not so much": "Not so much a movie as a picture book for the big screen.",
    "But": "The acting is superb, but the plot never earns its two long hours.",
}
FORMULA = r"""\begin{gathered}
B_n = \tanh(W x_n + b), \qquad m_{l,n} = w_l \cdot \tanh(W_l B_n), \qquad
d_{l,n} = \frac{e^{m_{l,n}}}{\sum_{n'} e^{m_{l,n'}}}, \qquad s_l = \sum_n d_{l,n} B_n \\
T_l = \sigma(W^t_l s_l + b^t_l), \qquad y_0 = s_0, \qquad
y_l = \tanh(W^f_l [y_{l-1}; s_l] + b^f_l)\, T_l + y_{l-1} (1 - T_l) \\
\text{scaled attention of word } n = \frac{d_{l,n}}{\max_{n'} d_{l,n'}}
\end{gathered}"""
SOURCE = "Guo 2017, eq. 1-8. Layers count from 1 here, as in the figures there; in the formulas from l = 0."
NOT_SHOWN = """A word's score m depends on the word and the layer alone, not on its neighbours: in another sentence it
is the same, and only what it is compared with changes. So a phrase here is a run of words that are each attended to,
not one that the network read as a phrase: it knows no order of words. Attention says what enters a layer, not what it
changes. The classes by layer are the head applied to every layer's features, but it was trained on the last's only."""


def page() -> None:
    st.title("AGT")
    st.markdown(
        "Watch a sentence being composed: every layer of an attention gated transformation network looks at the same "
        "words with an attention of its own, and its gates decide how much of that enters."
    )
    device = widgets.device()
    name = widgets.checkpoint("agt", first="agt-sst5")
    threshold = st.sidebar.slider(
        "Selected above", 0.5, 0.99, runs.SELECTED, 0.01, key="threshold", help=THRESHOLD_HELP, **widgets.IN_ADDRESS
    )
    text = widgets.text_input(EXAMPLES)
    (trace,) = widgets.traces([name], device, text)
    widgets.share_link(text)
    n_layers = trace.n_iters
    with st.container(key="controls"):
        scrubber(n_layers, "Layer", param="layer", address="layer")
    widgets.verdict(trace)

    attention = trace.extra["attention"]
    scaled, chosen = runs.scaled(attention), runs.selected(attention, threshold)
    runs_of_words = [runs.phrases(row) for row in chosen]
    heatmap = figures.attention_heatmap(scaled, trace.tokens, runs_of_words, threshold, n_layers)
    widgets.heatmap(heatmap, "attention", "Attention of every layer to every word, scaled to its layer's largest")

    st.header("The sentence as the chosen layer sees it")
    st.caption("Shaded by scaled attention, on the scale above.")
    shares = np.pad(scaled, ((0, n_layers - len(scaled)), (0, 0)))[:, :, None]
    shading("composed", text, trace.spans, shares, notes(chosen, n_layers), param="layer")
    st.header("The sentence as each layer composes it")
    table = composed(trace.tokens, chosen, runs.selected(attention, runs.RELAXED), threshold)
    st.dataframe(table, hide_index=True, height=36 * (len(table) + 1))
    st.caption(
        "A dot parts phrases. The paper's second, relaxed reading takes words that get more than half of the full "
        "attention."
    )

    st.header("What enters, and what it changes")
    measured = runs.measured("selections", name)
    layers = of_layers(trace, measured)
    widgets.charts(layers, columns=len(layers))
    of_split, split_tables = composition.of_the_split(name, runs.lengths(chosen, runs.MAX_LENGTH), n_layers)
    ablation, ablation_table = composition.ablation()
    widgets.explained(FORMULA, SOURCE, NOT_SHOWN)
    shown = {"Attention": heatmap} | layers | of_split | ablation

    def make_tables() -> dict[str, pd.DataFrame]:
        tables = {
            "attention": figures.attention_table(attention, scaled, chosen, trace.tokens),
            "composed": table,
            "layers": classes_by_layer(trace),
            "gates": gates_table(trace),
        }
        return tables | split_tables | ablation_table

    widgets.downloads(trace, make_tables, shown)


THRESHOLD_HELP = "The share of its layer's largest attention above which a word is selected; .95 in the paper."


def notes(chosen: np.ndarray, n_layers: int) -> list[list[str]]:
    """The heading of the shaded sentence at each layer."""
    n_words = chosen.shape[1]
    attending = [f"Layer {n} · {row.sum()} of {n_words} words selected" for n, row in enumerate(chosen, 1)]
    without = [f"Layer {n} has no attention" for n in range(len(chosen) + 1, n_layers + 1)]
    return [[note] for note in attending + without]


def composed(tokens: list[str], strict: np.ndarray, relaxed: np.ndarray, threshold: float) -> pd.DataFrame:
    """One row a layer: the words it selects, and the longest phrase among them."""

    def told(row: np.ndarray) -> list[str]:
        return [" ".join(tokens[start:end]) for start, end in runs.phrases(row)]

    rows = []
    for number, (row, more) in enumerate(zip(strict, relaxed, strict=True), 1):
        longest = max(runs.phrases(row), key=lambda run: run[1] - run[0], default=(0, 0))
        said = {f"selected, above {threshold:.2f}": " · ".join(told(row)), "relaxed, above .5": " · ".join(told(more))}
        rows.append({"layer": number} | said | {"longest phrase": longest[1] - longest[0]})
    return pd.DataFrame(rows)


def of_layers(trace: runs.Trace, measured: dict[str, np.ndarray] | None) -> dict[str, Figure]:
    """Classes and gates, layer by layer, this sentence's gates beside those of all test sentences."""
    n_layers, gates = trace.n_iters, trace.extra["gates"]
    shown = {
        "Class, read off each layer": over_iterations(
            trace.probabilities, "probability", trace.classes, [0, 1], along="layer"
        )
    }
    if not len(gates):
        return shown
    of, x_title = "gate components", "T, 0: carried on, 1: made anew"
    shown["Gates, this sentence"] = figures.distribution(runs.histogram(gates), 2, x_title, of, n_layers)
    if measured is not None:
        shown["Gates, all test sentences"] = figures.distribution(measured["gates"], 2, x_title, of, n_layers)
    return shown


def classes_by_layer(trace: runs.Trace) -> pd.DataFrame:
    """What the head says of each layer's features, one row a layer."""
    columns = {f"P({name})": p for name, p in zip(trace.classes, trace.probabilities.T, strict=True)}
    return pd.DataFrame({"layer": np.arange(1, trace.n_iters + 1), **columns})


def gates_table(trace: runs.Trace) -> pd.DataFrame:
    """One row a layer with a gate and component, counted from 1."""
    gates = trace.extra["gates"]
    layer, h = (index.ravel() for index in np.indices(gates.shape))
    return pd.DataFrame({"layer": layer + 2, "component": h + 1, "T": gates.ravel()})


page()
