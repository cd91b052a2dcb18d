"""One value a cell, over the iterations."""

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from dashboard.figures.figure import Figure, iteration_param
from dashboard.shared.theme import CELL, FRAME, SHARES


class Axis(NamedTuple):
    """What stands along one side. names: as hover shows them; labels: as the axis shows them."""

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


PLACE = 4  # characters: what is placed first is drawn first
LABEL = f"slice(datum.value, {PLACE})"


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
    n_iters = len(values)
    t, i, j = (index.ravel() for index in np.indices(values.shape))
    small = {"t": (t + 1).astype(np.int8), "i": i.astype(np.int16), "j": j.astype(np.int16)}
    named = {columns.field: _named(columns.names, i), rows.field: _named(rows.names, j)}
    placed = {"column": _named(_places(columns), i), "row": _named(_places(rows), j)}
    data = pa.table(small | {"c": values.ravel().astype(np.float32)} | named | placed)
    params = [iteration_param(n_iters)]
    frame = {}
    if framed:
        whole = {"input": "range", "step": 1}
        params += [
            {"name": "picked", "value": -1, "bind": {**whole, "min": -1, "max": 1_000_000}},
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
            *([{"calculate": "turn", "as": "turn"}] if framed else []),
            {"calculate": f"max(datum.c, {colour.ticks[0] if colour.ticks else colour.domain[0]})", "as": "shade"},
        ],
        "mark": {"type": "rect", **({"cursor": "pointer"} if framed else {})},
        "width": {"step": cell},
        "height": {"step": CELL},
        "autosize": {"type": "pad"},
        "encoding": {
            "x": {
                "field": "column",
                "type": "ordinal",
                "title": columns.title,
                "axis": {"labelExpr": LABEL, "labelAngle": -60, **bare},
            },
            "y": {
                "field": "row",
                "type": "ordinal",
                "title": rows.title,
                "axis": {"labelExpr": LABEL, **bare},
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


def _places(axis: Axis) -> list[str]:
    """Each label after its place, which keeps equal labels apart and in their order."""
    return [f"{place:0{PLACE}}{label}" for place, label in enumerate(axis.labels or axis.names)]


def _named(names: list[str], index: np.ndarray) -> pa.DictionaryArray:
    """The name of each index: names are in the data, so that another text does not change the chart's own text, and
    the browser updates the chart instead of making it anew.
    """
    return pa.DictionaryArray.from_arrays(index.astype(np.int16), pa.array(names, pa.string()))
