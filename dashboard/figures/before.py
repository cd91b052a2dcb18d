"""Outlines that show a main picture before it was edited, over the picture after the edit."""

from typing import Any

import numpy as np
import pyarrow as pa

from core.trace import Trace
from dashboard.figures.aligned import align_words
from dashboard.figures.figure import Figure
from dashboard.figures.kinds import Main, family_of

BEFORE = "before"  # column with the number before the edit, and name of the layer with the outlines
LEGEND = "outline: before your edit"
SEEN = 0.005  # smallest change that is outlined, as a share of the scale


def outline_before(figure: Figure, before: Trace, after: Trace) -> Figure:
    """Draw an outline, in the colour that it had before the edit, in each cell whose number changed.

    Args:
        figure: main picture of ``after``.
        before, after: traces with the same steps. If their pictures have different rows, there are no outlines.
    """
    mains = [family_of(trace).main_of(trace) for trace in (before, after)]
    numbers = _numbers_before(*mains) if mains[0] and mains[1] else None
    if numbers is None or before is after:
        return figure
    values = mains[1].values if mains[1] else numbers
    if len(values) == 1:  # the steps are rows, and the table has one row of the picture after another
        numbers, values = numbers[0].T, values[0].T
    cells, *others = _layers(figure.spec)
    color = cells["encoding"]["color"]
    low, high = color["scale"]["domain"][0], color["scale"]["domain"][-1]
    is_seen = np.abs(numbers - values) > SEEN * (high - low)
    column = pa.array(numbers.ravel().astype(np.float32), mask=~is_seen.ravel())
    place = {channel: cells["encoding"][channel] for channel in ("x", "y")}
    stroke = {"field": BEFORE, "type": "quantitative", "scale": color["scale"] | {"clamp": True}, "legend": None}
    outline = {
        "name": BEFORE,
        "transform": [{"filter": f"isValid(datum.{BEFORE})"}],
        "mark": {"type": "rect", "fill": None, "strokeWidth": 3, "aria": False, **_inset()},
        "encoding": place | {"stroke": stroke},
    }
    spec = {key: value for key, value in figure.spec.items() if key not in ("mark", "encoding")}
    spec["params"] = [_in_cells(param) for param in spec["params"]]
    legend = {"color": color | {"title": _with_outline(color["title"])}}
    spec["layer"] = [cells | {"name": "cells", "encoding": cells["encoding"] | legend}, outline, *others]
    spec["resolve"] = {"legend": {"stroke": "independent"}}  # otherwise the colour bar becomes a row of dots
    return Figure(figure.data.append_column(BEFORE, column), spec)


def _numbers_before(before: Main, after: Main) -> np.ndarray | None:
    """The numbers before the edit in the columns after it, [t, i, row]; NaN for a new word, None if rows differ."""
    if before.rows != after.rows or len(before.values) != len(after.values):
        return None
    if not after.aligned:
        return before.values if before.values.shape == after.values.shape else None
    place = {j: i for i, j in align_words(before.columns, after.columns) if i is not None and j is not None}
    aligned = np.full(after.values.shape, np.nan, np.float32)
    for j, i in place.items():
        aligned[:, j] = before.values[:, i]
    return aligned


def _layers(spec: dict[str, Any]) -> list[dict[str, Any]]:
    """The layers of a picture, its cells first."""
    return spec["layer"] if "layer" in spec else [{"mark": spec["mark"], "encoding": spec["encoding"]}]


def _in_cells(param: dict[str, Any]) -> dict[str, Any]:
    """A parameter; if it selects, then among the cells."""
    return param | {"views": ["cells"]} if "select" in param else param


def _with_outline(title: str | list[str]) -> list[str]:
    """The title of the legend, whose note in parentheses also says what an outline is."""
    *lines, last = [title] if isinstance(title, str) else title
    if last.startswith("(") and last.endswith(")"):
        return [*lines, f"{last[:-1]}; {LEGEND})"]
    return [*lines, last, f"({LEGEND})"]


def _inset() -> dict[str, Any]:
    """The size of an outline, which leaves the colour after the edit visible around and inside it."""
    return {"width": {"band": 0.7}, "height": {"band": 0.7}}
