"""What the Routing page draws of one routing, of words or sentences: shares, a cell's history, how far it has come."""

import math

import pandas as pd
import streamlit as st

from dashboard import runs
from dashboard.components import shading
from dashboard.figures import routing as figures
from dashboard.figures.figure import Figure
from dashboard.widgets import Cell

SHARERS = {"output": "each {unit}'s share", "input": "each capsule's intake"}


def heatmap(trace: runs.Trace, unit: str, picked: bool = True) -> Figure:
    """Words or sentences, the ``unit``, by capsules. picked: whether a cell is in a frame and can be clicked."""
    return figures.coupling_heatmap(trace.steps["coupling"], trace.tokens, trace.extra["normalize"], unit, picked)


def once_per_capsule(trace: runs.Trace, text: str) -> None:
    """Draws what was read of the text, shaded by the shares of each capsule."""
    st.caption("Shaded by cᵢⱼ on the scale above, 0 to 1.")
    lengths, start, end = trace.steps["activation"], trace.spans[0][0], trace.spans[-1][1]
    notes = [[f"Capsule {j} · length {length:.2f}" for j, length in enumerate(of_one, 1)] for of_one in lengths]
    spans = [(first - start, last - start) for first, last in trace.spans]
    shading(f"shading-{trace.model}", text[start:end], spans, trace.steps["coupling"], notes)


def history(trace: runs.Trace, cell: Cell) -> dict[str, Figure]:
    """One word, or sentence, and one capsule over the iterations."""
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
