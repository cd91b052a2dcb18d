"""Dynamic routing on one sentence: how words come to agree on capsules."""

import math

import pandas as pd
import streamlit as st

from dashboard import aggregation, documents, examples, runs, widgets
from dashboard.components import scrubber, shading
from dashboard.figures import routing as figures
from dashboard.figures.figure import Figure

EXAMPLES = {
    "But": "The acting is superb, but the plot never earns its two long hours.",
    "Wholesome": "so relentlessly wholesome it made me want to swipe something .",
    "Not bad": "It's not a bad film at all; it isn't a great one either.",
    "Plain": "A warm, funny and deeply moving film.",
}
SHARERS = {"output": "each {unit}'s share", "input": "each capsule's intake"}
FORMULA = r"""\begin{gathered}
u_{ij} = \tanh(W_j h_i + b_j), \qquad b_{ij} = 0, \qquad \text{then, each iteration:} \\
c_{ij} = \frac{e^{b_{ij}}}{\sum_k e^{b_{ik}}}\ \text{(standard)} \quad\text{or}\quad
c_{ij} = \frac{e^{b_{ij}}}{\sum_k e^{b_{kj}}}\ \text{(reversed)} \\
s_j = \sum_i c_{ij} u_{ij}, \qquad v_j = \frac{|s_j|^2}{1 + |s_j|^2} \frac{s_j}{|s_j|}, \qquad
b_{ij} \leftarrow b_{ij} + v_j \cdot u_{ij}
\end{gathered}"""
SOURCE = "Gong, Qiu, Wang, Huang 2018, eq. 12-18"
NOT_SHOWN = """A share says where a {unit}'s vote goes, not how much the {unit} changes the prediction. The vote also
carries what the BiLSTM read around the {unit}, and the classifier mixes the capsules afterwards. The model was trained
to stop at its own count of iterations ({own}): the classes at any other are a reading it was not trained for."""


