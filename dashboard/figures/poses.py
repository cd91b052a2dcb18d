"""Pose vectors as a toy turns: where they go, and how far from where they were."""

import numpy as np
import pandas as pd
import pyarrow as pa

from dashboard.figures.figure import Figure, view_param
from dashboard.shared.theme import FRAME, GREY, HEIGHT, SERIES, VIEWS

SIDE = 320  # pixels, of the plane: fits a phone
MEAN, THIS, OTHER = "mean", "this toy", "toys"


def trajectories(
    points: np.ndarray, names: list[str], degrees: np.ndarray | None = None, title: str = "view"
) -> Figure:
    """Each view a closed line through its pose vectors, in a plane whose distances are the poses' (Heinsen, fig. 4).

    Rings stand around the first pose vector of the first and of the last view. The current view is bold. One unit is
    as long across as up.

    Args:
        points: [view, v, 2].
        names: of the views, as hover shows them.
        degrees: [view], the colour; the view's number where it is not known.
        title: of the colours.
    """
    n_views, n_vectors, _ = points.shape
    view, v = (index.ravel() + 1 for index in np.indices((n_views, n_vectors)))
    shade = np.arange(1, n_views + 1) if degrees is None else np.asarray(degrees)
    numbers = {"view": view.astype(np.int16), "v": v.astype(np.int8), "shade": shade[view - 1].astype(np.float32)}
    x, y = points.reshape(-1, 2).T.astype(np.float32)
    data = pa.table({**numbers, "x": x, "y": y, "name": np.array(names, dtype=object)[view - 1]})
    color = {
        "field": "shade",
        "type": "quantitative",
        "title": title,
        "scale": {"domain": [float(shade.min()), float(shade.max())], "range": VIEWS},
        "legend": {"orient": "top", "type": "gradient", "gradientLength": 200, "values": _few(shade, 5)}
        | {"format": ".4~g"},
    }
    place = _plane(points)
    layers = [*_polygons(place, color), *_rings(place, n_views), *_current(place, color)]
    size = {"width": SIDE, "height": SIDE, "autosize": {"type": "pad"}}  # or it would be squeezed with its legend
    return Figure(data, {"params": [view_param(n_views)], **size, "layer": layers})


CLOSED = {"type": "line", "interpolate": "linear-closed"}
LINE = {"detail": {"field": "view", "type": "nominal"}, "order": {"field": "v", "type": "quantitative"}}
VIEW = {"field": "name", "type": "nominal", "title": "view"}
VECTOR = {"field": "v", "type": "quantitative", "title": "pose vector"}


def _polygons(place: dict, color: dict) -> list[dict]:
    """Every view, faint, and its pose vectors."""
    mark = {**CLOSED, "strokeWidth": 1.5, "strokeOpacity": 0.5}
    point = {"type": "point", "size": 25, "strokeWidth": 2.5, "opacity": 1}
    return [
        {"mark": mark, "encoding": {**place, **LINE, "color": color, "tooltip": VIEW}},
        {"mark": point, "encoding": {**place, "color": color, "tooltip": [VIEW, VECTOR]}},
    ]


def _rings(place: dict, n_views: int) -> list[dict]:
    """Around the first pose vector of the first and of the last view, the one named above and the other below."""
    ring = {"type": "point", "size": 220, "strokeWidth": 2, "color": FRAME, "opacity": 1}
    return [
        {
            "transform": [{"filter": f"datum.v == 1 && datum.view == {view}"}],
            "encoding": place,
            "layer": [{"mark": ring}, {"mark": {"type": "text", "text": f"{end} view", "dy": dy, "color": FRAME}}],
        }
        for end, view, dy in (("first", 1, -16), ("last", n_views, 18))
    ]


def _current(place: dict, color: dict) -> list[dict]:
    """The current view, bold on an edge that is seen on any page, its pose vectors' numbers and its name."""
    number = {"type": "text", "fontSize": 13, "fontWeight": "bold", "dx": 10, "dy": 10}
    corner = {"x": {"value": 0}, "y": {"value": -8}}
    layers = [
        {"mark": {**CLOSED, "strokeWidth": 7, "color": GREY}, "encoding": {**place, **LINE}},
        {"mark": {**CLOSED, "strokeWidth": 4}, "encoding": {**place, **LINE, "color": color, "tooltip": VIEW}},
        {"mark": number, "encoding": {**place, "text": VECTOR}},
        {
            "transform": [{"filter": "datum.v == 1"}],
            "mark": {"type": "text", "align": "left"},
            "encoding": {**corner, "text": VIEW},
        },
    ]
    return [{**layer, "transform": [{"filter": "datum.view == view"}, *layer.get("transform", [])]} for layer in layers]


