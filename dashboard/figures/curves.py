"""The accuracy of trained networks by a varied setting, over seeds."""

from typing import NamedTuple

import pandas as pd
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure
from dashboard.theme import GREY, HEIGHT, SERIES

SHAPES = ["circle", "square", "diamond"]
NOT_FROM_0 = "(the axis does not begin at 0)"


class Along(NamedTuple):
    """The varied setting along the horizontal axis.

    Attributes:
        field: column of the table.
        name: short name.
        title: full title, with the unit.
        scale: scale of the axis, "linear" or "log".
    """

    field: str
    name: str
    title: str
    scale: str


WINDOWS = Along("window", "window", "window, words (logarithmic)", "log")
ITERATIONS = Along("n_iters", "iterations", "iterations", "linear")


def error_curves(table: pd.DataFrame, by: str, names: dict, along: Along = WINDOWS, reduction: bool = False) -> Figure:
    """Draw the test error, with one line per network and a bar from its best seed to its worst.

    Args:
        table: one row per training, with the columns "test", ``by`` and ``along.field``.
        by: column of the networks.
        names: name of each value of ``by``, in the order of the legend.
        along: setting along the horizontal axis.
        reduction: whether to draw the column "reduction" instead, the share by which the error is reduced.
    """
    value = "error reduction" if reduction else "test error"
    values = table["reduction"] if reduction else 1 - table["test"]
    errors = table.assign(error=values).groupby([by, along.field])["error"]
    data = errors.agg(["mean", "min", "max", "count"]).reset_index().rename(columns={by: "series"})
    data["series"] = data["series"].map(names)
    networks = [name for name in names.values() if name in set(data["series"])]
    scale = {"type": along.scale, "domain": [1, float(data[along.field].max())]}
    ticks = sorted(int(n) for n in data[along.field].unique())
    axis = {"values": ticks, "grid": False, "labelOverlap": True}
    x = vega.quantitative(along.field, title=along.title, scale=scale, axis=axis)
    y = {
        "title": f"{value} {NOT_FROM_0}",
        "axis": {"format": ".1%"},
        "scale": {"zero": False, "nice": True},
    }
    colour_of = dict(zip(names.values(), SERIES, strict=False))  # the same colour even if other networks are missing
    colours = {"domain": networks, "range": [colour_of[name] for name in networks]}
    legend = vega.legend_of(networks)
    color = vega.nominal("series", title=None, scale=colours, legend=legend)
    tips = [
        vega.nominal("series", title="network"),
        vega.quantitative(along.field, title=along.name),
        *(vega.quantitative(name, title=f"{name} {value}", format=".2%") for name in ("mean", "min", "max")),
        vega.quantitative("count", title="trainings"),
    ]
    bar, line = {"type": "rule", "strokeWidth": 2, "opacity": 0.5}, {"type": "line", "point": {"size": 40}}
    layers = [
        vega.layer(bar, x=x, y=vega.quantitative("min", **y), y2={"field": "max"}, color=color),
        vega.layer(line, x=x, y=vega.quantitative("mean", **y), color=color, tooltip=tips),
    ]
    return Figure(pa.Table.from_pandas(data, preserve_index=False), {"params": [], "height": HEIGHT, "layer": layers})


def learning_curve(measured: pd.DataFrame, law: pd.DataFrame, paper: tuple[int, float]) -> Figure:
    """Draw the test error by the number of training texts: measured points, a power law with a band, the paper's point.

    Args:
        measured: one row per number of texts, with the columns trained_on, error and deviation.
        law: table with the columns trained_on, error, low and high.
        paper: number of texts and error in the paper.
    """
    half = 1.96 * measured["deviation"]  # half of a 95% interval
    points = measured.assign(which="measured", low=measured["error"] - half, high=measured["error"] + half)
    theirs = pd.DataFrame({"trained_on": [paper[0]], "error": [paper[1]], "which": ["paper"]})
    data = pd.concat([points, law.assign(which="power law"), theirs], ignore_index=True)
    axis = {"format": "~s", "values": [1000, 3000, 10_000, 30_000, 100_000]}
    x = vega.quantitative("trained_on", title="training texts (logarithmic)", scale={"type": "log"}, axis=axis)
    y = {
        "title": "test error (logarithmic)",
        "axis": {"format": ".0%", "values": [0.02, 0.03, 0.05, 0.1, 0.2, 0.3]},
        "scale": {"type": "log", "domain": [float(data["low"].min()) * 0.8, float(data["high"].max()) * 1.1]},
    }
    scale = {"domain": ["measured", "power law", "paper"], "range": SERIES[:3]}
    color = vega.nominal("which", title=None, scale=scale, legend=vega.legend_of(scale["domain"]))
    tips = [
        vega.nominal("which"),
        vega.quantitative("trained_on", title="texts", format=",.0f"),
        *(vega.quantitative(name, format=".2%") for name in ("error", "low", "high")),
    ]
    error, low = vega.quantitative("error", **y), vega.quantitative("low", **y)
    only_law, only_points = [vega.keep("datum.which == 'power law'")], [vega.keep("datum.which != 'power law'")]
    span, dot = {"y2": {"field": "high"}}, {"type": "point", "filled": True, "size": 90, "opacity": 1}
    layers = [
        vega.layer({"type": "area", "opacity": 0.25}, only_law, x=x, y=low, color=color, **span),
        vega.layer({"type": "line", "strokeWidth": 2}, only_law, x=x, y=error, color=color, tooltip=tips),
        vega.layer({"type": "rule", "strokeWidth": 2}, only_points, x=x, y=low, color=color, **span),
        vega.layer(dot, only_points, x=x, y=error, color=color, tooltip=tips),
    ]
    return Figure(pa.Table.from_pandas(data, preserve_index=False), {"params": [], "height": HEIGHT, "layer": layers})


def ablation(table: pd.DataFrame) -> Figure:
    """Draw the test accuracy by the number of layers with attention: of each training, their mean, and the paper's.

    Args:
        table: one row per training, with the columns attending, test and paper.
    """
    data = _ours_and_paper(table)
    lowest, highest = float(data["accuracy"].min()), float(data["accuracy"].max())
    scale = {"domain": [lowest - 0.005, highest + 0.005], "zero": False}
    axis = {"format": ".1%", "tickCount": 6}
    domain = ["ours, a training", "ours, mean", "paper"]
    legend = vega.legend_of(domain)
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
    """One row per dot: each training, the mean of each network, and the paper's accuracy."""
    by_network = table.groupby("attending", as_index=False)
    ours = table.assign(which="ours, a training", accuracy=table["test"])
    mean = by_network["test"].mean().assign(which="ours, mean").rename(columns={"test": "accuracy"})
    paper = by_network["paper"].first().assign(which="paper").rename(columns={"paper": "accuracy"})
    return pd.concat([rows[["attending", "which", "accuracy"]] for rows in (ours, mean, paper)], ignore_index=True)