def page() -> None:
    st.title("Routing")
    st.markdown(
        "Watch the words of a sentence agree, iteration by iteration, on the capsules that decide its class, or "
        "the sentences of a review."
    )
    device = widgets.device()
    name = widgets.checkpoint("dragg", "dragg-documents", first="dragg-sst5")
    config = runs.about(name)["config"]
    own, in_sentences = config["model"]["n_iters"], config["kind"] == "dragg-documents"
    unit = "sentence" if in_sentences else "word"
    n_iters = widgets.largest_count(own)
    names = [name, *widgets.beside(runs.twin(name))]
    text = widgets.text_input(*examples.of(config["corpus"])) if in_sentences else widgets.text_input(EXAMPLES)
    whole = [trace.first(n_iters) for trace in widgets.traces(names, device, text)]
    traces = [trace.of_sentences() for trace in whole] if in_sentences else whole
    widgets.share_link(text)

    controls = st.container(key="controls")  # stays in sight; filled once the cell is known
    heatmaps = {trace.model: documents.drawn(trace) if in_sentences else drawn(trace) for trace in traces}
    for trace in widgets.side_by_side(traces):
        widgets.verdict(trace)
        alt_text = f"Coupling coefficients of {trace.model}"
        widgets.heatmap(heatmaps[trace.model], f"heatmap-{trace.model}", alt_text, {"i": unit, "j": "capsule"})
    n_capsules = traces[0].steps["coupling"].shape[2]
    cell = widgets.cell(traces[0].tokens, n_capsules, unit)
    with controls:
        scrubber(n_iters, signals={"picked": cell.word * n_capsules + cell.capsule, "turn": widgets.turn(cell)})
    for trace in widgets.side_by_side(traces):
        widgets.charts(history(trace, cell), columns=3)

    st.header("What each sentence is worth" if in_sentences else "The sentence, once per capsule")
    for trace in widgets.side_by_side(traces):
        if in_sentences:
            documents.effects(trace, text)
        else:
            once_per_capsule(trace, text)
    words = {}
    if in_sentences:
        st.header(f"The words of sentence {cell.word + 1}")
        for trace in widgets.side_by_side(whole):
            sentence = trace.of_sentence(cell.word)
            words[trace.model] = documents.words(sentence)
            once_per_capsule(sentence, text)

    st.header("How far it has come")
    for trace in widgets.side_by_side(traces):
        widgets.charts(progress(trace, unit), columns=2 // len(traces))
    swept, swept_tables = aggregation.measured()
    not_shown = NOT_SHOWN.format(own=own, unit=unit)
    widgets.explained(FORMULA, SOURCE, f"{not_shown} {documents.NOT_SHOWN}" if in_sentences else not_shown)
    for trace in widgets.side_by_side(traces):
        shown = {
            f"Coupling coefficients, {trace.model}": heatmaps[trace.model],
            **progress(trace, unit),
            **history(trace, cell),
        }
        tables = {"cells": figures.cell_table(trace.steps, trace.tokens, unit), "iterations": iterations(trace, unit)}
        if in_sentences:
            shown[f"Words of sentence {cell.word + 1}"] = words[trace.model]
            tables["sentences"] = documents.effect_table(trace)
        first = trace is traces[0]
        widgets.downloads(trace, tables | (swept_tables if first else {}), shown | (swept if first else {}))


def once_per_capsule(trace: runs.Trace, text: str) -> None:
    """What was read of the text, shaded by the shares of each capsule."""
    st.caption("Shaded by cᵢⱼ on the scale above, 0 to 1.")
    lengths, start, end = trace.steps["activation"], trace.spans[0][0], trace.spans[-1][1]
    notes = [[f"Capsule {j} · length {length:.2f}" for j, length in enumerate(of_one, 1)] for of_one in lengths]
    spans = [(first - start, last - start) for first, last in trace.spans]
    shading(f"shading-{trace.model}", text[start:end], spans, trace.steps["coupling"], notes)


def drawn(trace: runs.Trace) -> Figure:
    """Words by capsules."""
    return figures.coupling_heatmap(trace.steps["coupling"], trace.tokens, trace.extra["normalize"])


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


def progress(trace: runs.Trace, unit: str) -> dict[str, Figure]:
    """All of it over the iterations. unit: what is routed."""
    coupling, normalize = trace.steps["coupling"], trace.extra["normalize"]
    _, n_words, n_capsules = coupling.shape
    undecided = math.log2(n_capsules if normalize == "output" else max(2, n_words))
    over, capsules = figures.over_iterations, [f"capsule {j + 1}" for j in range(n_capsules)]
    entropy, moved = runs.entropy(coupling, normalize), runs.change(coupling, normalize)[:, None]
    return {
        "Class, had it stopped here": over(trace.probabilities, "probability", trace.classes, [0, 1]),
        "Length of each capsule": over(trace.steps["activation"], "|vⱼ|", capsules, [0, 1]),
        f"Entropy of {SHARERS[normalize].format(unit=unit)} (bold: mean)": over(entropy, "bits", domain=[0, undecided]),
        "Change since the last iteration": over(moved, "share moved", ["change"], [0, 1]),
    }


def iterations(trace: runs.Trace, unit: str) -> pd.DataFrame:
    """The numbers under ``progress``, one row an iteration."""
    coupling, normalize = trace.steps["coupling"], trace.extra["normalize"]
    sharer = unit if normalize == "output" else "capsule"
    return figures.iteration_table(
        {f"P({name})": p for name, p in zip(trace.classes, trace.probabilities.T, strict=True)}
        | {f"|v| of capsule {j + 1}": v for j, v in enumerate(trace.steps["activation"].T)}
        | {"change": runs.change(coupling, normalize)}
        | {f"bits of {sharer} {k + 1}": h for k, h in enumerate(runs.entropy(coupling, normalize).T)}
    )


page()
