"""k-means routing on one text, dynamic routing beside it, and the codes that word vectors are composed by."""

import math

import numpy as np
import pandas as pd
import streamlit as st

from dashboard import codes, examples, runs, widgets
from dashboard.components import scrubber
from dashboard.figures import codes as still
from dashboard.figures import routing as figures
from dashboard.figures.figure import Figure
from dashboard.theme import CELL

ROUTINGS = {"kmeans": "k-means", "dynamic": "dynamic"}
BESIDE = 18  # pixels of a cell where two heat maps stand side by side
FORMULA = r"""\begin{gathered}
\hat u_{ij} = W_{ij} u_i, \qquad v_j = \tfrac{1}{J} \sum_i \hat u_{ij}, \qquad \text{then, each iteration:} \\
b_{ij} = \cos(\hat u_{ij}, v_j), \qquad c_{ij} = \frac{e^{b_{ij}}}{\sum_k e^{b_{ik}}}, \qquad
v_j = \sum_i c_{ij} \hat u_{ij}; \qquad \text{at the end } \frac{|v_j|}{1 + |v_j|^2} v_j \\
E(w) = \sum_{m=1}^{M} \sum_{k=1}^{K} \mathrm{softmax}(C_w^m)_k\, E_m^k, \qquad K = \lceil |V|^{1/M} \rceil
\end{gathered}"""
SOURCE = "Ren and Lu 2022, eq. 2, 3, 14, 15 and algorithm 1. Dynamic routing adds v · û to b where k-means replaces it."
NOT_SHOWN = """A feature capsule's share says where its vote goes, not how long the vote is. The part of a word is what
the network read at its place, and that is of the whole text: its neighbours are in it. The two routings beside each
other are two networks, each trained with its own. Words near by code are near in what they are composed of, which
training decides only as far as the classes need it."""


def page() -> None:
    st.title("k-means")
    st.markdown(
        "Watch sixteen capsules of a text share themselves out among the classes: k-means routing asks in every "
        "iteration anew how near each points to a class, dynamic routing adds up what it found before."
    )
    device = widgets.device()
    name = widgets.checkpoint("cccaps", first="cccaps-ag")
    model = runs.about(name)["config"]["model"]
    n_iters = widgets.largest_count(runs.LARGEST_COUNT)
    own = min(model["n_iters"], n_iters)
    names = [name, *widgets.beside(runs.twin(name), "k-means beside dynamic routing")]
    text = widgets.text_input(*examples.of(runs.about(name)["config"]["corpus"]))
    traces = [trace.first(n_iters) for trace in widgets.traces(names, device, text, n_iters)]
    widgets.share_link(text)

    controls = st.container(key="controls")  # stays in sight; filled once the capsule is known
    cell = CELL if len(traces) == 1 else BESIDE
    heatmaps = {t.model: figures.feature_heatmap(t.steps["coupling"], t.classes, cell) for t in traces}
    for trace in widgets.side_by_side(traces):
        verdict(trace, own)
        alt_text = f"Coupling coefficients of {trace.model}"
        widgets.heatmap(heatmaps[trace.model], f"heatmap-{trace.model}", alt_text, {"i": "feature"})
    chosen = widgets.one_of(traces[0].steps["coupling"].shape[1], "Feature capsule", "feature")
    with controls:
        scrubber(n_iters, signals={"picked": chosen, "turn": widgets.turn(chosen)}, start=own)

    st.header("Why k-means stays soft")
    st.markdown(
        "A cosine is never above 1, so that no class gets more than e² = 7.4 times another's share of a capsule, "
        "however long routing goes on. Dynamic routing adds agreement to what it has: its shares go on to 0 or 1, and "
        "their entropy to 0."
    )
    over = {trace.model: progress(trace) for trace in traces}
    for trace in widgets.side_by_side(traces):
        widgets.charts(over[trace.model], columns=2 // len(traces))

    st.header("What each word brings")
    brought = {trace.model: along(trace) for trace in traces}
    most = max(1e-9, *(float(np.abs(values).max()) for values in brought.values()))  # one scale for both
    parts = {t.model: still.parts_heatmap(brought[t.model], t.tokens, chosen, most) for t in traces}
    for trace in traces:
        st.markdown(f"**{widgets.plain(trace.model)}**")
        st.vega_lite_chart(*parts[trace.model], width="content", alt=f"What each word brings, {trace.model}")
    shown = codes.code(traces[0], device) | codes.bill(model)
    swept = codes.worth()
    widgets.explained(FORMULA, SOURCE, NOT_SHOWN)
    for trace in widgets.side_by_side(traces):
        figured = {"Coupling coefficients": heatmaps[trace.model], **over[trace.model], "Parts": parts[trace.model]}
        first = trace is traces[0]

        def make_tables(trace=trace, first=first) -> dict[str, pd.DataFrame]:
            return tables(trace) | (swept if first else {})

        widgets.downloads(trace, make_tables, figured | (shown if first else {}))


def verdict(trace: runs.Trace, own: int) -> None:
    """What the network answers after as many iterations as it was trained with, or all that are shown."""
    lengths = trace.probabilities[own - 1]
    best = int(lengths.argmax())
    said = f"**{widgets.plain(trace.model)}** says **{widgets.plain(trace.classes[best])}** (|v| = {lengths[best]:.2f})"
    st.markdown(f"{said} after iteration {own}, on {trace.device}, by {ROUTINGS[trace.extra['routing']]} routing.")


def progress(trace: runs.Trace) -> dict[str, Figure]:
    """All feature capsules over the iterations."""
    coupling = trace.steps["coupling"]
    over, undecided = figures.over_iterations, math.log2(max(2, coupling.shape[2]))
    return {
        "Entropy of each capsule's share (bold: mean)": over(runs.entropy(coupling), "bits", domain=[0, undecided]),
        "Length of each class capsule": over(trace.probabilities, "|vⱼ|", trace.classes, [0, 1]),
    }


def along(trace: runs.Trace) -> np.ndarray:
    """[n, i]: how far each word moves each feature capsule along the capsule's own direction; summed, its length."""
    parts = np.array(trace.extra["parts"])
    capsules = parts.sum(0)
    lengths = np.linalg.norm(capsules, axis=1, keepdims=True)
    return np.einsum("nid,id->ni", parts, capsules / np.maximum(lengths, 1e-12))


def tables(trace: runs.Trace) -> dict[str, pd.DataFrame]:
    """The numbers under the pictures."""
    coupling, logits = trace.steps["coupling"], trace.steps["logits"]
    t, i, j = (index.ravel() for index in np.indices(coupling.shape))
    cells = pd.DataFrame({"iteration": t + 1, "feature": i + 1, "class": np.array(trace.classes, dtype=object)[j]})
    iterations = {f"|v| of {name}": v for name, v in zip(trace.classes, trace.probabilities.T, strict=True)}
    iterations |= {f"bits of feature {k + 1}": h for k, h in enumerate(runs.entropy(coupling).T)}
    brought = pd.DataFrame(along(trace), columns=[f"feature {i + 1}" for i in range(coupling.shape[1])])
    return {
        "cells": cells.assign(**{"cᵢⱼ": coupling.ravel(), "bᵢⱼ": logits.ravel()}),
        "iterations": figures.iteration_table(iterations),
        "parts": pd.concat([pd.DataFrame({"word": trace.tokens}), brought], axis=1),
    }


page()
