"""Figures that compare several routings of the same votes."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure, iteration_param
from dashboard.figures.heatmap import Axis, Colour, heatmap
from dashboard.theme import GREY, LABEL, SERIES

PANEL, GAP = 280, 0.12  # width of a plane in pixels; gap between two planes as a share of their height
MANY = 100_000  # more than the marks in one plane, so that marks of different planes have different numbers
MAX_WIDTH = 9  # pixels, width of an edge with the whole share
# The columns of the data, with the value for marks that have none.
COLUMNS = {"what": "", "t": 0, "id": 0, "k": 0, "x": 0.0, "y": 0.0, "x2": 0.0, "y2": 0.0, "capsule": "", "share": 0.0}


class Planes(NamedTuple):
    """The contents of each routing's plane.

    Attributes:
        frame: left, top, width and height of the plane, with y downwards.
        names: names of the capsules.
        parts: outlines [n, 2] of the parts that vote, each with the point [2] at which its edges start.
        points: votes [i, j, 2] to draw as dots instead of parts.
        wholes: outlines [n, 2] of each whole, [t][j], by routing.
        means: means of the votes for each capsule, [t, j, 2], by routing.
        activation, coupling: arrays by routing.
    """

    frame: Sequence[float]
    names: list[str]
    parts: list[tuple[np.ndarray, np.ndarray]]
    points: np.ndarray | None
    wholes: dict[str, list[list[list[np.ndarray]]]]
    means: dict[str, np.ndarray]
    activation: dict[str, np.ndarray]
    coupling: dict[str, np.ndarray]


def planes(drawn: Planes) -> Figure:
    """Draw the planes of all routings, two per row. Opacity shows activation, the width of an edge its share."""
    left, top, width, height = drawn.frame
    rows: list[dict[str, Any]] = []
    for number, routing in enumerate(drawn.means):
        right, down = width * (number % 2), height * (1 + GAP) * (number // 2)
        rows.append({"what": "title", "x": left + right, "y": -top - down, "capsule": routing})
        rows += _marks_of_plane(drawn, routing, np.array([right, -down]), number)
    data = pa.Table.from_pandas(pd.DataFrame([COLUMNS | row for row in rows]), preserve_index=False)
    highest = -top + GAP * height
    lowest = highest - height * (1 + GAP) * ((len(drawn.means) + 1) // 2)
    place = {
        "x": vega.quantitative("x", scale={"domain": [left, left + 2 * width], "nice": False}, axis=None),
        "y": vega.quantitative("y", scale={"domain": [lowest, highest], "nice": False}, axis=None),
    }
    size = {"width": 2 * PANEL, "height": round(PANEL / width * (highest - lowest))}
    n_iters = len(next(iter(drawn.means.values())))
    return Figure(data, {"params": [iteration_param(n_iters)], **size, "layer": _layers(drawn.names, place)})


def _layers(names: list[str], place: vega.Spec) -> list[vega.Spec]:
    """One layer per kind of mark. place: encoding of x and y."""
    scale = {"domain": names, "range": SERIES[: len(names)]}
    color = vega.nominal("capsule", scale=scale, legend=vega.legend_of(names))
    faded = vega.quantitative("share", scale={"domain": [0, 1], "range": [0.1, 1]}, legend=None)
    thick = vega.quantitative("share", scale={"domain": [0, 1], "range": [0, MAX_WIDTH]}, legend=None)
    line = {"type": "line", "interpolate": "linear-closed"}
    closed = {"detail": vega.nominal("id"), "order": vega.quantitative("k")}
    ends = {"x2": {"field": "x2"}, "y2": {"field": "y2"}}
    at_corner = {"align": "left", "baseline": "bottom", "dx": 4, "dy": -4}
    title = {"type": "text", **at_corner, "fontWeight": "bold", "fontSize": LABEL}

    def marks(kind: str, mark: vega.Spec, **encoding: vega.Spec) -> vega.Spec:
        now = f"datum.what == '{kind}' && (datum.t == 0 || datum.t == iteration)"
        return vega.layer(mark, [vega.keep(now)], **place, **encoding)

    return [
        marks("part", line | {"color": GREY, "strokeWidth": 1}, **closed),
        marks("whole", line | {"strokeWidth": 2}, color=color, opacity=faded, **closed),
        marks("edge", {"type": "rule", "opacity": 0.75}, color=color, strokeWidth=thick, **ends),
        marks("dot", {"type": "circle", "size": 25}, color=color, opacity=faded),
        marks("mean", {"type": "point", "size": 130, "strokeWidth": 2.5}, color=color, opacity=faded),
        marks("title", title, text=vega.nominal("capsule")),
    ]


def _marks_of_plane(drawn: Planes, routing: str, shift: np.ndarray, number: int) -> list[dict[str, Any]]:
    """The marks of one routing, moved to its plane. number: number of the plane, from 0."""
    rows: list[dict[str, Any]] = []

    def add_outline(kind: str, points: np.ndarray, **rest: Any) -> None:
        mark = MANY * number + len(rows)
        places = enumerate(points + shift)
        rows.extend({"what": kind, "id": mark, "k": k, "x": x, "y": y, **rest} for k, (x, y) in places)

    for points, _ in drawn.parts:
        add_outline("part", points)
    steps = zip(drawn.means[routing] + shift, drawn.activation[routing], drawn.coupling[routing], strict=True)
    for t, (means, activation, coupling) in enumerate(steps, 1):
        for j, (x, y) in enumerate(means):
            target = {"t": t, "capsule": drawn.names[j]}
            for points in drawn.wholes[routing][t - 1][j] if drawn.parts else []:
                add_outline("whole", points, share=activation[j], **target)
            for (_, at), share in zip(drawn.parts, coupling[:, j], strict=False):
                from_x, from_y = at + shift
                rows.append({"what": "edge", "x": from_x, "y": from_y, "x2": x, "y2": y, "share": share, **target})
            if drawn.points is None:
                continue
            rows.append({"what": "mean", "x": x, "y": y, "share": activation[j], **target})
            for at, share in zip(drawn.points[:, j] + shift, coupling[:, j] / coupling.max(), strict=True):
                rows.append({"what": "dot", "x": at[0], "y": at[1], "share": share, **target})
    return rows


def shares_of_all(couplings: dict[str, np.ndarray], inputs: Sequence[str], outputs: Sequence[str], unit: str) -> Figure:
    """Draw one row per routing and capsule, and one column per input; colour is the share.

    Args:
        couplings: shares [t, i, j] by the routing's name.
        inputs, outputs: names of the inputs and outputs.
        unit: unit of the inputs, in the singular.
    """
    values = np.concatenate(list(couplings.values()), axis=2)
    rows = [f"{routing} · {output}" for routing in couplings for output in outputs]
    columns = Axis(unit, list(inputs))
    return heatmap(values, columns, Axis("capsule", rows), Colour("c_ij", ["share c_ij, of EM R_ij"]))


def shares_table(couplings: dict[str, np.ndarray], inputs: Sequence[str], outputs: Sequence[str]) -> pd.DataFrame:
    """One row per iteration, routing, input and capsule."""
    rows = []
    for routing, coupling in couplings.items():
        t, i, j = (index.ravel() for index in np.indices(coupling.shape))
        names = {"input": np.array(inputs, object)[i], "capsule": np.array(outputs, object)[j]}
        rows.append(pd.DataFrame({"iteration": t + 1, "routing": routing, **names, "share": coupling.ravel()}))
    return pd.concat(rows, ignore_index=True)
