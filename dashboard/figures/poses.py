"""Pose vectors as a toy turns: their paths in a plane, and their distances from the first view."""

import numpy as np
import pandas as pd
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure, view_param
from dashboard.theme import GREY, HEIGHT, LABEL, PICKED, SERIES, VIEWS

SIDE = 320  # pixels, side of the plane, which fits a phone
MEAN, THIS, OTHER = "mean", "this toy", "toys"


def trajectories(
    points: np.ndarray, names: list[str], degrees: np.ndarray | None = None, title: str = "view"
) -> Figure:
    """Draw each view as a closed line through its pose vectors, in a plane that keeps distances (Heinsen, fig. 4).

    The first pose vectors of the first and the last view have rings. The current view is bold. Units have the same
    length on both axes.

    Args:
        points: pose vectors in the plane, [view, v, 2].
        names: names of the views, for tips.
        degrees: value of each view that the colour shows, [view]; the view's number if None.
        title: title of the colours.
    """
    n_views, n_vectors, _ = points.shape
    view, v = (index.ravel() + 1 for index in np.indices((n_views, n_vectors)))
    shade = np.arange(1, n_views + 1) if degrees is None else np.asarray(degrees)
    numbers = {"view": view.astype(np.int16), "v": v.astype(np.int8), "shade": shade[view - 1].astype(np.float32)}
    x, y = points.reshape(-1, 2).T.astype(np.float32)
    data = pa.table({**numbers, "x": x, "y": y, "name": np.array(names, dtype=object)[view - 1]})
    legend = {"orient": "top", "type": "gradient", "gradientLength": 200, "values": _few(shade, 5), "format": ".4~g"}
    scale = {"domain": [float(shade.min()), float(shade.max())], "range": VIEWS}
    color = vega.quantitative("shade", title=title, scale=scale, legend=legend)
    place = square_axes(points)
    layers = [*_polygons(place, color), *_rings(place, n_views), *_current(place, color)]
    size = {"width": SIDE, "height": SIDE, **vega.PAD}
    return Figure(data, {"params": [view_param(n_views)], **size, "layer": layers})


CLOSED = {"type": "line", "interpolate": "linear-closed"}
LINE = {"detail": vega.nominal("view"), "order": vega.quantitative("v")}
VIEW = vega.nominal("name", title="view")
VECTOR = vega.quantitative("v", title="pose vector")


def _polygons(place: vega.Spec, color: vega.Spec) -> list[vega.Spec]:
    """All views, faint, with their pose vectors."""
    line = {**CLOSED, "strokeWidth": 1.5, "strokeOpacity": 0.5}
    point = {"type": "point", "size": 25, "strokeWidth": 2.5, "opacity": 1}
    return [
        vega.layer(line, **place, **LINE, color=color, tooltip=VIEW),
        vega.layer(point, **place, color=color, tooltip=[VIEW, VECTOR]),
    ]


def _rings(place: vega.Spec, n_views: int) -> list[vega.Spec]:
    """Rings around the first pose vectors of the first view, named above, and of the last view, named below."""
    ring = {"type": "point", "size": 220, "strokeWidth": 2, "color": PICKED, "opacity": 1}
    return [
        {
            "transform": [vega.keep(f"datum.v == 1 && datum.view == {view}")],
            "encoding": place,
            "layer": [{"mark": ring}, {"mark": {"type": "text", "text": f"{end} view", "dy": dy, "color": PICKED}}],
        }
        for end, view, dy in (("first", 1, -16), ("last", n_views, 18))
    ]


def _current(place: vega.Spec, color: vega.Spec) -> list[vega.Spec]:
    """The current view, bold and with an outline that is visible on any page, its vectors' numbers and its name."""
    now = vega.keep("datum.view == view")
    number = {"type": "text", "fontSize": LABEL, "fontWeight": "bold", "dx": 10, "dy": 10}
    corner = {"x": {"value": 0}, "y": {"value": -8}}
    return [
        vega.layer({**CLOSED, "strokeWidth": 7, "color": GREY}, [now], **place, **LINE),
        vega.layer({**CLOSED, "strokeWidth": 4}, [now], **place, **LINE, color=color, tooltip=VIEW),
        vega.layer(number, [now], **place, text=VECTOR),
        vega.layer({"type": "text", "align": "left"}, [now, vega.keep("datum.v == 1")], **corner, text=VIEW),
    ]


