"""Dynamic routing on one text: how words, or the sentences of a document, come to agree on capsules."""

import pandas as pd
import streamlit as st

from dashboard import aggregation, documents, examples, routed, runs, widgets
from dashboard.components import scrubber
from dashboard.figures.figure import Figure
from dashboard.figures.routing import cell_table

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
    reviews = ", or the sentences of a review," if runs.models("dragg-documents") else ""
    st.markdown(
        f"Watch the words of a sentence{reviews} agree, iteration by iteration, on the capsules that decide its class."
    )
    device = widgets.device()
    name = widgets.checkpoint("dragg", "dragg-documents", first="dragg-sst5")
    config = runs.about(name)["config"]
    own = config["model"]["n_iters"]
    n_iters = widgets.largest_count(own)
    names = [name, *widgets.beside(runs.twin(name))]
    text = widgets.text_input(*examples.of(config["corpus"]))
    whole = widgets.traces(names, device, text, n_iters)
    widgets.share_link(text)
    if config["kind"] == "dragg-documents":
        unit, traces = "sentence", [trace.first(n_iters).of_sentences() for trace in whole]
    else:
        unit, traces = "word", [trace.first(n_iters) for trace in whole]

    cell, heatmaps = routing(traces, unit, n_iters)
    figures: dict[str, dict[str, Figure]] = {}
    if unit == "sentence":
        figures = documents.below(whole, text, cell.word, n_iters, own)
    else:
        sentence(traces, text)
    st.header("How far it has come")
    progress = {trace.model: routed.progress(trace, unit) for trace in traces}
    for trace in widgets.side_by_side(traces):
        widgets.charts(progress[trace.model], columns=2 // len(traces))
    swept, swept_tables = aggregation.measured()
    not_shown = NOT_SHOWN.format(own=own, unit=unit)
    widgets.explained(FORMULA, SOURCE, f"{not_shown} {documents.NOT_SHOWN}" if unit == "sentence" else not_shown)
    for trace, given in zip(widgets.side_by_side(traces), whole, strict=True):
        shown = {
            f"Coupling coefficients, {trace.model}": heatmaps[trace.model],
            **progress[trace.model],
            **routed.history(trace, cell),
            **figures.get(trace.model, {}),
        }
        first = trace is traces[0]

        def tables(trace=trace, given=given, first=first) -> dict[str, pd.DataFrame]:
            """What stands under this model's pictures."""
            cells = cell_table(trace.steps, trace.tokens, unit)
            made = {"cells": cells, "iterations": routed.iterations(trace, unit)}
            made |= documents.tables(given, cell.word, n_iters) if unit == "sentence" else {}
            return made | (swept_tables if first else {})

        widgets.downloads(given.first(n_iters), tables, shown | (swept if first else {}))


def routing(traces: list[runs.Trace], unit: str, n_iters: int) -> tuple[widgets.Cell, dict[str, Figure]]:
    """Draws heat maps, scrubber and the history of a cell; the cell, and the heat maps by model."""
    controls = st.container(key="controls")  # stays in sight; filled once the cell is known
    heatmaps = {trace.model: routed.heatmap(trace, unit) for trace in traces}
    for trace in widgets.side_by_side(traces):
        widgets.verdict(trace)
        alt_text = f"Coupling coefficients of {trace.model}"
        widgets.heatmap(heatmaps[trace.model], f"heatmap-{trace.model}", alt_text, {"i": unit, "j": "capsule"})
    n_capsules = traces[0].steps["coupling"].shape[2]
    cell = widgets.cell(traces[0].tokens, n_capsules, unit)
    with controls:
        scrubber(n_iters, signals={"picked": cell.word * n_capsules + cell.capsule, "turn": widgets.turn(cell)})
    for trace in widgets.side_by_side(traces):
        widgets.charts(routed.history(trace, cell), columns=3)
    return cell, heatmaps


def sentence(traces: list[runs.Trace], text: str) -> None:
    """Draws the sentence once per capsule."""
    st.header("The sentence, once per capsule")
    for trace in widgets.side_by_side(traces):
        routed.once_per_capsule(trace, text)


page()
