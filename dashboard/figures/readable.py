"""Charts of how well directions can be predicted from poses (R2), and of accuracy on unseen directions."""

import pandas as pd
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure
from dashboard.theme import HEIGHT, SERIES

R2_TITLE = "R² (1: perfect, 0: no better than the mean)"
WORST, EDGE = -0.5, 1.05  # ends of the scale: smaller R2 are clipped, and the label of 1 has room


def by_category(rows: pd.DataFrame, categories: list[str]) -> Figure:
    """Draw R2 of a direction, one point per category and source; an R2 below ``WORST`` is an arrow at the edge.

    Args:
        rows: table with the columns category, source, r2 (1 is perfect, 0 no better than the mean), low and high (ends
            of the interval).
        categories: categories in their order.
    """
    sources = list(dict.fromkeys(rows["source"]))
    data = rows[["category", "source", "r2", "low", "high"]].rename(columns={"r2": "R2"}).dropna(subset="R2")
    scale = {"domain": sources, "range": SERIES[: len(sources)]}
    place = {
        "x": vega.quantitative(
            "at",
            title=R2_TITLE,
            scale={"domain": [WORST, EDGE], "nice": False},
            axis={"tickCount": 7},
        ),
        "y": vega.nominal("category", title=None, sort=categories, scale={"paddingInner": 0.4}),
        "yOffset": vega.nominal("source", sort=sources, scale={"paddingInner": 0.3}),
    }
    color = vega.nominal("source", title=None, scale=scale, legend=vega.legend_of(sources))
    tips = [
        vega.nominal("category"),
        vega.nominal("source", title="predicted from"),
        vega.quantitative("R2", title="R²", format=".3f"),
        vega.quantitative("low", title="from", format=".3f"),
        vega.quantitative("high", title="to", format=".3f"),
    ]
    is_below = data["R2"] < WORST
    layers = []  # without empty layers, for which a screen reader has no name
    if (~is_below).any():
        layers += _points(place, color, tips)
    if is_below.any():
        layers += _arrows(place, color, tips)
    clipped = [
        vega.calculate(f"max(datum.R2, {WORST})", "at"),
        vega.calculate(f"max(datum.low, {WORST})", "least"),
        vega.calculate("min(datum.high, 1)", "most"),
    ]
    spec = {"params": [], "transform": clipped, "height": {"step": 16}, "layer": layers}
    return Figure(pa.Table.from_pandas(data, preserve_index=False), spec)


def _points(place: vega.Spec, color: vega.Spec, tips: list[vega.Spec]) -> list[vega.Spec]:
    """Values within the axis, with error bars."""
    inside = [vega.keep(f"datum.R2 >= {WORST}")]
    interval = place | {"x": place["x"] | {"field": "least"}}
    return [
        vega.layer({"type": "rule", "strokeWidth": 2}, inside, **interval, x2={"field": "most"}, color=color),
        vega.layer({"type": "circle", "size": 110, "opacity": 1}, inside, **place, color=color, tooltip=tips),
    ]


def _arrows(place: vega.Spec, color: vega.Spec, tips: list[vega.Spec]) -> list[vega.Spec]:
    """Values beyond the axis, as numbers at its end."""
    below = [vega.keep(f"datum.R2 < {WORST}")]
    arrow = {"type": "point", "shape": "triangle-left", "filled": True, "size": 110, "opacity": 1}
    number = vega.quantitative("R2", format=".2f")
    return [
        vega.layer(arrow, below, **place, color=color, tooltip=tips),
        vega.layer({"type": "text", "align": "left", "dx": 10}, below, **place, text=number),
    ]


def by_training(rows: pd.DataFrame) -> Figure:
    """Draw R2 of each direction by the share of the training, one line per training, with intervals.

    Args:
        rows: table with the columns share (of the training), training (in words; "" for the network's own), direction,
            r2, low and high.
    """
    axis = {"format": ".0%", "values": sorted(set(rows["share"])), "grid": False}
    x = vega.quantitative("share", title="share of the training", scale={"domain": [0, 1]}, axis=axis)
    y = vega.quantitative("R2", title=R2_TITLE, scale={"zero": True, "nice": True})
    series = rows["direction"] + ("; " + rows["training"]).where(rows["training"] != "", "")
    return _lines(rows.assign(direction=series).rename(columns={"r2": "R2"}), x, y, "direction", ".3f")


def by_distance(rows: pd.DataFrame) -> Figure:
    """Draw accuracy by the distance from the nearest training direction, with intervals.

    Args:
        rows: table with the columns network, distance (in degrees), accuracy, low and high.
    """
    axis = {"values": sorted(set(rows["distance"])), "grid": False}
    x = vega.quantitative("distance", title="degrees from the nearest training direction", axis=axis)
    y = vega.quantitative("accuracy", title="accuracy on test toys", scale={"domain": [0, 1]}, axis={"format": ".0%"})
    return _lines(rows, x, y, "network", ".1%")


def _lines(rows: pd.DataFrame, x: vega.Spec, y: vega.Spec, series: str, digits: str) -> Figure:
    """One line per series, with intervals from low to high."""
    names, value = list(dict.fromkeys(rows[series])), y["field"]
    data = rows[[x["field"], series, value, "low", "high"]]
    scale = {"domain": names, "range": SERIES[: len(names)]}
    color = vega.nominal(series, title=None, scale=scale, legend=vega.legend_of(names))
    tips = [
        vega.nominal(series),
        vega.quantitative(x["field"], format=x["axis"].get("format", "")),
        *(vega.quantitative(name, format=digits) for name in (value, "low", "high")),
    ]
    rule, line = {"type": "rule", "strokeWidth": 2, "opacity": 0.5}, {"type": "line", "point": {"size": 50}}
    layers = [
        vega.layer(rule, x=x, y=y | {"field": "low"}, y2={"field": "high"}, color=color),
        vega.layer(line, x=x, y=y, color=color, tooltip=tips),
    ]
    return Figure(pa.Table.from_pandas(data, preserve_index=False), {"params": [], "height": HEIGHT, "layer": layers})
