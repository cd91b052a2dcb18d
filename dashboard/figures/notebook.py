"""The main picture of a trace for a notebook: any cell of it can be picked, and its numbers and edits are listed."""

from typing import Any, NamedTuple

import numpy as np

from core.trace import Trace
from core.traces.agt import AGTTrace
from core.traces.cccaps import CCCapsTrace
from core.traces.dragg import DocumentTrace, OneRoutingTrace
from core.traces.drnn import DRNNTrace
from core.traces.em import EMTextTrace
from dashboard.figures import vega
from dashboard.figures.before import outline_before
from dashboard.figures.figure import Figure
from dashboard.figures.kinds import Main, family_of
from dashboard.figures.sheet import STYLE
from dashboard.theme import paint

DIGITS = 4  # decimal digits of a cell's numbers
FRAME, THIN_FRAME = 4, 2  # pixels, width of the frame around the picked cell, and in rows of windows
MASK = ("Mask this {unit}", "drop:{i}")
SHARE, SWITCH_OFF = ("Share", "couple:{i},{j}={v}"), ("Switch {row} {j+1} off", "capsule:{j}")
CAPSULES = (SHARE, MASK, SWITCH_OFF)
# The edits that each kind of network offers for a picked cell: a label, and the edit's form with the cell's indices. A
# form with a {v} takes a number from 0 to 1.
OFFERS: dict[type[Trace], tuple[tuple[str, str], ...]] = {
    OneRoutingTrace: CAPSULES,
    DocumentTrace: CAPSULES,
    CCCapsTrace: (SHARE, ("Switch feature {i+1} off", "drop:{i}"), ("Switch this class off", "capsule:{j}")),
    EMTextTrace: (MASK,),
    AGTTrace: (MASK, ("Layer {j+1} attends to nothing", "attention:{j}"), ("Gates of layer {j+1}", "gate:{j}={v}")),
    DRNNTrace: (MASK,),
}
# The line of Python that reads a cell's number from each kind of trace; t, i and j are indices from 0.
PATHS: dict[type[Trace], str] = {
    OneRoutingTrace: "trace.inputs_to_capsules.coupling[{t}, {i}, {j}]",
    DocumentTrace: "trace.sentences_to_document.coupling[{t}, {i}, {j}]",
    CCCapsTrace: "trace.features_to_classes.coupling[{t}, {i}, {j}]",
    EMTextTrace: "trace.credit_of_words[{t}, {i}, {j}]",
    AGTTrace: "trace.attention[{j}, {i}]",
    DRNNTrace: "trace.wins[{j}, {i}]",
}
FIRST_GATE = 1  # index of the lowest layer with a gate


class Quantity(NamedTuple):
    """A number of every cell.

    Attributes:
        name: name of the number.
        values: numbers [t, i, row]; there is a single t if the steps are the rows.
    """

    name: str
    values: np.ndarray


def offers_of(trace: Trace) -> tuple[tuple[str, str], ...]:
    """The edits that a trace offers for a picked cell, as in ``OFFERS``."""
    return next((OFFERS[base] for base in type(trace).__mro__ if base in OFFERS), ())


def path_of(trace: Trace) -> str:
    """The line of Python that reads a cell's number, as in ``PATHS``; "" for another kind of trace."""
    return next((PATHS[base] for base in type(trace).__mro__ if base in PATHS), "")


def main_of(trace: Trace) -> Main | None:
    """The numbers of the main picture; None for pictures of parts and places, in which nothing can be picked."""
    return family_of(trace).main_of(trace)


def first_cell(trace: Trace, main: Main, row: int | None = None) -> tuple[int, int]:
    """The column and the row of the largest number at the step of the network's answer, at a word if columns are words.

    Args:
        trace: trace of the run.
        main: its main picture.
        row: index of the row, such as the deciding capsule's; if None, the row of the answer where rows are classes, or
            else that of the largest number.
    """
    steps = rows_are_steps(trace)
    values = main.values[0 if steps else trace.own_step - 1].astype(float)
    if main.unit == "word":
        values = np.where(trace.phrasing.is_word[:, None], values, -np.inf)
    if steps:
        row = min(trace.own_step, len(main.rows)) - 1
    elif row is None:
        row = int(trace.class_probabilities.argmax() if main.rows == trace.classes else values.max(0).argmax())
    return int(values[:, row].argmax()), row


