"""One value a cell, over the iterations."""

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from dashboard.figures.figure import Figure, iteration_param
from dashboard.theme import CELL, FRAME, SHARES


class Axis(NamedTuple):
    """What stands along one side. names: as hover shows them; labels: as the axis shows them.

    Charts that share a field on one page share its names.
    """

    field: str
    names: list[str]
    title: str | None = None
    labels: list[str] | None = None


class Colour(NamedTuple):
    """What is shown. symbol: as hover calls it; title: of the scale, a line each.

    ticks: of a logarithmic scale, whose ends are the first and the last and whose first stands for all below.
    """

    symbol: str
    title: list[str]
    domain: tuple[float, float] = (0, 1)
    ticks: tuple[float, ...] = ()


def heatmap(
    values: np.ndarray, columns: Axis, rows: Axis, colour: Colour, framed: str | None = None, cell: int = CELL
) -> Figure:
    """Colour is the value at the chosen iteration, on a scale that is the same for all of them.

    Args:
        values: [t, i, j]: iterations, columns, rows.
        framed: which cells stand in a frame, in Vega's words. Then a click selects: the point selection
            ``cell`` has fields i and j, from 0. Two parameters are bound so that the dashboard can set them
            without a new chart: ``picked``, which ``framed`` may use, and ``turn``, which counts the picks,
            so that a second click on a cell is news too.
        cell: side of a cell in pixels.
    """
    n_iters, n_columns, n_rows = values.shape
    t, i, j = (index.ravel() for index in np.indices(values.shape))
    small = {"t": (t + 1).astype(np.int8), "i": i.astype(np.int16), "j": j.astype(np.int16)}
    data = pa.table(small | {"c": values.ravel().astype(np.float32)})
    params = [
        iteration_param(n_iters),
        *({"name": f"{axis.field}_names", "value": axis.names} for axis in (columns, rows)),
        *({"name": f"{axis.field}_labels", "value": axis.labels or axis.names} for axis in (columns, rows)),
    ]
    frame = {}
    if framed:
        whole = {"input": "range", "step": 1}
        params += [
            {"name": "picked", "value": -1, "bind": {**whole, "min": -1, "max": n_columns * n_rows}},
            {"name": "turn", "value": 0, "bind": {**whole, "min": 0, "max": 1_000_000}},
            {
                "name": "cell",
                "select": {"type": "point", "fields": ["i", "j", "turn"], "toggle": False, "clear": False},
            },
        ]
        frame = {
            "stroke": {"condition": {"test": framed, "value": FRAME}, "value": None},
            "strokeWidth": {"condition": {"test": framed, "value": 4}, "value": 0},
        }
    scale, ticks = {"domain": list(colour.domain), "range": SHARES}, {"tickCount": 5}
    if colour.ticks:
        scale = {"type": "log", "domain": [colour.ticks[0], colour.ticks[-1]], "range": SHARES}
        ticks = {"values": list(colour.ticks), "format": "~g"}
    bare = {"ticks": False, "domain": False, "labelOverlap": False}
    spec = {
        "params": params,
        "transform": [
            {"filter": "datum.t == iteration"},
            {"calculate": f"{columns.field}_names[datum.i]", "as": columns.field},
            {"calculate": f"{rows.field}_names[datum.j]", "as": rows.field},
            *([{"calculate": "turn", "as": "turn"}] if framed else []),
            {"calculate": f"max(datum.c, {colour.ticks[0] if colour.ticks else colour.domain[0]})", "as": "shade"},
        ],
        "mark": {"type": "rect", **({"cursor": "pointer"} if framed else {})},
        "width": {"step": cell},
        "height": {"step": CELL},
        "autosize": {"type": "pad"},
        "encoding": {
            "x": {
                "field": "i",
                "type": "ordinal",
                "title": columns.title,
                "axis": {"labelExpr": f"{columns.field}_labels[datum.value]", "labelAngle": -60, **bare},
            },
            "y": {
                "field": "j",
                "type": "ordinal",
                "title": rows.title,
                "axis": {"labelExpr": f"{rows.field}_labels[datum.value]", **bare},
            },
            "color": {
                "field": "shade",
                "type": "quantitative",
                "title": colour.title,
                "scale": scale,
                "legend": {"orient": "top", "gradientLength": 240, "titleLimit": 600, **ticks},
            },
            **frame,
            "tooltip": [
                {"field": columns.field, "type": "nominal"},
                {"field": rows.field, "type": "nominal"},
                {"field": "t", "type": "quantitative", "title": "iteration"},
                {"field": "c", "type": "quantitative", "title": colour.symbol, "format": ".4f"},
            ],
        },
    }
    return Figure(data, spec)
