"""One point for each view of a toy, on a path in the colours of its directions."""

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure, view_param
from dashboard.figures.pictures import URL, png
from dashboard.theme import DIRECTIONS, GREY, NOTE, PICKED, VIEWS

SIDE, MAP_SIDE = 260, 185  # pixels, sides of a ring and of a map
N_PICTURES, PICTURE = 8, 36  # small pictures around a ring, and pixels of their sides
N_ON_ARC, ON_ARC_AT, QUARTER = 4, 1.36, 1.5  # the same on an arc: pictures, their radius, and the end of the axes
LABELS_AT, PICTURES_AT, REACH = 1.14, 1.56, 1.82  # radii of labels and pictures around the rim; end of the axes
SPOKE = {"type": "rule", "color": GREY, "opacity": 0.5, "strokeWidth": 1}
QUARTER_TURN = 90.0  # degrees
POINT = {"type": "point", "filled": True, "size": 70, "opacity": 1}
STEPS = 60  # parts of the rim


class ReadOff(NamedTuple):
    """The directions that are read off the poses of a toy's views.

    Attributes:
        points: their cosines and sines, [view, 2].
        read: the directions in degrees.
        errors: their differences from the true ones, from -180 to 180 degrees.
    """

    points: np.ndarray
    read: np.ndarray
    errors: np.ndarray


class OnePose(NamedTuple):
    """The direction that is read off one pose, which is none of the views' poses.

    Attributes:
        found: direction that is read off, [1].
        degrees: true direction.
        name: name of the pose, for tips.
        view: index of the nearest view.
    """

    found: ReadOff
    degrees: float
    name: str
    view: int


def ring(
    found: ReadOff,
    degrees: np.ndarray,
    names: list[str],
    pictures: np.ndarray | None = None,
    other: np.ndarray | None = None,
    between: OnePose | None = None,
    edited: OnePose | None = None,
) -> Figure:
    """Draw the directions that are read off poses: a point for each view, whose angle is the direction read off.

    The rim has the true directions. A line joins each point with its true place on the rim. The current view is framed.

    Args:
        found: directions that are read off the poses.
        degrees: true direction of each view.
        names: names of the views, for tips.
        pictures: pairs of the views, uint8 [view, 2, y, x], of which some stand around the rim.
        other: points of another network, as a dashed path.
        between: pose between the views, which is framed instead of the nearest view.
        edited: pose of the view on screen with the user's edits, as a triangle.
    """
    points, true = found.points, _on_circle(degrees)
    table = _table(points, degrees, names) | {
        "rim_x": true[:, 0].astype(np.float32),
        "rim_y": true[:, 1].astype(np.float32),
        "read": found.read.astype(np.float32),
        "error": found.errors.astype(np.float32),
    }
    everything = points if edited is None else np.concatenate([points, edited.found.points])
    ends_of_axes = _ends_of_axes(everything, is_wide(degrees))
    x, y = (_axis(name, ends_of_axes) for name in "xy")
    ends = {"x2": {"field": "rim_x"}, "y2": {"field": "rim_y"}}
    is_now = "datum.view == view" if between is None else f"datum.view == view && view != {between.view + 1}"
    layers = [
        _rim(degrees, x, y),
        _labels(degrees, x, y),
        *([] if pictures is None else [_pictures(pictures, degrees, x, y)]),
        vega.layer(SPOKE, x=x, y=y, **ends),
        *([] if other is None else [_dashed(other, degrees, x, y)]),
        *_path(x, y, degrees, ("read", "error")),
        *_current(x, y, is_now),
        *_true_place(ends_of_axes, is_now),
        *([] if between is None else _between(between, degrees, x, y, ends_of_axes)),
        *([] if edited is None else _edited(edited, between, points, x, y)),
    ]
    return _figure(table, layers, SIDE)


def pose_map(points: np.ndarray, degrees: np.ndarray, names: list[str]) -> Figure:
    """Draw a point for each view in a plane that keeps distances between poses; its axes mean nothing.

    Args:
        points: point of each view, [view, 2].
        degrees: direction of each view.
        names: names of the views, for tips.
    """
    middle = (points.min(0) + points.max(0)) / 2
    reach = 1.15 * float(np.abs(points - middle).max()) or 1.0
    x, y = (_axis(name, [-reach, reach]) for name in "xy")
    layers = [*_path(x, y, degrees), *_current(x, y, "datum.view == view")]
    return _figure(_table(points - middle, degrees, names), layers, MAP_SIDE)


def is_full_turn(degrees: np.ndarray) -> bool:
    """Whether views go all the way round at equal steps, so that the last is next to the first."""
    steps = np.diff([*degrees, degrees[0] + 360])
    return len(degrees) > 2 and bool(np.allclose(steps, steps[0]))


