"""Measured figures of many networks: a row a network, a dot a figure, a line its interval."""

import pandas as pd
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure
from dashboard.theme import FRAME, GREY, RANKINGS, SERIES

ROW, SERIES_HEIGHT = 12, 9  # pixels of a row, and of each of its figures
COLOURS = [FRAME, *(SERIES[k] for k in (6, 0, 2, 5, 7, 3))]  # seen on a dark page and on a light one
OWN = RANKINGS | {"alive": FRAME, "dead on most texts": SERIES[6]}  # colours that do not depend on what else is drawn
OWN |= dict(zip(("uniform", "first", "shuffled", "another text's"), COLOURS[1:], strict=False))


def dots(table: pd.DataFrame, series: list[str], title: str, zero: str | None = None) -> Figure:
    """A row a network, a dot and an interval for each of its figures.

    Args:
        table: name, series, what, value, low, high, and stated: whether only an archive states it, so that its dot is
            hollow.
        series: in the order in which those of a network stand one below the other.
        title: of the horizontal axis, which is at the top: a long picture's end is below the screen.
        zero: what a value of 0 stands for; None where 0 means nothing.
    """
    names = list(dict.fromkeys(table["name"]))
    colours = {"domain": series, "range": [OWN.get(name, COLOURS[k % len(COLOURS)]) for k, name in enumerate(series)]}
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
            vega.quantitative(field, title=what, format=".3~f")
            for field, what in (("value", "value"), ("low", "95% interval, from"), ("high", "to"))
        ),
    ]
    line, dot = {"type": "rule", "strokeWidth": 2}, {"type": "circle", "size": 70, "opacity": 1}
    value = vega.quantitative("value", **x)
    layers = [
        vega.layer(line, x=vega.quantitative("low", **x), x2={"field": "high"}, **place),
        vega.layer(dot, [vega.keep("!datum.stated")], x=value, **place, tooltip=tips),
    ]
    if table["stated"].any():
        how = [*tips, vega.nominal("stated", title=vega.STATED)]
        layers.append(
            vega.layer(vega.HOLLOW | {"size": 55}, [vega.keep("datum.stated")], x=value, **place, tooltip=how)
        )
    if zero is not None:
        rule = {"type": "rule", "strokeDash": [4, 3], "color": GREY}
        text = {"type": "text", "align": "left", "dx": -4, "dy": 3, "baseline": "top", "color": GREY}
        at = {"x": {"datum": 0, "type": "quantitative", **x}}
        layers = [
            {"data": {"values": [{}]}, **vega.layer(rule, x=at["x"])},
            {"data": {"values": [{}]}, **vega.layer(text, **at, y={"value": "height"}, text={"value": zero})},
            *layers,
        ]
    height = {"step": ROW + SERIES_HEIGHT * len(series), "for": "position"}
    spec = {"params": [], **vega.AS_WIDE_AS_ITS_COLUMN, "height": height, "layer": layers}
    return Figure(pa.Table.from_pandas(table, preserve_index=False), spec)
