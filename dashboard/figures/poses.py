"""Pose vectors as a toy turns: where they go, how far they turn, and what can be read off them."""

import numpy as np
import pandas as pd

from dashboard.figures.figure import Figure, view_param
from dashboard.theme import FRAME, GREY, HEIGHT, SERIES, VIEWS

SIDE = 320  # pixels, of the plane: fits a phone
WORST = -0.5  # R2 below it is clipped
MEAN, THIS, OTHER = "mean over toys", "this toy", "a toy"


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
    data = pd.DataFrame({**numbers, "x": x, "y": y, "name": np.array(names, dtype=object)[view - 1]})
    place = _plane(points)
    color = {
        "field": "shade",
        "type": "quantitative",
        "title": title,
        "scale": {"domain": [float(shade.min()), float(shade.max())], "range": VIEWS},
        "legend": {
            "orient": "top",
            "type": "gradient",
            "gradientLength": 200,
            "format": "~g",
            "values": _few(shade, 5),
        },
    }
    closed = {"type": "line", "interpolate": "linear-closed"}
    by_view, in_order = {"field": "view", "type": "nominal"}, {"field": "v", "type": "quantitative"}
    uncoloured = {**place, "detail": by_view, "order": in_order}
    line = {**uncoloured, "color": color}
    at_view = [{"filter": "datum.view == view"}]
    ends = f"datum.v == 1 && (datum.view == 1 || datum.view == {n_views})"
    tooltip = [
        {"field": "name", "type": "nominal", "title": "view"},
        {"field": "v", "type": "quantitative", "title": "pose vector"},
    ]
    layers = [
        {"mark": {**closed, "strokeWidth": 1.5, "strokeOpacity": 0.5}, "encoding": line},
        {
            "transform": [{"filter": ends}],
            "mark": {"type": "point", "size": 220, "strokeWidth": 2, "color": FRAME, "opacity": 1},
            "encoding": place,
        },
        *(
            {
                "transform": [{"filter": f"datum.v == 1 && datum.view == {number}"}],
                "mark": {"type": "text", "text": f"{end} view", "dy": dy, "color": FRAME},
                "encoding": place,
            }
            for end, number, dy in (("first", 1, -16), ("last", n_views, 18))
        ),
        {"transform": at_view, "mark": {**closed, "strokeWidth": 7, "color": GREY}, "encoding": uncoloured},
        {"transform": at_view, "mark": {**closed, "strokeWidth": 4, "opacity": 1}, "encoding": line},
        {
            "mark": {"type": "point", "size": 8, "strokeWidth": 4, "opacity": 1},
            "encoding": {**place, "color": color, "tooltip": tooltip},
        },
        {
            "transform": at_view,
            "mark": {"type": "text", "fontSize": 13, "fontWeight": "bold", "dx": 10, "dy": 10},
            "encoding": {**place, "text": {"field": "v", "type": "quantitative"}},
        },
        {
            "transform": [{"filter": "datum.v == 1 && datum.view == view"}],
            "mark": {"type": "text", "align": "left"},
            "encoding": {"x": {"value": 0}, "y": {"value": -8}, "text": {"field": "name", "type": "nominal"}},
        },
    ]
    spec = {"params": [view_param(n_views)], "width": SIDE, "height": SIDE, "layer": layers}
    return Figure(data, spec)


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
    data = pd.DataFrame({**small, "degrees": degrees[view], "value": shown})
    data["who"] = np.where(toy < len(values), OTHER, THIS)
    tooltip = [
        {"field": "who", "type": "nominal", "title": "line"},
        {"field": "degrees", "type": "quantitative", "title": axes["x"]["title"]},
        {"field": "value", "type": "quantitative", "title": axes["y"]["title"], "format": ".4f"},
    ]
    others, mine = ({"filter": f"datum.who == '{who}'"} for who in (OTHER, THIS))
    mean = {"aggregate": [{"op": "mean", "field": "value", "as": "value"}], "groupby": ["degrees"]}
    named = {"calculate": f"'{MEAN}'", "as": "who"}
    whose = {OTHER: GREY, MEAN: SERIES[6]} | ({THIS: FRAME} if len(own) else {})
    color = {
        "field": "who",
        "type": "nominal",
        "title": None,
        "scale": {"domain": list(whose), "range": list(whose.values())},
        "legend": {"orient": "top", "symbolType": "stroke", "symbolOpacity": 1, "symbolStrokeWidth": 3},
    }
    layers = [
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
        {
            "transform": [mine],
            "mark": {"type": "line", "strokeWidth": 2, "point": {"size": 25}},
            "encoding": {"color": color, "tooltip": tooltip},
        },
    ]
    rule = {
        "data": {"values": [{"view": k, "degrees": float(x)} for k, x in enumerate(degrees, 1)]},
        "transform": [{"filter": "datum.view == view"}],
        "mark": {"type": "rule", "strokeDash": [4, 3], "color": FRAME},
        "encoding": {"x": axes["x"]},
    }
    lines = [layer | {"encoding": {**axes, **layer["encoding"]}} for layer in layers]
    spec = {"params": [view_param(len(degrees))], "height": HEIGHT * 2 // 3, "layer": [*lines, rule]}
    return Figure(data.dropna(), spec)


def turned_table(quantities: dict[str, np.ndarray], toys: list[str], degrees: np.ndarray, title: str) -> pd.DataFrame:
    """One row a toy, view and pose vector. quantities: [toys, view, v] each, by name."""
    toy, view, v = (index.ravel() for index in np.indices(next(iter(quantities.values())).shape))
    numbers = {name: values.ravel() for name, values in quantities.items()}
    names = np.array(toys, dtype=object)[toy]
    return pd.DataFrame({"toy": names, title: np.asarray(degrees)[view], "pose vector": v + 1, **numbers})


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
    height = {"step": 16}
    clipped = {"calculate": f"max(datum.R2, {WORST})", "as": "at"}
    return Figure(data, {"params": [], "transform": [clipped], "height": height, "layer": layers})
