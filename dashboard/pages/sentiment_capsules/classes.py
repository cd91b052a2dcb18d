"""The classes: their scores, the capsules as Gaussians, and the progress over the iterations."""

import math
from functools import partial

import numpy as np
import streamlit as st

from core.analysis.routing import change, entropy
from core.sentences.steps import describe_settling
from core.traces.em import EMTextTrace
from dashboard.figures.em import gaussians
from dashboard.figures.lines import lines_over
from dashboard.pages.sentiment_capsules.parts import names_of_parts
from dashboard.screen.markdown import escape
from dashboard.screen.shown import Shown


def draw_classes(shown: Shown, trace: EMTextTrace) -> None:
    """Draw the score of each class, and the two terms whose difference it is."""
    second = trace.parts_to_classes
    charts = {
        "Bang per bit of each class": lines_over(second.scores, "a_k = benefit - cost", trace.classes),
        "Benefit": lines_over(second.benefit, "Σ β_use D_use", trace.classes),
        "Cost": lines_over(second.cost, "Σ β_ign D_ign", trace.classes),
    }
    shown.draw_charts(charts, columns=3)
    st.caption(
        "“Bang per bit” is benefit minus cost: what a class gains from the data that it uses, minus what it pays for "
        "the data that it ignores."
    )


def draw_gaussians(shown: Shown, trace: EMTextTrace, part: int) -> None:
    """Draw the mean and the standard deviation of every capsule.

    Args:
        shown: record of the page.
        trace: trace of the run.
        part: index of the part that gets a ring.
    """
    routed = (trace.inputs_to_parts, trace.parts_to_classes)
    parts, classes = ((outputs.capsules, outputs.variances, outputs.activation) for outputs in routed)
    charts = {
        "Classes: mean, and one standard deviation to each side": gaussians(*classes, trace.classes),
        f"Parts, part {part + 1} in a ring": gaussians(*parts, names_of_parts(trace), part),
    }
    shown.draw_charts(charts, columns=2)


def draw_progress(shown: Shown, trace: EMTextTrace, trained: int) -> None:
    """Say when the routing to parts settles, and draw classes, entropy and change over the iterations."""
    coupling = trace.inputs_to_parts.coupling
    n_inputs = np.bincount(trace.token_of) * trace.n_layers  # inputs per word
    bits = trace.by_word(entropy(coupling)).sum(2) / n_inputs
    highest = math.log2(coupling.shape[2])
    moved = change(coupling)[:, None]
    lines = partial(lines_over, trained=trained)
    st.markdown(escape(describe_settling(coupling, "output", trained, trace.answers)))
    charts = {
        "Class if routing stopped here": lines(trace.probabilities, "probability", trace.classes, [0, 1]),
        "Entropy of each word's share (bold: mean)": lines(bits, "bits", domain=[0, highest]),
        "Change since the last iteration": lines(moved, "share moved", ["change"], [0, 1]),
    }
    shown.draw_charts(charts, columns=3)
