"""Pictures of the units of a network: all of them in a plane, and the words that one takes."""

import pandas as pd
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure
from dashboard.theme import GREY, INK, NOTE, PICKED

ROW = 22  # pixels per word
HEIGHT = 300
Axis = tuple[str, str, str]  # column, title, format


def plane(table: pd.DataFrame, x: Axis, y: Axis, picked: int) -> Figure:
    """Draw each unit as a point, which a click picks.

    Args:
        table: one row per unit, with its number, its label, and the columns of both axes.
        x, y: axes.
        picked: number of the picked unit.
    """
    places = {
        side: vega.quantitative(column, title=title, axis={"format": form, "tickCount": 6}, scale={"nice": True})
        for side, (column, title, form) in (("x", x), ("y", y))
    }
    tips = [
        vega.nominal("label", title="unit"),
        *(vega.quantitative(column, title=title.partition(";")[0], format=form) for column, title, form in (x, y)),
    ]
    pick = {"type": "point", "fields": ["number"], "toggle": False}
    is_picked = f"datum.number == {picked}"
    spec = {
        "params": [{"name": "cell", "select": pick, "views": ["units"]}],
        "encoding": places,
        "layer": [
            {
                "name": "units",
                "mark": {"type": "circle", "opacity": 0.9, "cursor": "pointer"},
                "encoding": {
                    "size": {"condition": {"test": is_picked, "value": 220}, "value": 90},
                    "color": vega.where(is_picked, PICKED, GREY),
                    "tooltip": tips,
                },
            },
            {
                "mark": {"type": "text", "dy": -12, "fontSize": NOTE, "color": INK, **vega.SILENT},
                "encoding": {"text": vega.nominal("short")},
            },
        ],
        **vega.AS_WIDE_AS_ITS_COLUMN,
        "height": HEIGHT,
    }
    return Figure(pa.Table.from_pandas(table, preserve_index=False), spec)


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
    rule = {"type": "rule", "strokeDash": [4, 3], "color": GREY, **vega.SILENT}
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
