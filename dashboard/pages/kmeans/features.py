"""The feature capsules of a text: the shares that each class gets of them, over the iterations."""

import math

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.routing import clustering_loss, entropy
from core.sentences.features import describe_features
from core.sentences.routing_names import name_of
from core.traces.cccaps import CCCapsTrace
from dashboard.components.finding import finding
from dashboard.components.verdict import verdict
from dashboard.figures import plots
from dashboard.figures.lines import iteration_table, lines_over
from dashboard.pages.kmeans.words import contribution_table, draw_text_by_contribution
from dashboard.screen.inputs import choose_number_from
from dashboard.screen.outputs import iteration_notes, side_by_side
from dashboard.screen.shown import Shown

LOGITS = {"kmeans": "b_ij, a cosine", "dynamic": "b_ij, the sum of all agreement before"}  # titles by routing
UNIT = "feature capsule"


def draw_classes(shown: Shown, traces: list[CCCapsTrace], trained: int) -> None:
    """Draw the lengths of each model's class capsules as bars, at the scrubbed iteration and over all.

    Args:
        shown: record of the page.
        traces: traces of the models.
        trained: number of iterations in training.
    """
    for trace in side_by_side(traces):
        routing = name_of(trace.routing)
        notes = [f"long {note}, {routing} routing" for note in iteration_notes(trace, trained)]
        bars = verdict(f"verdict-{trace.model}", trace.probabilities, trace.classes, notes, percent=False)
        shown.of(trace).add(bars)


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
    number, length = st.columns([1, 3], vertical_alignment="bottom")
    with number:
        feature = choose_number_from(coupling.shape[1], UNIT.capitalize(), "feature", first, subject)
    length.text(f"Length {trace.contributions[:, feature].sum():.2f}")
    return feature


def draw_couplings(
    shown: Shown, traces: list[CCCapsTrace], text: str, feature: int, trained: int | None = None
) -> None:
    """Draw each model's finding and heat map, and the text shaded for the picked capsule. A click picks a capsule.

    Args:
        shown: record of the page.
        traces: traces of the models.
        text: text as typed.
        feature: index of the picked capsule.
        trained: number of iterations in training; the number of the run if None.
    """
    for trace in side_by_side(traces):
        coupling, record = trace.features_to_classes.coupling, shown.of(trace)
        fed = trace.contributions, trace.phrasing
        sentences = describe_features(coupling, *fed, trace.classes, feature, trained)
        record.add(finding(f"finding-{trace.model}", sentences))
        title = f"Coupling coefficients, {trace.model}"
        alt = f"Coupling coefficients of {trace.model}"
        figure = plots.feature_couplings(trace)
        record.draw_heatmap(title, figure, f"heatmap-{trace.model}", alt, {"i": "feature"})
        record.add(draw_text_by_contribution(trace, text, feature))
        record.add_table("cells", lambda trace=trace: coupling_table(trace))
        record.add_table("iterations", lambda trace=trace: progress_table(trace))
        record.add_table("contributions", lambda trace=trace: contribution_table(trace))


def draw_capsule(shown: Shown, traces: list[CCCapsTrace], feature: int) -> None:
    """Draw the shares and the logits of one feature capsule over the iterations."""
    for trace in side_by_side(traces):
        routing = trace.features_to_classes
        logit = LOGITS.get(trace.routing, "b_ij")
        charts = {
            "Share of each class": lines_over(routing.coupling[:, feature], "c_ij", trace.classes, [0, 1]),
            "Logit of each class": lines_over(routing.logits[:, feature], logit, trace.classes),
        }
        shown.of(trace).draw_charts(charts, columns=2 // len(traces))


def draw_progress(shown: Shown, traces: list[CCCapsTrace]) -> None:
    """Draw the entropy of the shares, the lengths of the class capsules and k-means' loss over the iterations."""
    st.markdown(
        "**Why k-means stays soft.** A cosine lies between -1 and 1, so no class gets more than e² = 7.4 times "
        "another's share of a capsule, however long routing goes on. Dynamic routing keeps adding agreement: its "
        "shares go to 0 or 1, and their entropy to 0."
    )
    for trace in side_by_side(traces):
        coupling = trace.features_to_classes.coupling
        highest = math.log2(max(2, coupling.shape[2]))  # bits of equal shares
        charts = {
            "Entropy of each capsule's share (bold: mean)": lines_over(entropy(coupling), "bits", domain=[0, highest]),
            "Length of each class capsule": plots.class_lengths(trace),
        }
        if trace.routing == "kmeans":
            losses = clustering_loss(trace.features_to_classes.logits)
            charts["Clustering loss (eq. 8) of the centres before"] = lines_over(losses[:, None], "L")
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
