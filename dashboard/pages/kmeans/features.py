"""The feature capsules of a text: which classes they go to, and how that changes over the iterations."""

import math

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.routing import entropy
from core.traces.cccaps import CCCapsTrace
from dashboard.figures.lines import iteration_table, lines_over
from dashboard.figures.routing import feature_heatmap
from dashboard.shared.outputs import side_by_side, verdict
from dashboard.shared.shown import Shown
from dashboard.shared.theme import CELL

ROUTINGS = {"kmeans": "k-means", "dynamic": "dynamic"}
CELL_IN_PAIR = 18  # pixels of a cell where two heat maps stand side by side


def draw_verdict(trace: CCCapsTrace, trained: int) -> None:
    """What the network answers after as many iterations as it was trained with, or all that are shown."""
    answer = verdict(trace, trained - 1, "|v| = {:.2f}")
    routing = ROUTINGS[trace.routing]
    st.markdown(f"{answer} after iteration {trained}, on {trace.device}, by {routing} routing.")


def draw_couplings(shown: Shown, trace: CCCapsTrace, alone: bool) -> None:
    """The heat map of the routing; a click picks a feature capsule."""
    figure = feature_heatmap(trace.features_to_classes.coupling, trace.classes, CELL if alone else CELL_IN_PAIR)
    alt = f"Coupling coefficients of {trace.model}"
    shown.draw_heatmap("Coupling coefficients", figure, f"heatmap-{trace.model}", alt, {"i": "feature"})
    shown.add_table("cells", lambda: coupling_table(trace))


def draw_progress(shown: Shown, traces: list[CCCapsTrace]) -> None:
    """Entropy and lengths over the iterations."""
    st.header("Why k-means stays soft")
    st.markdown(
        "A cosine lies between -1 and 1, so no class gets more than e² = 7.4 times another's share of a capsule, "
        "however long routing goes on. Dynamic routing keeps adding agreement: its shares go to 0 or 1, and "
        "their entropy to 0."
    )
    for trace in side_by_side(traces):
        coupling = trace.features_to_classes.coupling
        highest = math.log2(max(2, coupling.shape[2]))
        charts = {
            "Entropy of each capsule's share (bold: mean)": lines_over(entropy(coupling), "bits", domain=[0, highest]),
            "Length of each class capsule": lines_over(trace.probabilities, "|vⱼ|", trace.classes, [0, 1]),
        }
        shown.of(trace).draw_charts(charts, columns=2 // len(traces))
        shown.of(trace).add_table("iterations", lambda trace=trace: progress_table(trace))


def coupling_table(trace: CCCapsTrace) -> pd.DataFrame:
    """One row an iteration, feature capsule and class."""
    coupling, logits = trace.features_to_classes.coupling, trace.features_to_classes.logits
    t, i, j = (index.ravel() for index in np.indices(coupling.shape))
    cells = pd.DataFrame({"iteration": t + 1, "feature": i + 1, "class": np.array(trace.classes, dtype=object)[j]})
    return cells.assign(**{"cᵢⱼ": coupling.ravel(), "bᵢⱼ": logits.ravel()})


def progress_table(trace: CCCapsTrace) -> pd.DataFrame:
    """The numbers under ``draw_progress``, a row for each iteration."""
    lengths = {f"|v| of {name}": v for name, v in zip(trace.classes, trace.probabilities.T, strict=True)}
    bits = {f"bits of feature {i + 1}": h for i, h in enumerate(entropy(trace.features_to_classes.coupling).T)}
    return iteration_table(lengths | bits)
