"""How much can be read off the poses."""

import numpy as np
import pandas as pd
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure
from dashboard.shared.theme import SERIES

WORST = -0.5  # R2 below it is clipped


def read_off(r2: dict[str, np.ndarray], categories: list[str]) -> Figure:
    """How well a direction can be read off, a point a category and source; the far worse ones are arrows at the edge.

    Args:
        r2: [category] each, by what it is read off: 1 is perfect, 0 no better than the mean.
    """
    sources = list(r2)
    data = pd.DataFrame(
        [(c, source, float(value)) for source in sources for c, value in zip(categories, r2[source], strict=True)],
        columns=["category", "source", "R2"],
    ).dropna()
    scale = {"domain": sources, "range": SERIES[: len(sources)]}
    place = {
        "x": vega.quantitative(
            "at",
            title="R², 1: perfect, 0: no better than the mean",
            scale={"domain": [WORST, 1], "nice": False},
            axis={"tickCount": 7},
        ),
        "y": vega.nominal("category", title=None, sort=categories, scale={"paddingInner": 0.4}),
        "yOffset": vega.nominal("source", sort=sources, scale={"paddingInner": 0.3}),
    }
    color = vega.nominal("source", title=None, scale=scale, legend={"orient": "top"})
    tips = [
        vega.nominal("category"),
        vega.nominal("source", title="read off"),
        vega.quantitative("R2", title="R²", format=".4f"),
    ]
    is_below = data["R2"] < WORST
    layers = []  # none without marks: it would have no name to be read out
    if (~is_below).any():
        layers += _points(place, color, tips)
    if is_below.any():
        layers += _arrows(place, color, tips)
    clipped = vega.calculate(f"max(datum.R2, {WORST})", "at")
    spec = {"params": [], "transform": [clipped], "height": {"step": 16}, "layer": layers}
    return Figure(pa.Table.from_pandas(data, preserve_index=False), spec)


def _points(place: vega.Spec, color: vega.Spec, tips: list[vega.Spec]) -> list[vega.Spec]:
    """What is not clipped, on a line from 0."""
    inside = [vega.keep(f"datum.R2 >= {WORST}")]
    return [
        vega.layer({"type": "rule", "strokeWidth": 2}, inside, **place, x2={"datum": 0}, color=color),
        vega.layer({"type": "circle", "size": 110, "opacity": 1}, inside, **place, color=color, tooltip=tips),
    ]


def _arrows(place: vega.Spec, color: vega.Spec, tips: list[vega.Spec]) -> list[vega.Spec]:
    """What is clipped, with its number."""
    below = [vega.keep(f"datum.R2 < {WORST}")]
    arrow = {"type": "point", "shape": "triangle-left", "filled": True, "size": 110, "opacity": 1}
    number = vega.quantitative("R2", format=".2f")
    return [
        vega.layer(arrow, below, **place, color=color, tooltip=tips),
        vega.layer({"type": "text", "align": "left", "dx": 10}, below, **place, text=number),
    ]
