"""A toy's poses from all directions as a net around a tube of true directions. Plotly draws it, because it turns."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dashboard.figures.trajectories import AT_ONCE
from dashboard.theme import DIRECTIONS, NOTE, on_any_page

if TYPE_CHECKING:
    import plotly.graph_objects as go

HEIGHT = 440  # pixels
RIM = on_any_page("before")
CAMERA = {"eye": {"x": 1.42, "y": -1.65, "z": 1.14}, "center": {"x": 0, "y": 0, "z": -0.1}}  # in lengths of the box
RIMS, SPOKES = 5, 90  # degrees between parts of a rim, and between the lines of the tube and the numbers of the bar
BELOW = 56  # pixels for the bar of colours
REACH = 1.3  # least end of the axes of cosine and sine
MARGIN = 0.12  # room above and below the elevations, as a share of their range
AXES = ("cosine read off", "sine read off", "elevation read off, degrees")


class Seen(NamedTuple):
    """A view on the surface.

    Attributes:
        point: cosine and sine of the azimuth, and elevation in degrees, that are read off its pose.
        direction: true azimuth and elevation, in degrees.
        name: name of the view, for tips.
        is_trained: whether networks were trained at its elevation; otherwise its point is hollow.
    """

    point: np.ndarray
    direction: tuple[float, float]
    name: str
    is_trained: bool = True


def net(
    points: np.ndarray,
    azimuths: np.ndarray,
    elevations: np.ndarray,
    views: Sequence[Seen],
    other: np.ndarray | None = None,
) -> "go.Figure":
    """Draw the numbers that are read off a toy's poses as a net, with closed lines along the azimuth and lines upwards.

    The grey tube has the true directions. There is one frame per view, with a button that jumps to it: its point, its
    true place, and a line between the two.

    Args:
        points: cosine and sine of the azimuth, and elevation in degrees, of each pose, [elevation, azimuth, 3].
        azimuths, elevations: true directions, in degrees.
        views: views that the scrubber steps through.
        other: points of another network, as a grey net.
    """
    import plotly.graph_objects as go  # large, and only this page needs it

    current = [_current(view, k) for k, view in enumerate(views, 1)]
    others = [] if other is None else [other]
    colour = _colour(azimuths, points.shape[0])
    fixed = [
        _tube(elevations),
        *(_lines(theirs, azimuths, {"color": RIM, "width": 2}) for theirs in others),
        _skin(points, azimuths),
        _lines(points, azimuths, {"width": 4, **colour}),
        _knots(points, azimuths, elevations),
    ]
    figure = go.Figure([*fixed, current[0]])
    figure.frames = [go.Frame(name=str(k), data=[view], traces=[len(fixed)]) for k, view in enumerate(current, 1)]
    buttons = [{"method": "animate", "label": str(k), "args": [[str(k)], AT_ONCE]} for k in range(1, len(views) + 1)]
    everything = [points, *others, *(view.point for view in views)]
    heights = [*elevations, *(view.direction[1] for view in views)]
    layout = {
        "height": HEIGHT,
        "margin": {"l": 0, "r": 0, "t": 0, "b": BELOW, "autoexpand": False},
        "showlegend": False,
    }
    scene = _scene(np.concatenate([places.reshape(-1, 3) for places in everything]), heights, elevations)
    return figure.update_layout(**layout, scene=scene, updatemenus=[{"type": "buttons", "buttons": buttons}])


def _scene(points: np.ndarray, heights: Sequence[float], elevations: np.ndarray) -> dict[str, Any]:
    """The axes around points [n, 3] and around true elevations. Cosine and sine have the same length."""
    reach = max(REACH, 1.05 * float(np.abs(points[:, :2]).max()))
    low, high = (float(end([*points[:, 2], *heights])) for end in (min, max))
    room = MARGIN * (high - low)
    axis = {"showspikes": False, "gridcolor": RIM, "zeroline": False, "tickfont": {"size": NOTE}}
    across = axis | {"range": [-reach, reach], "tickvals": [-1, 0, 1]}
    up = axis | {"range": [low - room, high + room], "tickvals": elevations[::2].tolist()}
    axes = {
        f"{name}axis": one | {"title": {"text": title, "font": {"size": NOTE}}}
        for name, one, title in zip("xyz", (across, across, up), AXES, strict=True)
    }
    return axes | {"aspectmode": "manual", "aspectratio": {"x": 1, "y": 1, "z": 0.8}, "camera": CAMERA}


def _tube(elevations: np.ndarray) -> dict[str, Any]:
    """The true directions: a circle for the lowest, the middle and the highest elevation, and four lines."""
    around, ends = np.arange(0, 360 + RIMS, RIMS), elevations[[0, len(elevations) // 2, -1]]
    rims = [_place(around, np.full(len(around), height)) for height in ends]
    spokes = [_place(np.full(2, azimuth), ends[[0, -1]]) for azimuth in range(0, 360, SPOKES)]
    line = {"mode": "lines", "line": {"color": RIM, "width": 2}, "hoverinfo": "skip"}
    return _axes(_joined([*rims, *spokes])) | line


def _place(azimuths: np.ndarray, elevations: np.ndarray) -> np.ndarray:
    """The true place of each direction, [n, 3]."""
    turned = np.radians(azimuths)
    return np.stack([np.cos(turned), np.sin(turned), elevations], 1)


def _lines(points: np.ndarray, azimuths: np.ndarray, line: dict[str, Any]) -> dict[str, Any]:
    """The net: a closed line for each elevation, and a line for each azimuth."""
    closed = np.concatenate([points, points[:, :1]], 1)
    return _axes(_joined([*closed, *points.swapaxes(0, 1)])) | {"mode": "lines", "line": line, "hoverinfo": "skip"}


def _skin(points: np.ndarray, azimuths: np.ndarray) -> dict[str, Any]:
    """The surface between the lines, pale, in the cyclic colours of azimuths."""
    closed = np.concatenate([points, points[:, :1]], 1).astype(float).round(4)
    no_contours = {axis: {"highlight": False} for axis in "xyz"}
    return {
        "type": "surface",
        **dict(zip("xyz", closed.transpose(2, 0, 1).tolist(), strict=True)),
        "surfacecolor": [[*azimuths.tolist(), 360.0]] * len(points),
        **_scale(),
        "opacity": 0.12,
        "lighting": {"ambient": 1, "diffuse": 0, "specular": 0},
        "contours": no_contours,
        "showscale": False,
        "hoverinfo": "skip",
    }


def _colour(azimuths: np.ndarray, n_elevations: int) -> dict[str, Any]:
    """The cyclic colour of each point of ``_lines``, with that of the gaps between lines."""
    closed = [*azimuths.tolist(), 360.0, 0.0]
    along = [degrees for azimuth in azimuths.tolist() for degrees in [azimuth] * (n_elevations + 1)]
    return {"color": [*closed * n_elevations, *along][:-1], **_scale()}


def _scale() -> dict[str, Any]:
    """The cyclic colours of azimuths."""
    steps = [[k / (len(DIRECTIONS) - 1), colour] for k, colour in enumerate(DIRECTIONS)]
    return {"colorscale": steps, "cmin": 0, "cmax": 360}


def _bar() -> dict[str, Any]:
    """The bar of colours below the net. Words inside the net would lie over it, or over each other."""
    degrees = list(range(0, 361, SPOKES))
    ticks = {"tickvals": degrees, "ticktext": [f"{d}°" for d in degrees], "tickfont": {"size": NOTE}, "thickness": 8}
    title = {"text": "azimuth", "side": "top", "font": {"size": NOTE}}
    place = {"orientation": "h", "len": 0.4, "y": 0, "yanchor": "top", "outlinewidth": 0}
    return {"showscale": True, "colorbar": {**ticks, **place, "title": title}}


def _knots(points: np.ndarray, azimuths: np.ndarray, elevations: np.ndarray) -> dict[str, Any]:
    """A point for each pose, with a tip."""
    read = np.degrees(np.arctan2(points[..., 1], points[..., 0])) % 360
    true = np.broadcast_arrays(azimuths[None], elevations[:, None])
    tip = (
        "azimuth %{customdata[0]:.0f}°, read off as %{customdata[2]:.0f}°<br>"
        "elevation %{customdata[1]:.0f}°, read off as %{customdata[3]:.0f}°<extra></extra>"
    )
    return _axes(points.reshape(-1, 3)) | {
        "mode": "markers",
        "marker": {"size": 2.5, "color": true[0].ravel().tolist(), **_scale(), **_bar()},
        "customdata": np.stack([*true, read, points[..., 2]], -1).reshape(-1, 4).round(1).tolist(),
        "hovertemplate": tip,
    }


def _current(view: Seen, k: int) -> dict[str, Any]:
    """The point of view k, a diamond at its true place, and a line between the two.

    ``meta`` is the number of the view from 1, so that the browser knows the current view.
    """
    picked, true = on_any_page("picked"), _place(*(np.array([d], float) for d in view.direction))
    return _axes(np.concatenate([view.point[None], true])) | {
        "mode": "lines+markers",
        "line": {"width": 8, "color": picked},
        "marker": {
            "size": [16, 9],
            "symbol": ["circle" if view.is_trained else "circle-open", "diamond"],
            "color": picked,
        },
        "hovertext": [f"{view.name}: read off", f"{view.name}: true direction"],
        "hoverinfo": "text",
        "meta": k,
    }


def _joined(lines: Sequence[np.ndarray]) -> np.ndarray:
    """Lines [n, 3], with a gap between each and the next."""
    gap = np.full((1, 3), np.nan)
    return np.concatenate([part for line in lines for part in (line, gap)][:-1])


def _axes(points: np.ndarray) -> dict[str, Any]:
    """The coordinates of points [n, 3] by axis. A gap is None, which JSON knows, unlike NaN."""
    rows = points.astype(float).round(4).T.tolist()
    values = ([None if value != value else value for value in row] for row in rows)
    return {"type": "scatter3d", **dict(zip("xyz", values, strict=True))}
