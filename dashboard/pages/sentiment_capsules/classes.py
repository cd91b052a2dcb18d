"""The classes: which parts feed them, where the capsules lie, and all of it over the iterations."""

import math

import numpy as np
import streamlit as st

from core.analysis.routing import change, entropy
from dashboard import runs
from dashboard.figures.em import capsule_table, gaussians, part_heatmap
from dashboard.figures.lines import lines_over
from dashboard.pages.sentiment_capsules.parts import names_of_parts
from dashboard.pages.sentiment_capsules.words import by_word
from dashboard.shared.shown import Shown


def draw_classes(shown: Shown, trace: runs.Trace) -> None:
    """What the classes take in from the parts, and what they gain by it; a click picks a part."""
    st.header("Which parts feed a class")
    second = trace.layers[1]
    figure = part_heatmap(second["gate"][..., None] * second["coupling"], trace.classes)
    shown.draw_heatmap("Parts to classes", figure, "parts", "D_use of every part for every class", {"i": "part"})
    charts = {
        "Bang per bit of each class": lines_over(second["scores"], "aₖ = benefit - cost", trace.classes),
        "Benefit": lines_over(second["benefit"], "Σ β_use D_use", trace.classes),
        "Cost": lines_over(second["cost"], "Σ β_ign D_ign", trace.classes),
    }
    shown.draw_charts(charts, columns=3)
    shown.add_table("classes", lambda: capsule_table(second, trace.classes))


def draw_gaussians(shown: Shown, trace: runs.Trace, part: int) -> None:
    """Where the capsules lie."""
    st.header("Capsules as Gaussians")
    parts, classes = ((layer["capsules"], layer["variances"], layer["activation"]) for layer in trace.layers)
    charts = {
        "Classes: mean, and one standard deviation to each side": gaussians(*classes, trace.classes),
        f"Parts, part {part + 1} in a ring": gaussians(*parts, names_of_parts(trace), part),
    }
    shown.draw_charts(charts, columns=2)


def draw_progress(shown: Shown, trace: runs.Trace) -> None:
    """Classes, entropy and change over the iterations."""
    st.header("Iteration by iteration")
    coupling = trace.layers[0]["coupling"]
    n_inputs = np.bincount(trace.extra["token_of"]) * trace.extra["n_layers"]  # of each word
    bits = by_word(trace, entropy(coupling)).sum(2) / n_inputs
    highest = math.log2(coupling.shape[2])
    moved = change(coupling)[:, None]
    charts = {
        "Class if routing stopped here": lines_over(trace.probabilities, "probability", trace.classes, [0, 1]),
        "Entropy of each word's share (bold: mean)": lines_over(bits, "bits", domain=[0, highest]),
        "Change since the last iteration": lines_over(moved, "share moved", ["change"], [0, 1]),
    }
    shown.draw_charts(charts, columns=3)
