"""The feature capsules of a text: the shares that each class gets of them, over the iterations."""

import math
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.routing import clustering_loss, entropy
from core.sentences.features import describe_features
from core.sentences.steps import describe_settling
from core.sentences.words import capital
from core.traces.cccaps import CCCapsTrace
from dashboard.components.finding import finding
from dashboard.components.verdict import verdict
from dashboard.figures import plots
from dashboard.figures.before import outline_before
from dashboard.figures.figure import beside
from dashboard.figures.lines import iteration_table, lines_over
from dashboard.pages.kmeans.words import contribution_table, draw_text_by_contribution
from dashboard.runs import checkpoints
from dashboard.screen.badge import draw_title
from dashboard.screen.formula import draw_path
from dashboard.screen.inputs import choose_number_from
from dashboard.screen.markdown import escape
from dashboard.screen.outputs import after_iterations, draw_numbers, iteration_notes, side_by_side
from dashboard.screen.shown import Shown
from dashboard.screen.unit_link import name_unit

UNIT = "feature capsule"


def draw_classes(shown: Shown, traces: list[CCCapsTrace], trained: int, before: CCCapsTrace | None = None) -> None:
    """Draw the lengths of each model's class capsules as bars at the scrubbed iteration.

    Args:
        shown: record of the page.
        traces: traces of the models.
        trained: number of iterations in training.
        before: trace of the first model before the user's edits, if there are any.
    """
    for trace in traces:
        if len(traces) > 1:
            st.markdown(f"**{escape(checkpoints.title(trace.model))}**")
        notes = [f"{note} Bars: lengths of the class capsules." for note in iteration_notes(trace, trained)]
        old = {"before": before.probabilities} if before is not None and trace is traces[0] else {}
        options = {"percent": False, "start": min(trained, trace.n_steps), **old, "doses": trace is traces[0]}
        shown.of(trace).add(verdict(f"verdict-{trace.model}", trace.probabilities, trace.classes, notes, **options))


def choose_capsule(trace: CCCapsTrace, start: int, subject: str) -> int:
    """Let the user choose a feature capsule by number or by a click in the heat map.

    At first it is the capsule with the largest share for one class.

    Args:
        trace: trace of the run.
        start: iteration that the page shows first.
        subject: value that identifies text and model; if it changes, the choice starts again.
    """
    coupling = trace.features_to_classes.coupling
    first = int(coupling[start - 1].max(1).argmax())
    return choose_number_from(coupling.shape[1], UNIT.capitalize(), "feature", first, subject)


def draw_couplings(
    shown: Shown, traces: list[CCCapsTrace], text: str, feature: int, trained: int, before: CCCapsTrace | None = None
) -> None:
    """Draw each model's finding, the text shaded for the picked capsule, and its heat map. A click picks a capsule.

    Args:
        shown: record of the page.
        traces: traces of the models.
        text: text as typed.
        feature: index of the picked capsule.
        trained: number of iterations in training.
        before: trace of the first model before the user's edits, if there are any.
    """
    for trace in traces:
        coupling, record, network = trace.features_to_classes.coupling, shown.of(trace), checkpoints.title(trace.model)
        if len(traces) > 1:
            draw_title(trace.model)
        fed, name = (trace.contributions, trace.phrasing), name_unit(trace.model, feature + 1, "feature capsule")
        sentences = describe_features(coupling, *fed, trace.classes, feature, trained, trace.answers, name)
        record.add(finding(f"finding-{trace.model}", sentences))
        record.add(draw_text_by_contribution(trace, text, feature))
        title, alt = f"Coupling coefficients: {network}", f"Coupling coefficients of {network}"
        figure = plots.feature_couplings(trace)
        if trace is not traces[0]:
            figure = beside(figure)
        elif before is not None:
            figure = outline_before(figure, before, trace)
        record.draw_heatmap(title, figure, f"heatmap-{trace.model}", alt, {"i": "feature"})
        record.add_table("cells", lambda trace=trace: coupling_table(trace))
        record.add_table("iterations", lambda trace=trace: progress_table(trace))
        record.add_table("contributions", lambda trace=trace: contribution_table(trace))


def leading(trace: CCCapsTrace, feature: int, step: int) -> int:
    """The index of the class with the largest share of a feature capsule after an iteration, from 1."""
    return int(trace.features_to_classes.coupling[step - 1, feature].argmax())


def draw_capsule(trace: CCCapsTrace, feature: int, step: int) -> None:
    """Draw the share and the logit of each class for one feature capsule after an iteration, from 1."""
    routing = trace.features_to_classes
    logit = "cosine b" if trace.routing == "kmeans" else "logit b"
    numbers = zip(trace.classes, routing.coupling[step - 1, feature], routing.logits[step - 1, feature], strict=True)
    draw_numbers(["class", "share c", logit], [[name, f"{c:.2f}", f"{b:.2f}"] for name, c, b in numbers])
    st.caption(f"{capital(after_iterations(step))}. The softmax turns the {logit.partition(' ')[0]}s into shares.")
    draw_path(trace, (feature, leading(trace, feature, step)), step)


def draw_progress(shown: Shown, traces: list[CCCapsTrace], feature: int, trained: int) -> None:
    """Draw the entropy of the shares, the class capsules, k-means' loss and one feature capsule over the iterations."""
    st.markdown(
        "**Why k-means stays soft.** A cosine lies between -1 and 1. So one class gets at most e² = 7.4 times the "
        "share of another, after any number of iterations. Dynamic routing keeps adding agreement, so its shares go "
        "to 0 or 1, and their entropy goes to 0."
    )
    for trace in side_by_side(traces):
        coupling = trace.features_to_classes.coupling
        highest = math.log2(max(2, coupling.shape[2]))  # bits of equal shares
        lines = partial(lines_over, trained=trained)
        st.markdown(escape(describe_settling(coupling, "output", trained, trace.answers)))
        charts = {
            "Entropy of each capsule's share (bold: mean)": lines(entropy(coupling), "bits", domain=[0, highest]),
            "Length of each class capsule": lines(trace.probabilities, "|v_j|", trace.classes, [0, 1]),
        }
        if trace.routing == "kmeans":
            losses = clustering_loss(trace.features_to_classes.logits)
            charts["Clustering loss (eq. 8) before each iteration"] = lines(losses[:, None], "L")
        shares = trace.features_to_classes.coupling[:, feature]
        charts[f"Shares of {UNIT} {feature + 1}"] = lines(shares, "c_ij", trace.classes, [0, 1])
        shown.of(trace).draw_charts(charts, columns=2 // len(traces))


def coupling_table(trace: CCCapsTrace) -> pd.DataFrame:
    """One row per iteration, feature capsule and class."""
    coupling, logits = trace.features_to_classes.coupling, trace.features_to_classes.logits
    t, i, j = (index.ravel() for index in np.indices(coupling.shape))
    cells = pd.DataFrame({"iteration": t + 1, "feature": i + 1, "class": np.array(trace.classes, dtype=object)[j]})
    return cells.assign(c_ij=coupling.ravel(), b_ij=logits.ravel())


def progress_table(trace: CCCapsTrace) -> pd.DataFrame:
    """The numbers of ``draw_progress``, one row per iteration."""
    lengths = {f"|v| of {name}": v for name, v in zip(trace.classes, trace.probabilities.T, strict=True)}
    loss = {"loss, eq. 8": clustering_loss(trace.features_to_classes.logits)} if trace.routing == "kmeans" else {}
    bits = {f"bits of feature {i + 1}": h for i, h in enumerate(entropy(trace.features_to_classes.coupling).T)}
    return iteration_table(lengths | loss | bits)
