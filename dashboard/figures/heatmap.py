"""Heat maps with one value per cell and iteration."""

import json
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure, iteration_param
from dashboard.theme import CELL, SHARES

ROOM = 1000  # pixels for a picture on the first screen; a wider heat map scrolls
LABEL = f"split(slice(datum.value, {vega.PLACE}), '\\n')"

# The dashboard can set ``dosed``, the numbers of the chosen step while the dose of an edit moves, without a new chart.
DOSE_PARAMS: list[vega.Spec] = [
    {"name": "dosed", "value": "", "bind": {"input": "text"}},
    {"name": "doses", "expr": "dosed ? split(dosed, ',') : []"},
]
NARROW = 0.7  # largest end of a scale that is shortened


class Axis(NamedTuple):
    """The things along one side of a heat map.

    Attributes:
        field: noun for one of them.
        names: names in tips.
        title: title of the axis.
        labels: labels on the axis.
        known: whether the network knows each word; unknown ones have dots.
    """

    field: str
    names: list[str]
    title: str | None = None
    labels: list[str] | None = None
    known: Sequence[bool] | None = None


class Colour(NamedTuple):
    """The quantity that the colour shows.

    Attributes:
        symbol: name of the quantity in tips.
        title: the legend's title: a line, and a note in parentheses.
        domain: ends of the scale.
        range: Vega's name of the colours from low to high.
        ticks: ticks of a logarithmic scale, which they begin and end; smaller values have the first tick's colour.
    """

    symbol: str
    title: list[str]
    domain: tuple[float, float] = (0, 1)
    ticks: tuple[float, ...] = ()
    range: str = SHARES

    @property
    def lowest(self) -> float:
        """The low end of the scale."""
        return self.ticks[0] if self.ticks else self.domain[0]

    @property
    def highest(self) -> float:
        """The high end of the scale."""
        return self.ticks[-1] if self.ticks else self.domain[1]

    def up_to(self, largest: float) -> "Colour":
        """The same quantity from 0 to 1, but with a shorter scale if all values are small; the title says so.

        Args:
            largest: largest value of all pictures with this scale.
        """
        end = -(-round(10 * largest, 6) // 1) / 10
        if not 0 < end <= NARROW:
            return self
        *lines, note = self.title
        note = f"{note.removesuffix(')')}; the scale ends at {end:g})"
        return self._replace(title=[*lines, note], domain=(0, end))

    def encoding(self) -> vega.Spec:
        """The encoding of the colour, with its legend."""
        if self.ticks:
            scale = vega.shades(self.ticks[0], self.ticks[-1], self.range, type="log")
            legend = vega.one_line(values=list(self.ticks), format="~g")
        else:
            scale = vega.shades(*self.domain, self.range)
            legend = vega.one_line(tickCount=5)
        return vega.quantitative("shade", title=self.title, scale=scale, legend=legend)


def heatmap(
    values: np.ndarray,
    columns: Axis,
    rows: Axis,
    colour: Colour,
    framed: str | None = None,
    cell: int = CELL,
    stretch: bool = True,
    row: int = CELL,
    array: str = "",
    dosed: bool = False,
) -> Figure:
    """Draw a heat map: colour is the value at the chosen iteration, on one scale for all iterations.

    The values of a single step do not depend on the chosen iteration. A cell with NaN is empty.

    Args:
        values: values by iteration, column and row, [t, i, j].
        columns, rows: things along both sides.
        colour: quantity that the colour shows.
        framed: Vega expression for the cells in a frame. With it, a click picks a cell: see ``_picking_params``.
        cell: minimum width of a cell in pixels.
        stretch: whether cells are wider if there is room, and narrower on a phone.
        row: height of a row in pixels.
        array: name of the values in Python, such as "trace.credit_of_words", for the tips; "" if they have none.
        dosed: whether the numbers follow the dose of an edit. Those of a picture with a frame do.
    """
    dosed = dosed or framed is not None
    pointer, number = {"cursor": "pointer"} if framed else {}, "now" if dosed else "c"
    scrubs, has_gaps = len(values) > 1, np.isnan(values).any()
    axis = {"labelExpr": LABEL, **vega.LINES, **vega.ALL_LABELS}
    if_crowded = vega.turned_if_crowded("domain('x')", f"slice(datum.value, {vega.PLACE})", vega.PLACE)
    x_axis = axis | if_crowded | {"description": f"{_count_in_words(columns)} across"}
    y_axis = axis | {"zindex": 1, "description": f"Y-axis: {_count_in_words(rows)} down"}
    # Without this, a column of which every cell is empty would be missing.
    all_columns = {"scale": {"domain": _places(columns)}} if has_gaps else {}
    tips = [
        vega.nominal(columns.field),
        vega.nominal(rows.field),
        *([vega.quantitative("t", title="iteration")] if scrubs else []),
        vega.quantitative(number, title=colour.symbol, format=".4f"),
    ]
    named, path_tip = vega.path(array, "datum.t - 1", "datum.i", "datum.j")
    tips += [path_tip] * bool(array)
    encoding = {
        "x": vega.ordinal("column", title=columns.title, axis=x_axis, **all_columns),
        "y": vega.ordinal("row", title=rows.title, axis=y_axis),
        "color": colour.encoding(),
        **(vega.frame(framed, 4) if framed else {}),
        "tooltip": tips,
    }
    fits = stretch and len(columns.names) * cell <= ROOM
    spec = {
        "params": [
            iteration_param(len(values)),
            *(DOSE_PARAMS if dosed else []),
            *(_picking_params() if framed else []),
        ],
        "transform": [
            *([vega.keep("datum.t == iteration")] if scrubs else []),
            *([vega.calculate("turn", "turn")] if framed else []),
            *([_dosed(len(rows.names))] if dosed else []),
            vega.calculate(
                f"clamp(datum.now, {colour.lowest}, {colour.highest})" if dosed else f"max(datum.c, {colour.lowest})",
                "shade",
            ),
            *([named] if array else []),
        ],
        "mark": vega.cells(_said(columns), _said(rows), value=vega.spoken(f"datum.{number}"), **pointer),
        **(vega.AS_WIDE_AS_ITS_COLUMN if fits else {"width": {"step": cell}, **vega.PAD}),
        "view": vega.OUTLINE,
        "height": {"step": row},
        "encoding": encoding,
    }
    return Figure(_table(values, columns, rows), spec)


def _picking_params() -> list[vega.Spec]:
    """The parameters of a heat map with cells that can be picked.

    The point selection ``cell`` has the fields i and j, from 0. The dashboard can set two bound parameters without a
    new chart: ``picked``, for the frame; and ``turn``, which counts the picks, so that a second click on the same cell
    is a new event.
    """
    count = {"input": "range", "step": 1, "max": 1_000_000}
    select = {"type": "point", "fields": ["i", "j", "turn"], "toggle": False, "clear": False}
    return [
        {"name": "picked", "value": -1, "bind": {**count, "min": -1}},
        {"name": "turn", "value": 0, "bind": {**count, "min": 0}},
        {"name": "cell", "select": select},
    ]


def _dosed(n_rows: int) -> vega.Spec:
    """A transform that adds the number of a cell: while a dose moves, the one with this dose."""
    place = f"datum.i * {n_rows} + datum.j"
    return vega.calculate(f"length(doses) ? toNumber(doses[{place}]) : datum.c", "now")


def _table(values: np.ndarray, columns: Axis, rows: Axis) -> pa.Table:
    """One row per cell and iteration; cells with NaN are left out."""
    t, i, j = vega.indices(values)
    numbers = {"t": (t + 1).astype(np.int8), "i": i.astype(np.int32), "j": j.astype(np.int32)}
    named = {columns.field: _named(columns.names, i), rows.field: _named(rows.names, j)}
    placed = {"column": _named(_places(columns), i), "row": _named(_places(rows), j)}
    table = pa.table(numbers | {"c": values.ravel().astype(np.float32)} | named | placed)
    has_value = ~np.isnan(values.ravel())
    return table if has_value.all() else table.filter(has_value)


def _count_in_words(axis: Axis) -> str:
    """The number of things along a side in words, for screen readers."""
    n, noun = len(axis.names), axis.field
    return f"{n} {noun}" if n == 1 else f"{n} {noun}{'es' if noun.endswith('s') else 's'}"


def _said(axis: Axis) -> str:
    """A Vega expression for one of the things as a screen reader reads it out: a number needs its noun."""
    noun = f"'{axis.field} ' + " if all(name.isdigit() for name in axis.names) else ""
    return f"{noun}datum[{json.dumps(axis.field)}]"


def _places(axis: Axis) -> list[str]:
    """The labels, each after its position, which makes equal labels distinct and keeps the order."""
    labels = vega.dotted(axis.labels or axis.names, axis.known)
    return [f"{place:0{vega.PLACE}}{label}" for place, label in enumerate(labels)]


def _named(names: list[str], index: np.ndarray) -> pa.DictionaryArray:
    """The name of each index.

    The names are in the data, so that another text does not change the specification, and the browser updates the
    chart instead of rebuilding it.
    """
    return pa.DictionaryArray.from_arrays(index.astype(np.int32), pa.array(names, pa.string()))