def _few(numbers: np.ndarray, n: int) -> list[float]:
    """About n of the numbers [k] at equal distances, beginning with the first."""
    return np.asarray(numbers, dtype=float)[:: -(-len(numbers) // n)].tolist()


def square_axes(points: np.ndarray) -> vega.Spec:
    """Both axes with the same length and the same grid, without numbers."""
    low, high = points.min((0, 1)), points.max((0, 1))
    length = float((high - low).max()) * 1.1 or 1.0
    # The distance of grid lines: a round number, with at most 12 distances along a side.
    step = 10.0 ** np.floor(np.log10(length))
    step *= next(share for share in (0.1, 0.2, 0.5, 1) if length / (step * share) <= 12)
    starts = (low + high) / 2 - length / 2
    ticks = [np.arange(np.ceil(start / step), (start + length) // step + 1) * step for start in starts]
    return {
        axis: vega.quantitative(
            axis,
            title=f"a square: {step:g} each way" if axis == "x" else None,
            scale={"domain": [float(start), float(start + length)], "nice": False, "zero": False},
            axis={"values": at.tolist(), "labels": False, **vega.BARE, "grid": True},
        )
        for axis, start, at in zip("xy", starts, ticks, strict=True)
    }


def turn_curves(
    values: np.ndarray, this: np.ndarray | None, degrees: np.ndarray, title: str, y_title: str
) -> dict[str, Figure]:
    """Draw one figure per pose vector, as in figures 6 and 7 of Heinsen.

    The lines of all toys are faint; the lines of their mean and of this toy are bold. A rule marks the current view.
    All figures have the same vertical axis. NaN is left out.

    Args:
        values: values of all toys, [toys, view, v].
        this: values of the toy to follow, [view, v], if there is one.
        degrees: degrees of the horizontal axis, [view].
        title: title of the horizontal axis.
        y_title: title of the vertical axis.
    """
    this_one = values[:0] if this is None else this[None]
    degrees = np.asarray(degrees, dtype=np.float32)
    everything = np.concatenate([values, this_one])
    finite = everything[np.isfinite(everything)]
    low, high = float(finite.min(initial=0)), float(finite.max(initial=0))
    ends = {"domain": [float(degrees.min()), float(degrees.max())], "nice": False}
    axis = {"grid": False, "values": _few(degrees, 6), "labelOverlap": True}
    place = {
        "x": vega.quantitative("degrees", title=title, scale=ends, axis=axis),
        "y": vega.quantitative("value", title=y_title, scale={"domain": [low, high if high > low else low + 1]}),
    }
    return {
        f"Pose vector {v + 1}": _vector_curves(values[..., v], this_one[..., v], degrees, place)
        for v in range(values.shape[2])
    }


def _vector_curves(values: np.ndarray, this_one: np.ndarray, degrees: np.ndarray, place: vega.Spec) -> Figure:
    """Draw one pose vector. values: [toys, view]. this_one: [0 or 1, view]."""
    tips = [
        vega.nominal("who", title="line"),
        vega.quantitative("degrees", title=place["x"]["title"]),
        vega.quantitative("value", title=place["y"]["title"], format=".4f"),
    ]
    lines = ({OTHER: GREY, MEAN: SERIES[0]} if len(values) else {}) | ({THIS: PICKED} if len(this_one) else {})
    stroke = {"symbolType": "stroke", "symbolStrokeWidth": 3}
    scale = {"domain": list(lines), "range": list(lines.values())}
    color = vega.nominal("who", title=None, scale=scale, legend=vega.legend_of(list(lines), **stroke))
    layers = []  # without empty layers, for which a screen reader has no name
    if len(values):
        layers += _other_toys(place, color, tips)
    if len(this_one):
        line = {"type": "line", "strokeWidth": 2, "point": {"size": 25}}
        layers.append(vega.layer(line, [_only(THIS)], **place, color=color, tooltip=tips))
    views = {"values": [{"view": k, "degrees": float(x)} for k, x in enumerate(degrees, 1)]}
    rule = {"data": views, **vega.layer(vega.CURRENT, [vega.keep("datum.view == view")], x=place["x"])}
    spec = {"params": [view_param(len(degrees))], "height": HEIGHT, "layer": [*layers, rule]}
    return Figure(_curve_data(values, this_one, degrees), spec)


def _only(who: str) -> vega.Spec:
    """A transform that keeps the rows of one kind of line."""
    return vega.keep(f"datum.who == '{who}'")


def _other_toys(place: vega.Spec, color: vega.Spec, tips: list[vega.Spec]) -> list[vega.Spec]:
    """Faint lines for toys, and a bold line for their mean."""
    mean = {"aggregate": [{"op": "mean", "field": "value", "as": "value"}], "groupby": ["degrees"]}
    only_mean = [_only(OTHER), mean, vega.calculate(f"'{MEAN}'", "who")]
    faint = {"type": "line", "strokeWidth": 1, "opacity": 0.35}
    bold = {"type": "line", "strokeWidth": 3.5, "point": True}
    return [
        vega.layer(faint, [_only(OTHER)], **place, detail=vega.nominal("toy"), color=color),
        vega.layer(bold, only_mean, **place, color=color, tooltip=tips),
    ]


def _curve_data(values: np.ndarray, this_one: np.ndarray, degrees: np.ndarray) -> pa.Table:
    """One row per toy and view, without NaN."""
    numbers = np.concatenate([values, this_one]).astype(np.float32)
    toy, view = vega.indices(numbers)
    places = {"toy": (toy + 1).astype(np.int16), "view": (view + 1).astype(np.int16), "degrees": degrees[view]}
    columns = {**places, "value": numbers.ravel(), "who": np.where(toy < len(values), OTHER, THIS)}
    return pa.table({name: column[~np.isnan(numbers.ravel())] for name, column in columns.items()})


def turn_table(quantities: dict[str, np.ndarray], toys: list[str], degrees: np.ndarray, title: str) -> pd.DataFrame:
    """One row per toy, view and pose vector. quantities: arrays [toys, view, v] by name."""
    toy, view, v = vega.indices(next(iter(quantities.values())))
    numbers = {name: values.ravel() for name, values in quantities.items()}
    names = np.array(toys, dtype=object)[toy]
    return pd.DataFrame({"toy": names, title: np.asarray(degrees)[view], "pose vector": v + 1, **numbers})
