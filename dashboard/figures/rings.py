"""One point for each view of a toy, on a path in the colours of its directions."""

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure, view_param
from dashboard.figures.rim import dashed_path, ends_of, is_full_turn, is_wide, labels, on_circle, pictures_around, rim
from dashboard.theme import DIRECTIONS, GREY, PICKED, VIEWS

SIDE, SMALL, MAP_SIDE = 260, 215, 185  # pixels, sides of a ring, of one of three rings, and of a map
REACH, BARE_REACH = 1.82, 1.35  # ends of the axes around the whole rim, with pictures around it and without
QUARTER = 1.5  # the same around a quarter of the rim
SPOKE = {"type": "rule", "color": GREY, "opacity": 0.5, "strokeWidth": 1}
POINT = {"type": "point", "filled": True, "size": 70, "opacity": 1}


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
    side: int = SIDE,
    reach: float = 0,
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
        side: side of the figure, in pixels.
        reach: smallest end of the axes, with which several rings have one scale.
    """
    points, true = found.points, on_circle(degrees)
    table = _table(points, degrees, names) | {
        "rim_x": true[:, 0].astype(np.float32),
        "rim_y": true[:, 1].astype(np.float32),
        "read": found.read.astype(np.float32),
        "error": found.errors.astype(np.float32),
    }
    everything = points if edited is None else np.concatenate([points, edited.found.points])
    ends_of_axes = _ends_of_axes(everything, is_wide(degrees), max(reach, BARE_REACH if pictures is None else REACH))
    x, y = (_axis(name, ends_of_axes) for name in "xy")
    ends = {"x2": {"field": "rim_x"}, "y2": {"field": "rim_y"}}
    is_now = "datum.view == view" if between is None else f"datum.view == view && view != {between.view + 1}"
    layers = [
        rim(degrees, x, y),
        labels(degrees, x, y),
        *([] if pictures is None else [pictures_around(pictures, degrees, x, y)]),
        vega.layer(SPOKE, x=x, y=y, **ends),
        *([] if other is None else [dashed_path(other, degrees, x, y)]),
        *_path(x, y, degrees, ("read", "error")),
        *_current(x, y, is_now),
        *_true_place(ends_of_axes, is_now),
        *([] if between is None else _between(between, degrees, x, y, ends_of_axes)),
        *([] if edited is None else _edited(edited, between, points, x, y)),
    ]
    return _figure(table, layers, side)


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


def _ends_of_axes(points: np.ndarray, is_wide: bool, least: float) -> list[float]:
    """The ends of both axes: around the whole rim, or around the quarter of it in which elevations lie.

    Args:
        points: points in the figure.
        is_wide: whether directions lie around the whole rim.
        least: smallest end of the axes around the whole rim.
    """
    reach = 1.1 * float(np.abs(points).max())
    if is_wide:
        return [-max(least, reach), max(least, reach)]
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
    (place,), (true,) = between.found.points.round(4), on_circle(np.array([between.degrees])).round(4)
    row = {"view": between.view + 1, "name": between.name, "degrees": between.degrees}
    row |= {"x": float(place[0]), "y": float(place[1]), "rim_x": float(true[0]), "rim_y": float(true[1])}
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
    return (
        {"domain": [0, 360], "range": DIRECTIONS} if is_wide(degrees) else {"domain": ends_of(degrees), "range": VIEWS}
    )


def _tips(fields: tuple[str, ...]) -> list[vega.Spec]:
    """The numbers in a tip."""
    return [vega.quantitative(field, title=TIPS[field], format=".0f") for field in fields]


TIPS = {"read": "read off, degrees", "error": "error, degrees"}
