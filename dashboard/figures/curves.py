"""How good networks are by what was varied, over their seeds."""

from typing import NamedTuple

import pandas as pd
import pyarrow as pa

from dashboard.figures.figure import Figure
from dashboard.shared.theme import HEIGHT, SERIES


class Along(NamedTuple):
    """What was varied along the horizontal axis: a column, its name, and in full with the unit; the axis's scale."""

    field: str
    name: str
    title: str
    scale: str


WINDOWS = Along("window", "window", "window, words (logarithmic)", "log")
ITERATIONS = Along("n_iters", "iterations", "iterations", "linear")


def error_curves(table: pd.DataFrame, by: str, names: dict, along: Along = WINDOWS) -> Figure:
    """Test error: a line a network, and a bar from its best seed to its worst.

    Args:
        table: a row a training: test, and the columns ``by`` and ``along.field``.
        names: of the values of ``by``, in their order.
    """
    of = table.assign(error=1 - table["test"]).groupby([by, along.field])["error"]
    data = of.agg(["mean", "min", "max", "count"]).reset_index().rename(columns={by: "series"})
    data["series"] = data["series"].map(names)
    domain = [name for name in names.values() if name in set(data["series"])]
    x = {
        "field": along.field,
        "type": "quantitative",
        "title": along.title,
        "scale": {"type": along.scale, "domain": [1, float(data[along.field].max())]},
        "axis": {"values": sorted(int(n) for n in data[along.field].unique()), "grid": False, "labelOverlap": True},
    }
    y = {"type": "quantitative", "title": "test error (the axis does not begin at 0)", "axis": {"format": ".1%"}}
    color = {
        "field": "series",
        "type": "nominal",
        "title": None,
        "scale": {"domain": domain, "range": SERIES[: len(domain)]},
        "legend": {"orient": "top", "columns": 2},
    }
    tooltip = [
        {"field": "series", "type": "nominal", "title": "network"},
        {"field": along.field, "type": "quantitative", "title": along.name},
        *({"field": f, "type": "quantitative", "title": f"{f} error", "format": ".2%"} for f in ("mean", "min", "max")),
        {"field": "count", "type": "quantitative", "title": "trainings"},
    ]
    from_least = {"zero": False, "nice": True}
    layers = [
        {
            "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.5},
            "encoding": {
                "x": x,
                "y": y | {"field": "min", "scale": from_least},
                "y2": {"field": "max"},
                "color": color,
            },
        },
        {
            "mark": {"type": "line", "point": {"size": 40}},
            "encoding": {"x": x, "y": y | {"field": "mean", "scale": from_least}, "color": color, "tooltip": tooltip},
        },
    ]
    return Figure(pa.Table.from_pandas(data, preserve_index=False), {"params": [], "height": HEIGHT, "layer": layers})
