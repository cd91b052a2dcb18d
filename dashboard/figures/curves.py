"""How good trained networks are by what was varied, over their seeds."""

from typing import NamedTuple

import pandas as pd
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure
from dashboard.shared.theme import GREY, HEIGHT, SERIES

SHAPES = ["circle", "square", "diamond"]
NOT_FROM_0 = "(the axis does not begin at 0)"


class Along(NamedTuple):
    """What was varied along the horizontal axis.

    Attributes:
        field: the column. name: its name.
        title: in full, with the unit.
        scale: of the axis, "linear" or "log".
    """

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
    errors = table.assign(error=1 - table["test"]).groupby([by, along.field])["error"]
    data = errors.agg(["mean", "min", "max", "count"]).reset_index().rename(columns={by: "series"})
    data["series"] = data["series"].map(names)
    networks = [name for name in names.values() if name in set(data["series"])]
    scale = {"type": along.scale, "domain": [1, float(data[along.field].max())]}
    ticks = sorted(int(n) for n in data[along.field].unique())
    axis = {"values": ticks, "grid": False, "labelOverlap": True}
    x = vega.quantitative(along.field, title=along.title, scale=scale, axis=axis)
    y = {
        "title": f"test error {NOT_FROM_0}",
        "axis": {"format": ".1%"},
        "scale": {"zero": False, "nice": True},
    }
    colours = {"domain": networks, "range": SERIES[: len(networks)]}
    color = vega.nominal("series", title=None, scale=colours, legend={"orient": "top", "columns": 2})
    tips = [
        vega.nominal("series", title="network"),
        vega.quantitative(along.field, title=along.name),
        *(vega.quantitative(name, title=f"{name} error", format=".2%") for name in ("mean", "min", "max")),
        vega.quantitative("count", title="trainings"),
    ]
    bar, line = {"type": "rule", "strokeWidth": 2, "opacity": 0.5}, {"type": "line", "point": {"size": 40}}
    layers = [
        vega.layer(bar, x=x, y=vega.quantitative("min", **y), y2={"field": "max"}, color=color),
        vega.layer(line, x=x, y=vega.quantitative("mean", **y), color=color, tooltip=tips),
    ]
    return Figure(pa.Table.from_pandas(data, preserve_index=False), {"params": [], "height": HEIGHT, "layer": layers})


def ablation(table: pd.DataFrame) -> Figure:
    """Test accuracy by how many layers attend: each training, their mean, the paper's.

    Args:
        table: a row a training: attending, test, paper.
    """
    data = _ours_and_paper(table)
    lowest, highest = float(data["accuracy"].min()), float(data["accuracy"].max())
    scale = {"domain": [lowest - 0.005, highest + 0.005], "zero": False}
    axis = {"format": ".1%", "tickCount": 6}
    domain = ["ours, a training", "ours, mean", "paper"]
    legend = {"orient": "top", "title": None, "columns": 3}
    encoding = {
        "x": vega.quantitative("accuracy", title=f"test accuracy {NOT_FROM_0}", axis=axis, scale=scale),
        "y": vega.ordinal("attending", title="layers that attend", sort="descending", axis={"ticks": False}),
        "color": vega.nominal("which", scale={"domain": domain, "range": [GREY, *SERIES[:2]]}, legend=legend),
        "shape": vega.nominal("which", scale={"domain": domain, "range": SHAPES}, legend=legend),
        "tooltip": [
            vega.nominal("which"),
            vega.quantitative("attending", title="layers that attend"),
            vega.quantitative("accuracy", format=".2%"),
        ],
    }
    mark = {"type": "point", "filled": True, "size": 110, "opacity": 0.9}
    spec = {"params": [], "height": {"step": 40}, "mark": mark, "encoding": encoding}
    return Figure(pa.Table.from_pandas(data, preserve_index=False), spec)


def _ours_and_paper(table: pd.DataFrame) -> pd.DataFrame:
    by_network = table.groupby("attending", as_index=False)
    ours = table.assign(which="ours, a training", accuracy=table["test"])
    mean = by_network["test"].mean().assign(which="ours, mean").rename(columns={"test": "accuracy"})
    paper = by_network["paper"].first().assign(which="paper").rename(columns={"paper": "accuracy"})
    return pd.concat([rows[["attending", "which", "accuracy"]] for rows in (ours, mean, paper)], ignore_index=True)
