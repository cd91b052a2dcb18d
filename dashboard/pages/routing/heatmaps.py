"""One routing of words or sentences: its shares, the history of a cell, and its progress over the iterations."""

import math
from collections.abc import Callable

import numpy as np
import pandas as pd

from core.analysis.routing import change, entropy
from core.sentences.taken import describe_taken
from core.traces.dragg import DocumentTrace, DRAggTrace, OneRoutingTrace
from dashboard.components.finding import finding
from dashboard.components.verdict import verdict
from dashboard.figures.figure import Figure
from dashboard.figures.lines import iteration_table, lines_over
from dashboard.figures.routing import cell_table, coupling_heatmap
from dashboard.figures.standalone import DrawnComponent
from dashboard.screen.inputs import Cell, pick_cell
from dashboard.screen.outputs import iteration_notes, side_by_side
from dashboard.screen.shaded import draw_shaded_text
from dashboard.screen.shown import Shown

# What sums to 1, for each ``normalize`` of a routing.
SHARES_OF = {"output": "each {unit}'s share", "input": "each capsule's intake"}


def draw_classes(shown: Shown, traces: list[DRAggTrace] | list[DocumentTrace], trained: int) -> None:
    """Draw the classes of each model as bars: at the scrubbed iteration, and over all iterations.

    Args:
        shown: record of the page.
        traces: traces of the models.
        trained: number of iterations in training.
    """
    for trace in side_by_side(traces):
        notes = iteration_notes(trace, trained)
        shown.of(trace).add(verdict(f"verdict-{trace.model}", trace.probabilities, trace.classes, notes))


def draw_couplings(
    shown: Shown, traces: list[OneRoutingTrace], text: str, unit: str, cell: Cell, trained: int | None = None
) -> None:
    """Draw each model's finding, heat map (a click picks a cell), and the text shaded by capsule.

    Args:
        shown: record of the page.
        traces: traces of the models.
        text: text as typed.
        unit: unit of the inputs, "word" or "sentence".
        cell: cell with a frame.
        trained: number of iterations in training; the number of the run if None.
    """
    for trace in side_by_side(traces):
        shares, model_shown = trace.inputs_to_capsules, shown.of(trace)
        capsules = [f"capsule {j + 1}" for j in range(shares.coupling.shape[2])]
        sentences = describe_taken(shares.coupling, trace.phrasing, capsules, cell, unit, trace.normalize, trained)
        model_shown.add(finding(f"finding-{trace.model}", sentences))
        known = trace.known if isinstance(trace, DRAggTrace) else None
        figure = coupling_heatmap(shares.coupling, trace.tokens, trace.normalize, unit, known=known)
        alt = f"Coupling coefficients of {trace.model}"
        picks = {"i": unit, "j": "capsule"}
        model_shown.draw_heatmap(f"Coupling coefficients, {trace.model}", figure, f"heatmap-{trace.model}", alt, picks)
        model_shown.add_table("cells", lambda shares=shares, trace=trace: cell_table(shares, trace.tokens, unit))
        model_shown.add_table("iterations", lambda trace=trace: progress_table(trace, unit))
        model_shown.add(draw_text_by_capsule(trace, text, known, on_pick=pick_cell if unit == "word" else None))


def draw_text_by_capsule(
    trace: OneRoutingTrace,
    text: str,
    known: np.ndarray | None,
    key: str = "shading",
    on_pick: Callable[[int, int], None] | None = None,
) -> DrawnComponent:
    """Draw the text that was read, shaded by the shares of each capsule on the scale of the heat map.

    Args:
        trace: trace of the run.
        text: text as typed.
        known: whether the network knows each word; None for sentences.
        key: key of the component.
        on_pick: function to call with the indices of a clicked word and of its capsule.
    """
    routed = trace.inputs_to_capsules
    notes = [[f"Capsule {j} · |v| {length:.2f}" for j, length in enumerate(row, 1)] for row in routed.activation]
    name, look = f"{key}-{trace.model}", {"known": known, "bars": routed.activation}
    return draw_shaded_text(name, trace, text, routed.coupling, notes, **look, on_pick=on_pick, reveals=False)


def draw_history(shown: Shown, traces: list[OneRoutingTrace], cell: Cell) -> None:
    """Draw logit, share and agreement of one word (or sentence) and one capsule over the iterations."""
    for trace in side_by_side(traces):
        shares = trace.inputs_to_capsules
        quantities = (shares.logits, shares.coupling, shares.agreement)
        b, c, agreement = (values[:, cell.word, cell.capsule, None] for values in quantities)
        charts = {
            "Logit": lines_over(b, "b_ij", ["b"]),
            "Share": lines_over(c, "c_ij", ["c"], [0, 1]),
            "Agreement": lines_over(agreement, "v_j · u_ij", ["agreement"]),
        }
        shown.of(trace).draw_charts(charts, columns=3)


def draw_progress(shown: Shown, traces: list[OneRoutingTrace], unit: str) -> None:
    """Draw classes, capsules, entropy and change over the iterations."""
    for trace in side_by_side(traces):
        shown.of(trace).draw_charts(_progress(trace, unit), columns=2 // len(traces))


def _progress(trace: OneRoutingTrace, unit: str) -> dict[str, Figure]:
    """The charts of ``draw_progress``, by title."""
    coupling, normalize = trace.inputs_to_capsules.coupling, trace.normalize
    _, n_words, n_capsules = coupling.shape
    highest = math.log2(n_capsules if normalize == "output" else max(2, n_words))  # bits of equal shares
    capsules = [f"capsule {j + 1}" for j in range(n_capsules)]
    bits, moved = entropy(coupling, normalize), change(coupling, normalize)[:, None]
    return {
        "Class if routing stopped here": lines_over(trace.probabilities, "probability", trace.classes, [0, 1]),
        "Length of each capsule": lines_over(trace.inputs_to_capsules.activation, "|v_j|", capsules, [0, 1]),
        f"Entropy of {SHARES_OF[normalize].format(unit=unit)} (bold: mean)": lines_over(
            bits, "bits", domain=[0, highest]
        ),
        "Change since the last iteration": lines_over(moved, "share moved", ["change"], [0, 1]),
    }


def progress_table(trace: OneRoutingTrace, unit: str) -> pd.DataFrame:
    """The numbers of ``draw_progress``, one row per iteration."""
    coupling, normalize = trace.inputs_to_capsules.coupling, trace.normalize
    sharer = unit if normalize == "output" else "capsule"
    return iteration_table(
        {f"P({name})": p for name, p in zip(trace.classes, trace.probabilities.T, strict=True)}
        | {f"|v| of capsule {j + 1}": v for j, v in enumerate(trace.inputs_to_capsules.activation.T)}
        | {"change": change(coupling, normalize)}
        | {f"bits of {sharer} {k + 1}": h for k, h in enumerate(entropy(coupling, normalize).T)}
    )
