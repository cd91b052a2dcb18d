"""How much can be read off the poses."""

import numpy as np
import pandas as pd
import pyarrow as pa

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
    y = {"field": "category", "type": "nominal", "title": None, "sort": categories, "scale": {"paddingInner": 0.4}}
    offset = {"field": "source", "type": "nominal", "sort": sources, "scale": {"paddingInner": 0.3}}
    color = {
        "field": "source",
        "type": "nominal",
        "title": None,
        "scale": {"domain": sources, "range": SERIES[: len(sources)]},
        "legend": {"orient": "top"},
    }
    x = {
        "field": "at",
        "type": "quantitative",
        "title": "R², 1: perfect, 0: no better than the mean",
        "scale": {"domain": [WORST, 1], "nice": False},
        "axis": {"tickCount": 7},
    }
    tooltip = [
        {"field": "category", "type": "nominal"},
        {"field": "source", "type": "nominal", "title": "read off"},
        {"field": "R2", "type": "quantitative", "title": "R²", "format": ".4f"},
    ]
    place = {"y": y, "yOffset": offset, "color": color}
    seen, below = ([{"filter": f"datum.R2 {side} {WORST}"}] for side in (">=", "<"))
    number = {"text": {"field": "R2", "type": "quantitative", "format": ".2f"}}
    layers = [
        {
            "transform": seen,
            "mark": {"type": "rule", "strokeWidth": 2},
            "encoding": {**place, "x": x, "x2": {"datum": 0}},
        },
        {
            "transform": seen,
            "mark": {"type": "circle", "size": 110, "opacity": 1},
            "encoding": {**place, "x": x, "tooltip": tooltip},
        },
        {
            "transform": below,
            "mark": {"type": "point", "shape": "triangle-left", "filled": True, "size": 110, "opacity": 1},
            "encoding": {**place, "x": x, "tooltip": tooltip},
        },
        {
            "transform": below,
            "mark": {"type": "text", "align": "left", "dx": 10},
            "encoding": {"y": y, "yOffset": offset, "x": x, **number},
        },
    ]
    is_below = data["R2"] < WORST
    layers = layers[:2] * bool((~is_below).any()) + layers[2:] * bool(is_below.any())  # none without marks
    clipped = {"calculate": f"max(datum.R2, {WORST})", "as": "at"}
    spec = {"params": [], "transform": [clipped], "height": {"step": 16}, "layer": layers}
    return Figure(pa.Table.from_pandas(data, preserve_index=False), spec)
