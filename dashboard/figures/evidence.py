"""Measured figures of one network: a row per figure with its name, a dot and an interval, on bands."""

import pandas as pd
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure
from dashboard.theme import GREY, INK, NOTE, RANKINGS, colour

ROW = 40  # pixels per row: its name, and below it the dot
NAME, BELOW = 0.3, 0.7  # places of the name and of the dot in the height of a row
OWN = RANKINGS["the picture's ranking"]


def dots(table: pd.DataFrame, title: str, zero: str | None = None, domain: tuple[float, float] | None = None) -> Figure:
    """Draw one row per figure, with a dot and an interval. Every other row has a band behind it.

    Args:
        table: table with the columns label, value, low, high; is_own, which is True for the ranking of the network's
            picture; and stated, which is True for a figure that only an archive states; its dot is hollow.
        title: title of the horizontal axis, which is at the top because the end of a long picture is off the screen.
        zero: meaning of the value 0; None if it has none.
        domain: ends of the horizontal axis, so that pictures side by side have the same; its own if None.
    """
    labels = list(table["label"])
    axis = {"orient": "top", "grid": True, "tickCount": 8}
    ends = {"domain": list(domain)} if domain else {"zero": zero is not None}
    x = {"title": title, "axis": axis, "scale": {**ends, "nice": True}}
    row = vega.nominal("label", scale={"domain": labels}, title=None, axis=None)
    y = row | {"bandPosition": BELOW}
    shade = {"color": vega.where("datum.is_own", OWN, INK)}
    tips = [
        vega.nominal("label", title="what"),
        *(
            vega.quantitative(field, title=title, format=".3~f")
            for field, title in (("value", "value"), ("low", "95% interval, from"), ("high", "to"))
        ),
    ]
    value = vega.quantitative("value", **x)
    band = {"type": "rect", "color": colour("panel"), **vega.SILENT}
    name = {"type": "text", "align": "left", "fontSize": NOTE, "color": INK}
    line, dot = {"type": "rule", "strokeWidth": 2}, {"type": "circle", "size": 80, "opacity": 1}
    layers = [
        {"data": {"values": [{"label": label} for label in labels[::2]]}, **vega.layer(band, y=row)},
        *(_zero(zero, x) if zero is not None else []),
        vega.layer(name, x={"value": 8}, y=row | {"bandPosition": NAME}, text=vega.nominal("label")),
        vega.layer(line, x=vega.quantitative("low", **x), x2={"field": "high"}, y=y, **shade),
        vega.layer(dot, [vega.keep("!datum.stated")], x=value, y=y, tooltip=tips, **shade),
    ]
    if table["stated"].any():
        stated_tips = [*tips, vega.nominal("stated", title=vega.STATED)]
        hollow = vega.HOLLOW | {"size": 60}
        layers.append(vega.layer(hollow, [vega.keep("datum.stated")], x=value, y=y, tooltip=stated_tips, **shade))
    height = {"step": ROW}
    spec = {"params": [], **vega.AS_WIDE_AS_ITS_COLUMN, "height": height, "layer": layers}
    return Figure(pa.Table.from_pandas(table, preserve_index=False), spec)


def _zero(meaning: str, x: vega.Spec) -> list[vega.Spec]:
    """A dashed line at 0, with its meaning below it."""
    rule = {"type": "rule", "strokeDash": [4, 3], "color": GREY, **vega.SILENT}
    text = {"type": "text", "align": "left", "dx": -4, "dy": 3, "baseline": "top", "color": GREY}
    at_zero = {"datum": 0, "type": "quantitative", **x}
    return [
        {"data": {"values": [{}]}, **vega.layer(rule, x=at_zero)},
        {"data": {"values": [{}]}, **vega.layer(text, x=at_zero, y={"value": "height"}, text={"value": meaning})},
    ]
