"""One routing of words or sentences: its shares, the history of a cell, and its progress over the iterations."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.analysis.routing import change, entropy
from core.sentences.steps import describe_settling
from core.sentences.taken import describe_taken
from core.trace import Trace
from core.traces.dragg import DRAggTrace, OneRoutingTrace
from dashboard.components.finding import finding
from dashboard.components.verdict import verdict
from dashboard.figures.before import outline_before
from dashboard.figures.figure import FRAMES, Figure, beside
from dashboard.figures.kinds import family_of
from dashboard.figures.lines import iteration_table, lines_over, striped
from dashboard.figures.routing import cell_table, coupling_heatmap
from dashboard.figures.standalone import DrawnComponent
from dashboard.runs import checkpoints
from dashboard.screen.badge import draw_title
from dashboard.screen.formula import draw_path
from dashboard.screen.inputs import Cell, pick_cell
from dashboard.screen.markdown import escape
from dashboard.screen.outputs import after_iterations, iteration_notes, side_by_side
from dashboard.screen.shaded import draw_shaded_text
from dashboard.screen.shown import Shown
from dashboard.screen.unit_link import name_unit

CELL_COLUMNS = """The agreement v·u says how well the word's vote u fits the capsule's vector v. It is added to the
logit b for the next iteration. The share c is the softmax of the logits.""".replace("\n", " ")
# What sums to 1, for each ``normalize`` of a routing.
SHARES_OF = {"output": "each {unit}'s share", "input": "each capsule's intake"}


def draw_classes(shown: Shown, traces: list[Trace], trained: int, before: Trace | None = None) -> None:
    """Draw the classes of each model as bars at the scrubbed iteration.

    Args:
        shown: record of the page.
        traces: traces of the models.
        trained: number of iterations in training.
        before: trace of the first model before the user's edits, if there are any.
    """
    for trace in traces:
        if len(traces) > 1:
            st.markdown(f"**{escape(checkpoints.title(trace.model))}**")
        old = {"before": before.probabilities} if before is not None and trace is traces[0] else {}
        options = {"start": min(trained, trace.n_steps), **old, "doses": trace is traces[0]}
        notes = iteration_notes(trace, trained)
        shown.of(trace).add(verdict(f"verdict-{trace.model}", trace.probabilities, trace.classes, notes, **options))


def draw_couplings(
    shown: Shown,
    traces: list[OneRoutingTrace],
    text: str,
    unit: str,
    cells: list[Cell],
    trained: int,
    before: Trace | None = None,
) -> None:
    """Draw each model's finding, the text shaded by the picked capsule, and a heat map. A click picks a cell.

    Args:
        shown: record of the page.
        traces: traces of the models.
        text: text as typed.
        unit: unit of the inputs, "word" or "sentence".
        cells: cell with a frame of each model.
        trained: number of iterations in training.
        before: trace of the first model before the user's edits, if there are any.
    """
    for trace, cell in zip(traces, cells, strict=True):
        shares, model_shown, network = trace.inputs_to_capsules, shown.of(trace), checkpoints.title(trace.model)
        if len(traces) > 1:
            draw_title(trace.model)
        n_capsules = shares.coupling.shape[2]
        capsules = [name_unit(trace.model, j, "capsule") for j in range(1, n_capsules + 1)]
        how = unit, trace.normalize, trained, trace.answers
        sentences = describe_taken(shares.coupling, trace.phrasing, capsules, cell, *how)
        model_shown.add(finding(f"finding-{trace.model}", sentences))
        known = trace.known if isinstance(trace, DRAggTrace) else None
        on_pick = pick_cell_of(cell) if unit == "word" else None
        model_shown.add(draw_text_by_capsule(trace, text, known, cell.capsule, on_pick=on_pick))
        largest = float(shares.coupling.max())
        if trace is traces[0] and before is not None and (main := family_of(before).main_of(before)):
            largest = max(largest, float(main.values.max()))  # outlines have the colours of the scale, too
        figure = coupling_heatmap(shares.coupling, trace.tokens, trace.normalize, unit, known=known, largest=largest)
        if trace is not traces[0]:
            figure = beside(figure)
        elif before is not None:
            figure = outline_before(figure, before, trace)
        alt, picks = f"Coupling coefficients of {network}", {"i": unit, "j": "capsule"}
        model_shown.draw_heatmap(f"Coupling coefficients: {network}", figure, f"heatmap-{trace.model}", alt, picks)
        model_shown.add_table("cells", lambda shares=shares, trace=trace: cell_table(shares, trace.tokens, unit))
        model_shown.add_table("iterations", lambda trace=trace: progress_table(trace, unit))


def picked_cells(traces: list[OneRoutingTrace], cells: list[Cell]) -> dict[str, int]:
    """The numbers of the cells with a frame, by the parameter of each model's picture."""
    numbers = [
        cell.word * trace.inputs_to_capsules.coupling.shape[2] + cell.capsule
        for trace, cell in zip(traces, cells, strict=True)
    ]
    return dict(zip(FRAMES, numbers, strict=False))


