"""Pose vectors as a toy turns: where they go, and how far from where they were."""

import numpy as np
import pandas as pd
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure, view_param
from dashboard.theme import FRAME, GREY, HEIGHT, SERIES, VIEWS

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
    legend = {"orient": "top", "type": "gradient", "gradientLength": 200, "values": _few(shade, 5), "format": ".4~g"}
    scale = {"domain": [float(shade.min()), float(shade.max())], "range": VIEWS}
    color = vega.quantitative("shade", title=title, scale=scale, legend=legend)
    place = square(points)
    layers = [*_polygons(place, color), *_rings(place, n_views), *_current(place, color)]
    size = {"width": SIDE, "height": SIDE, **vega.PAD}
    return Figure(data, {"params": [view_param(n_views)], **size, "layer": layers})


CLOSED = {"type": "line", "interpolate": "linear-closed"}
LINE = {"detail": vega.nominal("view"), "order": vega.quantitative("v")}
VIEW = vega.nominal("name", title="view")
VECTOR = vega.quantitative("v", title="pose vector")


def _polygons(place: vega.Spec, color: vega.Spec) -> list[vega.Spec]:
    """Every view, faint, and its pose vectors."""
    line = {**CLOSED, "strokeWidth": 1.5, "strokeOpacity": 0.5}
    point = {"type": "point", "size": 25, "strokeWidth": 2.5, "opacity": 1}
    return [
        vega.layer(line, **place, **LINE, color=color, tooltip=VIEW),
        vega.layer(point, **place, color=color, tooltip=[VIEW, VECTOR]),
    ]


def _rings(place: vega.Spec, n_views: int) -> list[vega.Spec]:
    """Around the first pose vector of the first and of the last view, the one named above and the other below."""
    ring = {"type": "point", "size": 220, "strokeWidth": 2, "color": FRAME, "opacity": 1}
    return [
        {
            "transform": [vega.keep(f"datum.v == 1 && datum.view == {view}")],
            "encoding": place,
            "layer": [{"mark": ring}, {"mark": {"type": "text", "text": f"{end} view", "dy": dy, "color": FRAME}}],
        }
        for end, view, dy in (("first", 1, -16), ("last", n_views, 18))
    ]


def _current(place: vega.Spec, color: vega.Spec) -> list[vega.Spec]:
    """The current view, bold on an edge that is seen on any page, its pose vectors' numbers and its name."""
    now = vega.keep("datum.view == view")
    number = {"type": "text", "fontSize": 13, "fontWeight": "bold", "dx": 10, "dy": 10}
    corner = {"x": {"value": 0}, "y": {"value": -8}}
    return [
        vega.layer({**CLOSED, "strokeWidth": 7, "color": GREY}, [now], **place, **LINE),
        vega.layer({**CLOSED, "strokeWidth": 4}, [now], **place, **LINE, color=color, tooltip=VIEW),
        vega.layer(number, [now], **place, text=VECTOR),
        vega.layer({"type": "text", "align": "left"}, [now, vega.keep("datum.v == 1")], **corner, text=VIEW),
    ]


def _few(numbers: np.ndarray, n: int) -> list[float]:
    """About n of the numbers [k], the first among them, evenly apart."""
    return np.asarray(numbers, dtype=float)[:: -(-len(numbers) // n)].tolist()


def square(points: np.ndarray) -> vega.Spec:
    """Both axes over the same length, with a line at each unit of the same size and no numbers."""
    low, high = points.min((0, 1)), points.max((0, 1))
    length = float((high - low).max()) * 1.1 or 1.0
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
        f"Pose vector {v + 1}": _turned_vector(values[..., v], this_one[..., v], degrees, place)
        for v in range(values.shape[2])
    }


def _turned_vector(values: np.ndarray, this_one: np.ndarray, degrees: np.ndarray, place: vega.Spec) -> Figure:
    """One pose vector. values: [toys, view]; this_one: [0 or 1, view]."""
    tips = [
        vega.nominal("who", title="line"),
        vega.quantitative("degrees", title=place["x"]["title"]),
        vega.quantitative("value", title=place["y"]["title"], format=".4f"),
    ]
    lines = ({OTHER: GREY, MEAN: SERIES[6]} if len(values) else {}) | ({THIS: FRAME} if len(this_one) else {})
    stroke = {"symbolType": "stroke", "symbolOpacity": 1, "symbolStrokeWidth": 3}
    scale = {"domain": list(lines), "range": list(lines.values())}
    color = vega.nominal("who", title=None, scale=scale, legend={"orient": "top", "columns": 2, **stroke})
    layers = []  # none without marks: it would have no name to be read out
    if len(values):
        layers += _other_toys(place, color, tips)
    if len(this_one):
        line = {"type": "line", "strokeWidth": 2, "point": {"size": 25}}
        layers.append(vega.layer(line, [_only(THIS)], **place, color=color, tooltip=tips))
    views = {"values": [{"view": k, "degrees": float(x)} for k, x in enumerate(degrees, 1)]}
    rule = {"data": views, **vega.layer(vega.CURRENT, [vega.keep("datum.view == view")], x=place["x"])}
    spec = {"params": [view_param(len(degrees))], "height": HEIGHT, "layer": [*layers, rule]}
    return Figure(_turned_data(values, this_one, degrees), spec)


def _only(who: str) -> vega.Spec:
    return vega.keep(f"datum.who == '{who}'")


def _other_toys(place: vega.Spec, color: vega.Spec, tips: list[vega.Spec]) -> list[vega.Spec]:
    """Each toy faint, their mean bold."""
    mean = {"aggregate": [{"op": "mean", "field": "value", "as": "value"}], "groupby": ["degrees"]}
    of_mean = [_only(OTHER), mean, vega.calculate(f"'{MEAN}'", "who")]
    faint = {"type": "line", "strokeWidth": 1, "opacity": 0.35}
    bold = {"type": "line", "strokeWidth": 3.5, "point": True}
    return [
        vega.layer(faint, [_only(OTHER)], **place, detail=vega.nominal("toy"), color=color),
        vega.layer(bold, of_mean, **place, color=color, tooltip=tips),
    ]


def _turned_data(values: np.ndarray, this_one: np.ndarray, degrees: np.ndarray) -> pa.Table:
    """One row a toy and view, without those that are no number."""
    numbers = np.concatenate([values, this_one]).astype(np.float32)
    toy, view = vega.indices(numbers)
    places = {"toy": (toy + 1).astype(np.int16), "view": (view + 1).astype(np.int16), "degrees": degrees[view]}
    columns = {**places, "value": numbers.ravel(), "who": np.where(toy < len(values), OTHER, THIS)}
    return pa.table({name: column[~np.isnan(numbers.ravel())] for name, column in columns.items()})


def turned_table(quantities: dict[str, np.ndarray], toys: list[str], degrees: np.ndarray, title: str) -> pd.DataFrame:
    """One row a toy, view and pose vector. quantities: [toys, view, v] each, by name."""
    toy, view, v = vega.indices(next(iter(quantities.values())))
    numbers = {name: values.ravel() for name, values in quantities.items()}
    names = np.array(toys, dtype=object)[toy]
    return pd.DataFrame({"toy": names, title: np.asarray(degrees)[view], "pose vector": v + 1, **numbers})
