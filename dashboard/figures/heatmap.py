"""One value a cell, over the iterations."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure, iteration_param
from dashboard.theme import CELL, SHARES

ROOM = 1000  # pixels that the first screen has for a picture: a wider heat map scrolls
PLACE = 4  # characters: what is placed first is drawn first
LABEL = f"split(slice(datum.value, {PLACE}), '\\n')"


class Axis(NamedTuple):
    """What stands along one side.

    Attributes:
        field: what one of them is, a noun.
        names: as hover shows them.
        labels: as the axis shows them.
        known: whether the network knows each word; the axis dots the others.
    """

    field: str
    names: list[str]
    title: str | None = None
    labels: list[str] | None = None
    known: Sequence[bool] | None = None


class Colour(NamedTuple):
    """What the colour shows.

    Attributes:
        symbol: as hover calls it.
        title: of the scale, a line each.
        range: the colours, from low to high.
        ticks: of a logarithmic scale, whose ends are the first and the last and whose first stands for all below.
    """

    symbol: str
    title: list[str]
    domain: tuple[float, float] = (0, 1)
    ticks: tuple[float, ...] = ()
    range: tuple[str, ...] = tuple(SHARES)

    @property
    def lowest(self) -> float:
        return self.ticks[0] if self.ticks else self.domain[0]

    def encoding(self) -> vega.Spec:
        if self.ticks:
            scale = {"type": "log", "domain": [self.ticks[0], self.ticks[-1]], "range": list(self.range)}
            legend = vega.one_line(values=list(self.ticks), format="~g")
        else:
            scale = {"domain": list(self.domain), "range": list(self.range)}
            legend = vega.one_line(tickCount=5)
        return vega.quantitative("shade", title=" ".join(self.title), scale=scale, legend=legend)


def heatmap(
    values: np.ndarray,
    columns: Axis,
    rows: Axis,
    colour: Colour,
    framed: str | None = None,
    cell: int = CELL,
    stretch: bool = True,
    row: int = CELL,
) -> Figure:
    """Colour is the value at the chosen iteration, on a scale that is the same for all of them.

    The values of a single step stay as they are whatever is chosen. A cell without a value, NaN, stays empty.

    Args:
        values: [t, i, j]: iterations, columns, rows.
        framed: the cells that stand in a frame, as a Vega expression. Then a click selects: see ``_picking``.
        cell: least width of a cell in pixels.
        stretch: whether cells are wider where the picture's column has room, and narrower on a phone.
        row: height of a row in pixels.
    """
    scrubs, gaps = len(values) > 1, np.isnan(values).any()
    axis = {"labelExpr": LABEL, **vega.LINES, **vega.ALL_LABELS}
    x_axis = axis | {"labelAngle": -60, "description": f"{_count(columns)} across"}
    y_axis = axis | {"zindex": 1, "description": f"Y-axis: {_count(rows)} down"}
    all_columns = {"scale": {"domain": _places(columns)}} if gaps else {}
    tips = [
        vega.nominal(columns.field),
        vega.nominal(rows.field),
        *([vega.quantitative("t", title="iteration")] if scrubs else []),
        vega.quantitative("c", title=colour.symbol, format=".4f"),
    ]
    encoding = {
        "x": vega.ordinal("column", title=columns.title, axis=x_axis, **all_columns),
        "y": vega.ordinal("row", title=rows.title, axis=y_axis),
        "color": colour.encoding(),
        **(vega.frame(framed, 4) if framed else {}),
        "tooltip": tips,
    }
    fits = stretch and len(columns.names) * cell <= ROOM
    spec = {
        "params": [iteration_param(len(values)), *(_picking() if framed else [])],
        "transform": [
            *([vega.keep("datum.t == iteration")] if scrubs else []),
            *([vega.calculate("turn", "turn")] if framed else []),
            vega.calculate(f"max(datum.c, {colour.lowest})", "shade"),
        ],
        "mark": vega.cells(tips, **({"cursor": "pointer"} if framed else {})),
        **(vega.AS_WIDE_AS_ITS_COLUMN if fits else {"width": {"step": cell}, **vega.PAD}),
        "height": {"step": row},
        "encoding": encoding,
    }
    return Figure(_table(values, columns, rows), spec)


def _picking() -> list[vega.Spec]:
    """Parameters of a heat map whose cells can be picked.

    The point selection ``cell`` has fields i and j, from 0. Two parameters are bound so that the dashboard can set them
    without a new chart: ``picked``, which the frame may use, and ``turn``, which counts the picks, so that a second
    click on a cell is news too.
    """
    whole = {"input": "range", "step": 1, "max": 1_000_000}
    select = {"type": "point", "fields": ["i", "j", "turn"], "toggle": False, "clear": False}
    return [
        {"name": "picked", "value": -1, "bind": {**whole, "min": -1}},
        {"name": "turn", "value": 0, "bind": {**whole, "min": 0}},
        {"name": "cell", "select": select},
    ]


def _table(values: np.ndarray, columns: Axis, rows: Axis) -> pa.Table:
    t, i, j = vega.indices(values)
    numbers = {"t": (t + 1).astype(np.int8), "i": i.astype(np.int32), "j": j.astype(np.int32)}
    named = {columns.field: _named(columns.names, i), rows.field: _named(rows.names, j)}
    placed = {"column": _named(_places(columns), i), "row": _named(_places(rows), j)}
    table = pa.table(numbers | {"c": values.ravel().astype(np.float32)} | named | placed)
    has_value = ~np.isnan(values.ravel())
    return table if has_value.all() else table.filter(has_value)


def _count(axis: Axis) -> str:
    """How many things of what kind stand along a side, for screen readers."""
    n, noun = len(axis.names), axis.field
    return f"{n} {noun}" if n == 1 else f"{n} {noun}{'es' if noun.endswith('s') else 's'}"


def _places(axis: Axis) -> list[str]:
    """Each label after its place, which keeps equal labels apart and in their order."""
    labels = vega.dotted(axis.labels or axis.names, axis.known)
    return [f"{place:0{PLACE}}{label}" for place, label in enumerate(labels)]


def _named(names: list[str], index: np.ndarray) -> pa.DictionaryArray:
    """The name of each index.

    Names are in the data, so that another text does not change the chart's own text, and the browser updates the chart
    instead of making it anew.
    """
    return pa.DictionaryArray.from_arrays(index.astype(np.int32), pa.array(names, pa.string()))
