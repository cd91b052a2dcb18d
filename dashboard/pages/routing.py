"""Dynamic routing on one sentence: how words come to agree on capsules."""

import math

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
to stop after 3 iterations: the classes at any other count are a reading it was not trained for."""


def page() -> None:
    st.title("Routing")
    st.markdown("Watch the words of a sentence agree, iteration by iteration, on the capsules that decide its class.")
    device = widgets.device()
    name = widgets.checkpoint("dragg", first="dragg-sst5")
    n_iters = widgets.largest_count()
    names = [name, *widgets.beside(runs.twin(name))]
    text = widgets.text_input(EXAMPLES)
    traces = [widgets.traced(name, device, text).first(n_iters) for name in names]
    widgets.share_link(text)

    controls = st.container(key="controls")  # stays in sight; filled once the cell is known
    for trace in widgets.side_by_side(traces):
        widgets.verdict(trace)
        widgets.heatmap(heatmap(trace), f"heatmap-{trace.model}", f"Coupling coefficients of {trace.model}")
    n_capsules = traces[0].steps["coupling"].shape[2]
    cell = widgets.cell(traces[0].tokens, n_capsules)
    with controls:
        scrubber(n_iters, signals={"picked": cell.word * n_capsules + cell.capsule})
    for trace in widgets.side_by_side(traces):
        widgets.charts(history(trace, cell), columns=3)

    st.header("The sentence, once per capsule")
    for trace in widgets.side_by_side(traces):
        coupling, high = trace.steps["coupling"], scale(trace)[1]
        st.caption(f"Shaded by cᵢⱼ on the scale above, 0 to {high:g}.")
        notes = [[f"length {length:.2f}" for length in lengths] for lengths in trace.steps["activation"]]
        shading(f"shading-{trace.model}", text, trace.spans, coupling, high, notes)

    st.header("How far it has come")
    for trace in widgets.side_by_side(traces):
        widgets.charts(progress(trace), columns=2 // len(traces))
    widgets.explained(FORMULA, "Gong, Qiu, Wang, Huang 2018, eq. 12-18", NOT_SHOWN)
    for trace in widgets.side_by_side(traces):
        widgets.downloads(trace, figures.table(trace.steps, trace.tokens), heatmap(trace))


def scale(trace: runs.Trace) -> tuple[list[str], float]:
    return figures.scale(trace.steps["coupling"], trace.extra["normalize"])


def heatmap(trace: runs.Trace) -> Figure:
    return figures.coupling_heatmap(trace.steps["coupling"], trace.tokens, *scale(trace))


def history(trace: runs.Trace, cell: widgets.Cell) -> dict[str, Figure]:
    """One word and one capsule over the iterations."""
    b, c, agreement = (
        trace.steps[name][:, cell.word, cell.capsule, None] for name in ("logits", "coupling", "agreement")
    )
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
    over, lengths, moved = figures.over_iterations, trace.steps["activation"], runs.change(coupling, normalize)
    undecided = math.log2(n_capsules if normalize == "output" else max(2, n_words))
    return {
        "Class, had it stopped here": over(trace.probabilities, "probability", trace.classes, [0, 1]),
        "Length of each capsule": over(lengths, "|vⱼ|", [f"capsule {j + 1}" for j in range(n_capsules)], [0, 1]),
        f"Entropy of {SHARERS[normalize]} (bold: mean)": over(
            runs.entropy(coupling, normalize), "bits", domain=[0, undecided]
        ),
        "Change since the last iteration": over(moved[:, None], "share that moved, mean", ["change"], [0, 1]),
    }


page()
