"""Dynamic routing on one sentence: how words come to agree on capsules."""

import math

import pandas as pd
import streamlit as st

from dashboard import runs, widgets
from dashboard.components import scrubber, shading
from dashboard.figures import routing as figures
from dashboard.figures.figure import Figure

EXAMPLES = {
    "But": "The acting is superb, but the plot never earns its two long hours.",
    "Wholesome": "so relentlessly wholesome it made me want to swipe something .",
    "Not bad": "It's not a bad film at all; it isn't a great one either.",
    "Plain": "A warm, funny and deeply moving film.",
}
SHARERS = {"output": "each word's share", "input": "each capsule's intake"}
FORMULA = r"""\begin{gathered}
u_{ij} = \tanh(W_j h_i + b_j), \qquad b_{ij} = 0, \qquad \text{then, each iteration:} \\
c_{ij} = \frac{e^{b_{ij}}}{\sum_k e^{b_{ik}}}\ \text{(standard)} \quad\text{or}\quad
c_{ij} = \frac{e^{b_{ij}}}{\sum_k e^{b_{kj}}}\ \text{(reversed)} \\
s_j = \sum_i c_{ij} u_{ij}, \qquad v_j = \frac{|s_j|^2}{1 + |s_j|^2} \frac{s_j}{|s_j|}, \qquad
b_{ij} \leftarrow b_{ij} + v_j \cdot u_{ij}
\end{gathered}"""
NOT_SHOWN = """A share says where a word's vote goes, not how much the word changes the prediction. The vote also
carries what the BiLSTM read around the word, and the classifier mixes the capsules afterwards. The model was trained
to stop at its own count of iterations ({own}): the classes at any other are a reading it was not trained for."""


def page() -> None:
    st.title("Routing")
    st.markdown("Watch the words of a sentence agree, iteration by iteration, on the capsules that decide its class.")
    device = widgets.device()
    name = widgets.checkpoint("dragg", first="dragg-sst5")
    own = runs.about(name)["config"]["model"]["n_iters"]
    n_iters = widgets.largest_count(own)
    names = [name, *widgets.beside(runs.twin(name))]
    text = widgets.text_input(EXAMPLES)
    traces = [trace.first(n_iters) for trace in widgets.traces(names, device, text)]
    widgets.share_link(text)

    controls = st.container(key="controls")  # stays in sight; filled once the cell is known
    heatmaps = {t.model: figures.coupling_heatmap(t.steps["coupling"], t.tokens, t.extra["normalize"]) for t in traces}
    for trace in widgets.side_by_side(traces):
        widgets.verdict(trace)
        alt_text = f"Coupling coefficients of {trace.model}"
        widgets.heatmap(heatmaps[trace.model], f"heatmap-{trace.model}", alt_text, {"i": "word", "j": "capsule"})
    n_capsules = traces[0].steps["coupling"].shape[2]
    cell = widgets.cell(traces[0].tokens, n_capsules)
    with controls:
        scrubber(n_iters, signals={"picked": cell.word * n_capsules + cell.capsule, "turn": widgets.turn(cell)})
    for trace in widgets.side_by_side(traces):
        widgets.charts(history(trace, cell), columns=3)

    st.header("The sentence, once per capsule")
    st.caption("Shaded by cᵢⱼ on the scale above, 0 to 1.")
    for trace in widgets.side_by_side(traces):
        lengths = trace.steps["activation"]
        notes = [[f"Capsule {j} · length {length:.2f}" for j, length in enumerate(of_one, 1)] for of_one in lengths]
        shading(f"shading-{trace.model}", text, trace.spans, trace.steps["coupling"], notes)

    st.header("How far it has come")
    for trace in widgets.side_by_side(traces):
        widgets.charts(progress(trace), columns=2 // len(traces))
    widgets.explained(FORMULA, "Gong, Qiu, Wang, Huang 2018, eq. 12-18", NOT_SHOWN.format(own=own))
    for trace in widgets.side_by_side(traces):
        shown = {
            f"Coupling coefficients, {trace.model}": heatmaps[trace.model],
            **progress(trace),
            **history(trace, cell),
        }
        tables = {"cells": figures.cell_table(trace.steps, trace.tokens), "iterations": iterations(trace)}
        widgets.downloads(trace, tables, shown)


def history(trace: runs.Trace, cell: widgets.Cell) -> dict[str, Figure]:
    """One word and one capsule over the iterations."""
    fields = ("logits", "coupling", "agreement")
    b, c, agreement = (trace.steps[name][:, cell.word, cell.capsule, None] for name in fields)
    over = figures.over_iterations
    return {
        "Logit": over(b, "bᵢⱼ", ["b"]),
        "Share": over(c, "cᵢⱼ", ["c"], [0, 1]),
        "Agreement": over(agreement, "vⱼ · uᵢⱼ", ["agreement"]),
    }


def progress(trace: runs.Trace) -> dict[str, Figure]:
    """The whole sentence over the iterations."""
    coupling, normalize = trace.steps["coupling"], trace.extra["normalize"]
    _, n_words, n_capsules = coupling.shape
    undecided = math.log2(n_capsules if normalize == "output" else max(2, n_words))
    over, capsules = figures.over_iterations, [f"capsule {j + 1}" for j in range(n_capsules)]
    entropy, moved = runs.entropy(coupling, normalize), runs.change(coupling, normalize)[:, None]
    return {
        "Class, had it stopped here": over(trace.probabilities, "probability", trace.classes, [0, 1]),
        "Length of each capsule": over(trace.steps["activation"], "|vⱼ|", capsules, [0, 1]),
        f"Entropy of {SHARERS[normalize]} (bold: mean)": over(entropy, "bits", domain=[0, undecided]),
        "Change since the last iteration": over(moved, "share moved", ["change"], [0, 1]),
    }


def iterations(trace: runs.Trace) -> pd.DataFrame:
    """The numbers under ``progress``, one row an iteration."""
    coupling, normalize = trace.steps["coupling"], trace.extra["normalize"]
    sharer = "word" if normalize == "output" else "capsule"
    return figures.iteration_table(
        {f"P({name})": p for name, p in zip(trace.classes, trace.probabilities.T, strict=True)}
        | {f"|v| of capsule {j + 1}": v for j, v in enumerate(trace.steps["activation"].T)}
        | {"change": runs.change(coupling, normalize)}
        | {f"bits of {sharer} {k + 1}": h for k, h in enumerate(runs.entropy(coupling, normalize).T)}
    )


page()
