"""Measured figures of many networks: one row per network, one dot and interval per figure."""

import pandas as pd
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure
from dashboard.theme import GREY, PICKED, RANKINGS, SERIES

ROW, SERIES_HEIGHT = 12, 9  # pixels per row, and per figure in a row
COLOURS = [PICKED, *SERIES]
FIXED = RANKINGS | {"alive": PICKED, "dead on most texts": GREY}  # series that always have the same colour
FIXED |= dict(zip(("uniform", "first", "shuffled", "another text's"), COLOURS[1:], strict=False))


def dots(table: pd.DataFrame, series: list[str], title: str, zero: str | None = None) -> Figure:
    """Draw one row per network, with one dot and interval per figure.

    Args:
        table: table with the columns name, series, what, value, low, high, and stated, which is True for a figure that
            only an archive states; its dot is hollow.
        series: names of the series, from top to bottom.
        title: title of the horizontal axis, which is at the top because the end of a long picture is off the screen.
        zero: meaning of the value 0; None if it has none.
    """
    names = list(dict.fromkeys(table["name"]))
    colours = {"domain": series, "range": [FIXED.get(name, COLOURS[k % len(COLOURS)]) for k, name in enumerate(series)]}
    legend = {"orient": "top", "title": None, "columns": 6, "symbolType": "circle", "labelLimit": 260}
    x = {
        "title": title,
        "axis": {"orient": "top", "grid": True, "tickCount": 8},
        "scale": {"zero": zero is not None, "nice": True},
    }
    place = {
        "y": vega.nominal("name", scale={"domain": names}, title=None, axis=vega.ALL_LABELS | {"labelLimit": 220}),
        "yOffset": vega.nominal("series", scale={"domain": series}),
        "color": vega.nominal("series", scale=colours, legend=legend),
    }
    tips = [
        vega.nominal("name", title="checkpoint"),
        vega.nominal("what", title="figure"),
        *(
            vega.quantitative(field, title=title, format=".3~f")
            for field, title in (("value", "value"), ("low", "95% interval, from"), ("high", "to"))
        ),
    ]
    line, dot = {"type": "rule", "strokeWidth": 2}, {"type": "circle", "size": 70, "opacity": 1}
    value = vega.quantitative("value", **x)
    layers = [
        vega.layer(line, x=vega.quantitative("low", **x), x2={"field": "high"}, **place),
        vega.layer(dot, [vega.keep("!datum.stated")], x=value, **place, tooltip=tips),
    ]
    if table["stated"].any():
        stated_tips = [*tips, vega.nominal("stated", title=vega.STATED)]
        layers.append(
            vega.layer(vega.HOLLOW | {"size": 55}, [vega.keep("datum.stated")], x=value, **place, tooltip=stated_tips)
        )
    if zero is not None:
        rule = {"type": "rule", "strokeDash": [4, 3], "color": GREY}
        text = {"type": "text", "align": "left", "dx": -4, "dy": 3, "baseline": "top", "color": GREY}
        at_zero = {"datum": 0, "type": "quantitative", **x}
        layers = [
            {"data": {"values": [{}]}, **vega.layer(rule, x=at_zero)},
            {"data": {"values": [{}]}, **vega.layer(text, x=at_zero, y={"value": "height"}, text={"value": zero})},
            *layers,
        ]
    height = {"step": ROW + SERIES_HEIGHT * len(series), "for": "position"}
    spec = {"params": [], **vega.AS_WIDE_AS_ITS_COLUMN, "height": height, "layer": layers}
    return Figure(pa.Table.from_pandas(table, preserve_index=False), spec)