def rows_are_steps(trace: Trace) -> bool:
    """Whether each row of the main picture is one of the steps, such as a layer."""
    return trace.along != "iteration"


def quantities(trace: Trace, main: Main) -> list[Quantity]:
    """The numbers that each cell of the main picture has."""
    match trace:
        case OneRoutingTrace() | DocumentTrace():
            routed = (trace.of_sentences() if isinstance(trace, DocumentTrace) else trace).inputs_to_capsules
            others = [Quantity("logit b", routed.logits), Quantity("agreement v·u", routed.agreement)]
            return [Quantity("share c", routed.coupling), *others]
        case CCCapsTrace():
            routing = trace.features_to_classes
            logit = "cosine b" if trace.routing == "kmeans" else "logit b"
            return [Quantity("share c", routing.coupling), Quantity(logit, routing.logits)]
        case AGTTrace():
            scaled = Quantity("share of the layer's largest", main.values)
            return [Quantity("attention", trace.attention.T[None]), scaled]
        case DRNNTrace():
            leading = int(trace.class_probabilities.argmax())
            evidence = Quantity(f"evidence for {trace.answer}", trace.evidence[:, :, leading].T[None])
            return [Quantity(main.quantity, main.values), evidence]
    return [Quantity(main.quantity, main.values)]


def picture_of(trace: Trace, before: Trace | None = None) -> dict[str, Any]:
    """The Vega-Lite specification of the main picture with its data, in the colours of a light page.

    Its parameter ``picked`` puts a frame around the cell with this number: column times the number of rows, plus row.

    Args:
        trace: trace of the run.
        before: trace before the user's edits; cells that changed have an outline.
    """
    plain = {"picked": False} if isinstance(trace, OneRoutingTrace | DocumentTrace | CCCapsTrace) else {}
    figure = family_of(trace).draw_main(trace, **plain)
    if before is not None:
        figure = outline_before(figure, before, trace)
    if main := main_of(trace):
        figure = _framed(figure, len(main.rows))
    return paint({**figure.spec, "data": {"values": figure.data.to_pylist()}, "config": STYLE})


def _framed(figure: Figure, n_rows: int) -> Figure:
    """A figure of cells with a frame around the picked one."""
    if "i" not in figure.data.column_names:
        return figure
    row, width = ("datum.w - 1", THIN_FRAME) if "w" in figure.data.column_names else ("datum.j", FRAME)
    frame = vega.frame(f"datum.i * {n_rows} + {row} == picked", width)
    bind = {"input": "range", "min": -1, "max": 1_000_000, "step": 1}
    spec = figure.spec | {"params": [*figure.spec["params"], {"name": "picked", "value": -1, "bind": bind}]}
    if "layer" in spec:
        cells, *others = spec["layer"]
        spec["layer"] = [cells | {"encoding": cells["encoding"] | frame}, *others]
    else:
        spec["encoding"] = spec["encoding"] | frame
    return figure._replace(spec=spec)


def step_notes(trace: Trace) -> list[str]:
    """The line below the classes' bars at each step."""
    steps = range(1, trace.n_steps + 1)
    match trace:
        case AGTTrace():
            return [f"Prediction from layer {n}" + (", the final one" if n == trace.n_steps else "") for n in steps]
        case DRNNTrace():
            trained = ["as trained" if n == trace.window else f"trained with {trace.window}" for n in steps]
            return [
                f"Reading {n} word{'s' * (n != 1)} at a time ({how})" for n, how in zip(steps, trained, strict=True)
            ]
    of = " Bars: lengths of the class capsules." if trace.has_lengths else ""
    return [f"After {n} iteration{'s' * (n != 1)}.{of}" for n in steps]


def words_as_typed(trace: Trace) -> tuple[str, list[tuple[int, int]]]:
    """The part of the text that was read, and the place in it of each word, or of each sentence of a document.

    Without the text, or if edits have changed it, what was between two words is blank.
    """
    shown = trace.of_sentences() if isinstance(trace, DocumentTrace) else trace
    if not shown.spans:
        return "", []
    start, end = shown.spans[0][0], shown.spans[-1][1]
    text = trace.origin.text if trace.origin else ""
    if not all(text[a:b] == word for word, (a, b) in zip(trace.tokens, trace.spans, strict=True)):
        text = " " * start
        for word, (a, _) in zip(trace.tokens, trace.spans, strict=True):
            text += " " * (a - len(text)) + word
    return text[start:end], [(a - start, b - start) for a, b in shown.spans]