def _few(numbers: np.ndarray, n: int) -> list[float]:
    """About n of the numbers [k], the first among them, evenly apart."""
    return np.asarray(numbers, dtype=float)[:: -(-len(numbers) // n)].tolist()


def _plane(points: np.ndarray) -> dict[str, dict]:
    """Both axes over the same length, with a line at each unit of the same size and no numbers."""
    low, high = points.min((0, 1)), points.max((0, 1))
    length = float((high - low).max()) * 1.1 or 1.0
    step = 10.0 ** np.floor(np.log10(length))
    step *= next(part for part in (0.1, 0.2, 0.5, 1) if length / (step * part) <= 12)
    starts = (low + high) / 2 - length / 2
    ticks = [np.arange(np.ceil(start / step), (start + length) // step + 1) * step for start in starts]
    return {
        axis: {
            "field": axis,
            "type": "quantitative",
            "title": f"a square: {step:g} each way" if axis == "x" else None,
            "scale": {"domain": [float(start), float(start + length)], "nice": False, "zero": False},
            "axis": {"values": at.tolist(), "labels": False, "ticks": False, "domain": False, "grid": True},
        }
        for axis, start, at in zip("xy", starts, ticks, strict=True)
    }


def turned(
    values: np.ndarray, this: np.ndarray | None, degrees: np.ndarray, title: str, y_title: str
) -> dict[str, Figure]:
    """A figure a pose vector: faint lines for toys, a bold one for their mean, this toy's own (Heinsen, fig. 6, 7).

    A rule stands at the current view. All have the same vertical axis. NaN is left out.

    Args:
        values: [toys, view, v].
        this: [view, v], where there is one toy to follow.
        degrees: [view], across.
        title: of the degrees.
    """
    own = values[:0] if this is None else this[None]
    degrees = np.asarray(degrees, dtype=np.float32)
    everything = np.concatenate([values, own])
    finite = everything[np.isfinite(everything)]
    low, high = float(finite.min(initial=0)), float(finite.max(initial=0))
    domain = [low, high if high > low else low + 1]
    axes = {
        "x": {
            "field": "degrees",
            "type": "quantitative",
            "title": title,
            "scale": {"domain": [float(degrees.min()), float(degrees.max())], "nice": False},
            "axis": {"grid": False, "values": _few(degrees, 6), "labelOverlap": True},
        },
        "y": {"field": "value", "type": "quantitative", "title": y_title, "scale": {"domain": domain}},
    }
    return {
        f"Pose vector {v + 1}": _turned_one(values[..., v], own[..., v], degrees, axes) for v in range(values.shape[2])
    }


def _turned_one(values: np.ndarray, own: np.ndarray, degrees: np.ndarray, axes: dict[str, dict]) -> Figure:
    """One pose vector. values: [toys, view]; own: [0 or 1, view]."""
    toy, view = (index.ravel() for index in np.indices((len(values) + len(own), len(degrees))))
    numbers = {"toy": toy + 1, "view": view + 1}
    small = {name: index.astype(np.int16) for name, index in numbers.items()}
    shown = np.concatenate([values, own]).astype(np.float32).ravel()
    columns = {**small, "degrees": degrees[view], "value": shown, "who": np.where(toy < len(values), OTHER, THIS)}
    data = pa.table({name: column[~np.isnan(shown)] for name, column in columns.items()})
    tooltip = [
        {"field": "who", "type": "nominal", "title": "line"},
        {"field": "degrees", "type": "quantitative", "title": axes["x"]["title"]},
        {"field": "value", "type": "quantitative", "title": axes["y"]["title"], "format": ".4f"},
    ]
    others, mine = ({"filter": f"datum.who == '{who}'"} for who in (OTHER, THIS))
    mean = {"aggregate": [{"op": "mean", "field": "value", "as": "value"}], "groupby": ["degrees"]}
    named = {"calculate": f"'{MEAN}'", "as": "who"}
    whose = ({OTHER: GREY, MEAN: SERIES[6]} if len(values) else {}) | ({THIS: FRAME} if len(own) else {})
    color = {
        "field": "who",
        "type": "nominal",
        "title": None,
        "scale": {"domain": list(whose), "range": list(whose.values())},
        "legend": {"orient": "top", "columns": 2, "symbolType": "stroke", "symbolOpacity": 1, "symbolStrokeWidth": 3},
    }
    of_others = [
        {
            "transform": [others],
            "mark": {"type": "line", "strokeWidth": 1, "opacity": 0.35},
            "encoding": {"detail": {"field": "toy", "type": "nominal"}, "color": color},
        },
        {
            "transform": [others, mean, named],
            "mark": {"type": "line", "strokeWidth": 3.5, "point": True},
            "encoding": {"color": color, "tooltip": tooltip},
        },
    ]
    of_this = {
        "transform": [mine],
        "mark": {"type": "line", "strokeWidth": 2, "point": {"size": 25}},
        "encoding": {"color": color, "tooltip": tooltip},
    }
    layers = of_others * bool(len(values)) + [of_this] * len(own)  # a layer without marks has no name to be read out
    rule = {
        "data": {"values": [{"view": k, "degrees": float(x)} for k, x in enumerate(degrees, 1)]},
        "transform": [{"filter": "datum.view == view"}],
        "mark": {"type": "rule", "strokeDash": [4, 3], "color": FRAME},
        "encoding": {"x": axes["x"]},
    }
    lines = [layer | {"encoding": {**axes, **layer["encoding"]}} for layer in layers]
    spec = {"params": [view_param(len(degrees))], "height": HEIGHT, "layer": [*lines, rule]}
    return Figure(data, spec)


def turned_table(quantities: dict[str, np.ndarray], toys: list[str], degrees: np.ndarray, title: str) -> pd.DataFrame:
    """One row a toy, view and pose vector. quantities: [toys, view, v] each, by name."""
    toy, view, v = (index.ravel() for index in np.indices(next(iter(quantities.values())).shape))
    numbers = {name: values.ravel() for name, values in quantities.items()}
    names = np.array(toys, dtype=object)[toy]
    return pd.DataFrame({"toy": names, title: np.asarray(degrees)[view], "pose vector": v + 1, **numbers})