def is_wide(degrees: np.ndarray) -> bool:
    """Whether views span more than a quarter of a turn, as azimuths may and elevations do not."""
    return float(np.max(degrees) - np.min(degrees)) > QUARTER_TURN


def _figure(table: dict[str, Any], layers: list[vega.Spec], side: int) -> Figure:
    """A square figure with a slider over the views."""
    n_views = len(table["view"])
    size = {"width": side, "height": side, **vega.PAD}
    return Figure(pa.table(table), {"params": [view_param(n_views)], **size, "layer": layers})


def _table(points: np.ndarray, degrees: np.ndarray, names: list[str]) -> dict[str, Any]:
    """The columns of both figures: each view's place, and that of the next view on its path."""
    following = np.roll(points, -1, 0) if is_full_turn(degrees) else np.concatenate([points[1:], points[-1:]])
    places = {"x": points[:, 0], "y": points[:, 1], "next_x": following[:, 0], "next_y": following[:, 1]}
    return {
        "view": np.arange(1, len(points) + 1, dtype=np.int16),
        "name": names,
        "degrees": np.asarray(degrees, np.float32),
        **{name: values.astype(np.float32) for name, values in places.items()},
    }


def _ends_of_axes(points: np.ndarray, is_wide: bool) -> list[float]:
    """The ends of both axes: around the whole rim, or around the quarter of it in which elevations lie."""
    reach = 1.1 * float(np.abs(points).max())
    if is_wide:
        return [-max(REACH, reach), max(REACH, reach)]
    return [min(0.0, 1.1 * float(points.min())), max(QUARTER, reach)]


def _axis(field: str, ends: list[float]) -> vega.Spec:
    """An axis that is not drawn; both have the same length."""
    return vega.quantitative(field, axis=None, scale={"domain": ends, "nice": False, "zero": False})


def _path(x: vega.Spec, y: vega.Spec, degrees: np.ndarray, more: tuple[str, ...] = ()) -> list[vega.Spec]:
    """The path through the views, and their points."""
    color = vega.quantitative("degrees", scale=_scale(degrees), legend=None)
    tips = [vega.nominal("name", title="view"), *_tips(more)]
    ends = {"x2": {"field": "next_x"}, "y2": {"field": "next_y"}}
    return [
        vega.layer({"type": "rule", "strokeWidth": 3}, x=x, y=y, color=color, **ends),
        vega.layer(POINT, x=x, y=y, color=color, tooltip=tips),
    ]


def _current(x: vega.Spec, y: vega.Spec, is_now: str) -> list[vega.Spec]:
    """The frame around the current view. is_now: test for the row of that view."""
    frame = {"type": "point", "size": 220, "strokeWidth": 3, "color": PICKED, "opacity": 1}
    return [vega.layer(frame, [vega.keep(is_now)], x=x, y=y)]


def _true_place(ends: list[float], is_now: str) -> list[vega.Spec]:
    """The diamond at the true direction of the current view. ends: of the axes; is_now: test for its row."""
    diamond = {"type": "point", "shape": "diamond", "filled": True, "size": 130, "color": PICKED, "opacity": 1}
    return [vega.layer(diamond, [vega.keep(is_now)], x=_axis("rim_x", ends), y=_axis("rim_y", ends))]


def _between(between: OnePose, degrees: np.ndarray, x: vega.Spec, y: vega.Spec, ends: list[float]) -> list[vega.Spec]:
    """The pose between the views: its point with a frame, its line to its true place, and a diamond there.

    Arguments as in ``ring``; ends: of the axes.
    """
    (place,), (rim,) = between.found.points.round(4), _on_circle(np.array([between.degrees])).round(4)
    row = {"view": between.view + 1, "name": between.name, "degrees": between.degrees}
    row |= {"x": float(place[0]), "y": float(place[1]), "rim_x": float(rim[0]), "rim_y": float(rim[1])}
    row |= {"read": float(between.found.read[0]), "error": float(between.found.errors[0])}
    color = vega.quantitative("degrees", scale=_scale(degrees), legend=None)
    tips = [vega.nominal("name", title="direction"), *_tips(("read", "error"))]
    line, is_now = {"x2": {"field": "rim_x"}, "y2": {"field": "rim_y"}}, "datum.view == view"
    layers = [
        vega.layer(SPOKE, [vega.keep(is_now)], x=x, y=y, **line),
        vega.layer(POINT, [vega.keep(is_now)], x=x, y=y, color=color, tooltip=tips),
        *_current(x, y, is_now),
        *_true_place(ends, is_now),
    ]
    return [{"data": {"values": [row]}} | layer for layer in layers]


