"""Pictures of the units of a network: all of them in a plane, and the words or places that one takes."""

from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy import ndarray

from dashboard.figures import vega
from dashboard.figures.figure import Figure
from dashboard.theme import GREY, INK, NOTE, PICKED

ROW = 20  # pixels per word
CELL = 22  # pixels per place of a picture
HEIGHT = 230
APART = (0.035, 0.08)  # parts of the axes by which labels of points are apart, across or up
ROOM = 0.12  # part of an axis that is left free beyond the outermost points


class PlaneAxis(NamedTuple):
    """A quantity of all units.

    Attributes:
        column: column of the table.
        name: name in a tip.
        title: title of the axis.
        is_share: whether it is a share from 0 to 1, which is written as a percentage.
    """

    column: str
    name: str
    title: str
    is_share: bool = True

    def called(self, **names: str) -> "PlaneAxis":
        """The axis with names in place of the fields of its texts, such as "{samples}"."""
        return self._replace(name=self.name.format(**names), title=self.title.format(**names))


def plane(table: pd.DataFrame, x: PlaneAxis, y: PlaneAxis, picked: int) -> Figure:
    """Draw each unit as a point, which a click picks.

    Args:
        table: one row per unit, with its number, label, meaning, label at the point ("short") and both quantities.
        x, y: axes.
        picked: number of the picked unit.
    """
    tips = [
        vega.nominal("label", title="unit"),
        vega.nominal("meaning"),
        *(vega.quantitative(axis.column, title=axis.name, format=".1%" if axis.is_share else ".2f") for axis in (x, y)),
    ]
    pick = {"type": "point", "fields": ["number"], "toggle": False}
    is_picked = f"datum.number == {picked}"
    points = {
        "size": vega.where(is_picked, 220, 90),
        "color": vega.where(is_picked, PICKED, GREY),
        "tooltip": tips,
    }
    numbers = {"type": "text", "dy": -12, "fontSize": NOTE, "color": INK, **vega.SILENT}
    spec = {
        "params": [{"name": "cell", "select": pick, "views": ["units"]}],
        "encoding": {"x": _place(table, x), "y": _place(table, y)},
        "layer": [
            {"name": "units", **vega.layer({"type": "circle", "opacity": 0.9, "cursor": "pointer"}, **points)},
            vega.layer(numbers, text=vega.nominal("short")),
        ],
        **vega.AS_WIDE_AS_ITS_COLUMN,
        "height": HEIGHT,
    }
    return Figure(pa.Table.from_pandas(table, preserve_index=False), spec)


def label_apart(x: pd.Series, y: pd.Series, first: int) -> list[int]:
    """The rows of points whose labels do not overlap one that is drawn before; ``first`` always has its label.

    Args:
        x, y: quantities along both axes, one per point.
        first: row of the point that is labelled first; the others follow from the top down.
    """
    across, down = (((values - values.min()) / ((values.max() - values.min()) or 1)).to_numpy() for values in (x, y))
    chosen: list[int] = []
    for row in [first, *np.argsort(-down, kind="stable").tolist()]:
        near = [abs(across[row] - across[k]) < APART[0] and abs(down[row] - down[k]) < APART[1] for k in chosen]
        if not any(near):
            chosen.append(row)
    return chosen


def _place(table: pd.DataFrame, axis: PlaneAxis) -> vega.Spec:
    """The places of the points along an axis, so far from its ends that none is cut."""
    low, high = float(table[axis.column].min()), float(table[axis.column].max())
    span = high - low or high or 1.0
    start = low - ROOM * span
    domain = [max(0.0, start) if axis.is_share else start, high + ROOM * span]
    digits = 0 if span > 0.05 else 1 if span > 0.005 else 2
    labels = {"format": f".{digits}%" if axis.is_share else ".2f", "tickCount": 5}
    return vega.quantitative(axis.column, title=axis.title, axis=labels, scale={"domain": domain, "nice": False})


def words(table: pd.DataFrame) -> Figure:
    """Draw the words that a unit takes as bars.

    Args:
        table: one row per word, the most taken first, with the columns word, lift and count.
    """
    order = list(table["word"])
    y = vega.nominal("word", sort=order, title=None)
    x = vega.quantitative("lift", title="amount taken; 1: an average word of its text", axis={"tickCount": 5})
    tips = [
        vega.nominal("word"),
        vega.quantitative("lift", title="times an average word", format=".2f"),
        vega.quantitative("count", title="occurrences", format=","),
    ]
    rule = {"type": "rule", "strokeDash": [4, 3], "color": INK, **vega.SILENT}
    spec = {
        "params": [],
        "layer": [
            vega.layer({"type": "bar", "color": GREY}, x=x, y=y, tooltip=tips),
            {"data": {"values": [{}]}, **vega.layer(rule, x={"datum": 1, "type": "quantitative"})},
        ],
        **vega.AS_WIDE_AS_ITS_COLUMN,
        "height": {"step": ROW},
    }
    return Figure(pa.Table.from_pandas(table, preserve_index=False), spec)


def places(lift: ndarray) -> Figure:
    """Draw the amounts that a unit takes from the places of a picture as a heat map.

    Args:
        lift: amount that the unit takes from each place, 1 for an average place, [row, column].
    """
    row, column = vega.indices(lift)
    place = row * lift.shape[1] + column + 1
    data = pa.table({"i": column, "across": column + 1, "down": row + 1, "place": place, "lift": lift.ravel()})
    title = ["amount taken;", "1: an average place"]
    scale = vega.shades(0, max(1.0, float(np.ceil(lift.max()))))
    tips = [
        vega.quantitative("place"),
        *(vega.quantitative(field, title=name) for field, name in (("down", "row"), ("across", "column"))),
        vega.quantitative("lift", title="times an average place", format=".2f"),
    ]
    spec = {
        "params": [],
        **vega.layer(
            vega.cells("'place ' + datum.place", value=vega.spoken("datum.lift")),
            x=vega.ordinal("across", title="column of places", axis={"labelAngle": 0, **vega.ALL_LABELS}),
            y=vega.ordinal("down", title="row of places", axis=vega.ALL_LABELS),
            color=vega.quantitative("lift", title=title, scale=scale, legend=vega.colour_bar(120, "right")),
            tooltip=tips,
        ),
        "width": {"step": CELL},
        "height": {"step": CELL},
        **vega.PAD,
    }
    return Figure(data, spec)
