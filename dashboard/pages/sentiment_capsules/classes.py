"""The classes: which parts feed them, where the capsules lie, and all of it over the iterations."""

import math

import numpy as np
import streamlit as st

from core.analysis.routing import change, entropy
from core.traces.em import EMTextTrace
from dashboard.figures.em import capsule_table, gaussians, part_heatmap
from dashboard.figures.lines import lines_over
from dashboard.pages.sentiment_capsules.parts import names_of_parts
from dashboard.pages.sentiment_capsules.words import by_word
from dashboard.shared.shown import Shown


def draw_classes(shown: Shown, trace: EMTextTrace) -> None:
    """What the classes take in from the parts, and what they gain by it; a click picks a part."""
    st.header("Which parts feed a class")
    second = trace.parts_to_classes
    figure = part_heatmap(second.gate[..., None] * second.coupling, trace.classes)
    shown.draw_heatmap("Parts to classes", figure, "parts", "D_use of every part for every class", {"i": "part"})
    charts = {
        "Bang per bit of each class": lines_over(second.scores, "aₖ = benefit - cost", trace.classes),
        "Benefit": lines_over(second.benefit, "Σ β_use D_use", trace.classes),
        "Cost": lines_over(second.cost, "Σ β_ign D_ign", trace.classes),
    }
    shown.draw_charts(charts, columns=3)
    shown.add_table("classes", lambda: capsule_table(second, trace.classes))


def draw_gaussians(shown: Shown, trace: EMTextTrace, part: int) -> None:
    """Where the capsules lie."""
    st.header("Capsules as Gaussians")
    routed = (trace.inputs_to_parts, trace.parts_to_classes)
    parts, classes = ((outputs.capsules, outputs.variances, outputs.activation) for outputs in routed)
    charts = {
        "Classes: mean, and one standard deviation to each side": gaussians(*classes, trace.classes),
        f"Parts, part {part + 1} in a ring": gaussians(*parts, names_of_parts(trace), part),
    }
    shown.draw_charts(charts, columns=2)


def draw_progress(shown: Shown, trace: EMTextTrace) -> None:
    """Classes, entropy and change over the iterations."""
    st.header("Iteration by iteration")
    coupling = trace.inputs_to_parts.coupling
    n_inputs = np.bincount(trace.token_of) * trace.n_layers  # of each word
    bits = by_word(trace, entropy(coupling)).sum(2) / n_inputs
    highest = math.log2(coupling.shape[2])
    moved = change(coupling)[:, None]
    charts = {
        "Class if routing stopped here": lines_over(trace.probabilities, "probability", trace.classes, [0, 1]),
        "Entropy of each word's share (bold: mean)": lines_over(bits, "bits", domain=[0, highest]),
        "Change since the last iteration": lines_over(moved, "share moved", ["change"], [0, 1]),
    }
    shown.draw_charts(charts, columns=3)