def _edited(
    edited: OnePose, between: OnePose | None, points: np.ndarray, x: vega.Spec, y: vega.Spec
) -> list[vega.Spec]:
    """The pose with the user's edits, and a dashed line to it from the pose without. Arguments as in ``ring``."""
    (place,), before = edited.found.points.round(4), points[edited.view] if between is None else between.found.points[0]
    row = {"view": edited.view + 1, "name": edited.name, "x": float(place[0]), "y": float(place[1])}
    row |= dict(zip(("before_x", "before_y"), before.round(4).tolist(), strict=True))
    row |= {"read": float(edited.found.read[0]), "error": float(edited.found.errors[0])}
    tips = [vega.nominal("name", title="pose"), *_tips(("read", "error"))]
    dashes = {"type": "rule", "color": PICKED, "strokeWidth": 2, "strokeDash": [3, 3], "opacity": 1, **vega.SILENT}
    triangle = {"type": "point", "shape": "triangle-up", "filled": True, "size": 160, "color": PICKED, "opacity": 1}
    is_now, line = [vega.keep("datum.view == view")], {"x2": {"field": "before_x"}, "y2": {"field": "before_y"}}
    layers = [vega.layer(dashes, is_now, x=x, y=y, **line), vega.layer(triangle, is_now, x=x, y=y, tooltip=tips)]
    return [{"data": {"values": [row]}} | layer for layer in layers]


def _scale(degrees: np.ndarray) -> vega.Spec:
    """The colours of directions, which go round if the directions do."""
    return {"domain": [0, 360], "range": DIRECTIONS} if is_wide(degrees) else {"domain": _ends(degrees), "range": VIEWS}


def _tips(fields: tuple[str, ...]) -> list[vega.Spec]:
    """The numbers in a tip."""
    return [vega.quantitative(field, title=TIPS[field], format=".0f") for field in fields]


TIPS = {"read": "read off, degrees", "error": "error, degrees"}


def _on_circle(degrees: np.ndarray) -> np.ndarray:
    """The place of each direction on the rim, [n, 2]."""
    return np.stack([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))], 1)


def _ends(degrees: np.ndarray) -> list[float]:
    return [float(np.min(degrees)), float(np.max(degrees))]


def _rim(degrees: np.ndarray, x: vega.Spec, y: vega.Spec) -> vega.Spec:
    """The circle, or the arc between the lowest and the highest direction, on which true directions lie."""
    low, high = (0.0, 360.0) if is_wide(degrees) else _ends(degrees)
    places = _on_circle(np.linspace(low, high, STEPS + 1))
    values = [{"k": k, "x": float(a), "y": float(b)} for k, (a, b) in enumerate(places.round(4))]
    line = {"type": "line", "color": GREY, "strokeWidth": 1, **vega.SILENT}
    return {"data": {"values": values}} | vega.layer(line, x=x, y=y, order=vega.quantitative("k"))


def _labels(degrees: np.ndarray, x: vega.Spec, y: vega.Spec) -> vega.Spec:
    """The degrees of some directions, outside the rim."""
    shown = [0, 90, 180, 270] if is_wide(degrees) else _ends(degrees)
    places = LABELS_AT * _on_circle(np.array(shown, float))
    values = [
        {"label": f"{d:.0f}°", "x": float(a), "y": float(b)} for d, (a, b) in zip(shown, places.round(4), strict=True)
    ]
    text = {"type": "text", "fontSize": NOTE, **vega.SILENT}
    return {"data": {"values": values}} | vega.layer(text, x=x, y=y, text=vega.nominal("label"))


def _pictures(pictures: np.ndarray, degrees: np.ndarray, x: vega.Spec, y: vega.Spec) -> vega.Spec:
    """Small left pictures at about equal directions, outside the labels."""
    is_round = is_full_turn(degrees)
    n, at = (N_PICTURES, PICTURES_AT) if is_wide(degrees) else (N_ON_ARC, ON_ARC_AT)
    chosen = np.unique(np.linspace(0, len(degrees) - (not is_round), n, endpoint=not is_round).round().astype(int))
    places = at * _on_circle(degrees[chosen])
    values = [
        {"url": png(pictures[k, 0]), "x": float(a), "y": float(b)}
        for k, (a, b) in zip(chosen, places.round(4), strict=True)
    ]
    image = {"type": "image", "width": PICTURE, "height": PICTURE, **vega.SILENT}
    return {"data": {"values": values}} | vega.layer(image, x=x, y=y, url=URL)


def _dashed(points: np.ndarray, degrees: np.ndarray, x: vega.Spec, y: vega.Spec) -> vega.Spec:
    """The path of another network."""
    closed = np.concatenate([points, points[:1]]) if is_full_turn(degrees) else points
    values = [{"k": k, "x": float(a), "y": float(b)} for k, (a, b) in enumerate(closed.round(4))]
    line = {"type": "line", "color": GREY, "strokeWidth": 2, "strokeDash": [5, 4]}
    return {"data": {"values": values}} | vega.layer(line, x=x, y=y, order=vega.quantitative("k"))