def pick_cell_of(cell: Cell) -> Callable[[int, int], None]:
    """A function that picks a clicked word and keeps the capsule of this cell."""
    return lambda word, _row: pick_cell(word, cell.capsule)


def draw_text_by_capsule(
    trace: OneRoutingTrace,
    text: str,
    known: np.ndarray | None,
    capsule: int | None = None,
    key: str = "shading",
    on_pick: Callable[[int, int], None] | None = None,
) -> DrawnComponent:
    """Draw the text that was read, shaded by the shares of a capsule on the scale of the heat map.

    Args:
        trace: trace of the run.
        text: text as typed.
        known: whether the network knows each word; None for sentences.
        capsule: index of the capsule; None for one line per capsule.
        key: key of the component.
        on_pick: function to call with the indices of a clicked word and of its capsule.
    """
    routed = trace.inputs_to_capsules
    rows = slice(None) if capsule is None else slice(capsule, capsule + 1)
    lengths = routed.activation[:, rows]
    notes = [[f"Capsule {j} · length |v| {v:.2f}" for j, v in enumerate(row, (capsule or 0) + 1)] for row in lengths]
    name, look = f"{key}-{trace.model}", {"known": known, "bars": lengths}
    shares = routed.coupling[:, :, rows]
    return draw_shaded_text(name, trace, text, shares, notes, **look, on_pick=on_pick)


def draw_cell(trace: OneRoutingTrace, cell: Cell, step: int, unit: str = "word") -> None:
    """Draw logit, share and agreement of a word (or sentence) and a capsule, and the path of the share at a step.

    Args:
        trace: trace of the run.
        cell: indices of the word and of the capsule.
        step: iteration.
        unit: unit of the inputs, "word" or "sentence".
    """
    i, j = cell
    shares = trace.inputs_to_capsules
    capsule = escape(name_unit(trace.model, j + 1, "capsule"))
    of = f"of this {unit}'s shares" if trace.normalize == "output" else f"of what {capsule} receives"
    rows = zip(shares.logits[:, i, j], shares.coupling[:, i, j], shares.agreement[:, i, j], strict=True)
    lines = [f"| {t} | {b:.2f} | {c:.2f} | {a:+.2f} |" for t, (b, c, a) in enumerate(rows, 1)]
    st.markdown(f"This cell is {shares.coupling[step - 1, i, j]:.0%} {of} {after_iterations(step)}.")
    st.markdown("\n".join(["| iteration | logit b | share c | agreement v·u |", "|--:|--:|--:|--:|", *lines]))
    st.caption(CELL_COLUMNS)
    draw_path(trace, cell, step)


def draw_progress(shown: Shown, traces: list[OneRoutingTrace], unit: str, trained: int) -> None:
    """Say when each routing settles, and draw classes, capsules, entropy and change over the iterations."""
    for trace in side_by_side(traces):
        coupling = trace.inputs_to_capsules.coupling
        settling = describe_settling(coupling, trace.normalize, trained, trace.answers, unit)
        st.markdown(escape(settling))
        shown.of(trace).draw_charts(_progress(trace, unit, trained), columns=2 // len(traces))


def _progress(trace: OneRoutingTrace, unit: str, trained: int) -> dict[str, Figure]:
    """The charts of ``draw_progress``, by title."""
    coupling, normalize = trace.inputs_to_capsules.coupling, trace.normalize
    _, n_words, n_capsules = coupling.shape
    highest = math.log2(n_capsules if normalize == "output" else max(2, n_words))  # bits of equal shares
    capsules = [f"capsule {j + 1}" for j in range(n_capsules)]
    bits, moved = entropy(coupling, normalize), change(coupling, normalize)[:, None]
    lines = partial(lines_over, trained=trained)
    return {
        "Class if routing stopped here": lines(trace.probabilities, "probability", trace.classes, [0, 1]),
        "Length of each capsule": lines(
            trace.inputs_to_capsules.activation, "|v_j|", capsules, [0, 1], dashes=striped(n_capsules)
        ),
        f"Entropy of {SHARES_OF[normalize].format(unit=unit)} (bold: mean)": lines(bits, "bits", domain=[0, highest]),
        "Change since the last iteration": lines(moved, "share moved", ["change"], [0, 1]),
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
