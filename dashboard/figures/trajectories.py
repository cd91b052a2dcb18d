"""Pose vectors in space as a toy turns. Plotly draws them, because Vega has no three dimensions."""

from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from dashboard.theme import LABEL, TOYS, VIEWS, on_any_page

if TYPE_CHECKING:
    import plotly.graph_objects as go

HEIGHT = 290  # pixels
AT_ONCE = {"mode": "immediate", "frame": {"duration": 0, "redraw": True}, "transition": {"duration": 0}}
GRID = on_any_page("before")
EYE = {"x": 0.8, "y": 0.8, "z": 0.5}  # first position of the camera, in lengths of the box


def trajectories_in_space(
    points: np.ndarray, names: list[str], degrees: np.ndarray | None = None, title: str = "view"
) -> "go.Figure":
    """Draw each pose vector as a line through all views, and the current view as a closed, bold line.

    There is one frame per view, with a button that jumps to it. Units have the same length in every direction.

    Args:
        points: pose vectors in space, [view, v, 3].
        names: names of the views, for tips. They are escaped.
        degrees: value of each view that the colour shows, [view]; the view's number if None.
        title: title of the colours.
    """
    import plotly.graph_objects as go  # large, and only this page needs it

    n_views, n_vectors, _ = points.shape
    shade = np.arange(1, n_views + 1) if degrees is None else np.asarray(degrees)
    escaped = [escape(name) for name in names]
    lines = [_line(points[:, v], v, escaped, shade, title if v == 0 else None) for v in range(n_vectors)]
    views = [_view(points[k], k, escaped[k], on_any_page("picked"), numbered=True) for k in range(n_views)]
    figure = go.Figure([go.Scatter3d(line) for line in (*lines, views[0])])
    figure.frames = [
        go.Frame(name=str(k), data=[go.Scatter3d(view)], traces=[n_vectors]) for k, view in enumerate(views, 1)
    ]
    scene = _scene(points)
    # Room for the colour bar at the right, and none for the buttons.
    margin = {"l": 0, "r": 85, "t": 0, "b": 0, "autoexpand": False}
    buttons = [{"method": "animate", "label": str(k), "args": [[str(k)], AT_ONCE]} for k in range(1, n_views + 1)]
    layout = {"height": HEIGHT, "margin": margin, "scene": scene, "showlegend": False}
    return figure.update_layout(**layout, updatemenus=[{"type": "buttons", "buttons": buttons}])


def toys_in_space(points: np.ndarray, toys: list[str], views: list[str]) -> "go.Figure":
    """Draw each toy's pose vectors as lines through the views, and the current view as a closed line per toy.

    There is one frame per view, with a button that jumps to it.

    Args:
        points: pose vectors in space, [toy, view, v, 3].
        toys, views: names, for tips. They are escaped.
    """
    import plotly.graph_objects as go  # large, and only this page needs it

    n_toys, n_views, n_vectors, _ = points.shape
    toys, views = [escape(name) for name in toys], [escape(name) for name in views]
    lines = [
        go.Scatter3d(
            _path(points[toy, :, v], v, [f"{toys[toy]}<br>{view}" for view in views], {"color": TOYS[toy]})
            | {"name": toys[toy], "legendgroup": toys[toy], "showlegend": v == 0}
        )
        for toy in range(n_toys)
        for v in range(n_vectors)
    ]
    current = [
        [
            go.Scatter3d(_view(points[toy, view], view, f"{toys[toy]}, {views[view]}", TOYS[toy]))
            for toy in range(n_toys)
        ]
        for view in range(n_views)
    ]
    figure = go.Figure([*lines, *current[0]])
    places = list(range(len(lines), len(lines) + n_toys))
    figure.frames = [go.Frame(name=str(k), data=data, traces=places) for k, data in enumerate(current, 1)]
    buttons = [{"method": "animate", "label": str(k), "args": [[str(k)], AT_ONCE]} for k in range(1, n_views + 1)]
    height = HEIGHT + 70  # with the legend
    layout = {"height": height, "margin": {"l": 0, "r": 0, "t": 0, "b": 0, "autoexpand": False}}
    legend = {"orientation": "h", "yanchor": "bottom", "y": 0, "x": 0}
    menus = [{"type": "buttons", "buttons": buttons}]
    return figure.update_layout(
        **layout, scene=_scene(points.reshape(-1, *points.shape[2:])), legend=legend, updatemenus=menus
    )


def _scene(points: np.ndarray) -> dict[str, Any]:
    """The axes around the points [view, v, 3], without numbers. The longest side has length 1."""
    low, high = points.min((0, 1)), points.max((0, 1))
    longest = float((high - low).max()) or 1.0
    sides = np.maximum(high - low, longest / 5) * 1.1
    axis = {
        "title": "",
        "showticklabels": False,
        "showspikes": False,
        "gridcolor": GRID,
        "zeroline": False,
    }
    axes = {
        f"{name}axis": axis | {"range": [middle - side / 2, middle + side / 2]}
        for name, middle, side in zip("xyz", ((low + high) / 2).tolist(), sides.tolist(), strict=True)
    }
    ratio = dict(zip("xyz", (sides / sides.max()).tolist(), strict=True))
    return axes | {"aspectmode": "manual", "aspectratio": ratio, "camera": {"eye": EYE}}


def _line(points: np.ndarray, v: int, names: list[str], shade: np.ndarray, title: str | None) -> dict[str, Any]:
    """The line of one pose vector through the views, with a colour bar if there is a title."""
    colour = {
        "color": shade.tolist(),
        "colorscale": [[k / (len(VIEWS) - 1), hex] for k, hex in enumerate(VIEWS)],
        "cmin": float(shade.min()),
        "cmax": float(shade.max()),
    }
    bar = {"title": {"text": title, "side": "right"}, "thickness": 10, "len": 0.7, "nticks": 6}
    line = _path(points, v, names, colour)
    if title:
        line["marker"] |= {"showscale": True, "colorbar": bar}
    return line


def _path(points: np.ndarray, v: int, names: list[str], colour: dict[str, Any]) -> dict[str, Any]:
    """A line through the positions of pose vector v, with the names of the views for tips."""
    return {
        **_places(points),
        "mode": "lines+markers",
        "line": {"width": 4, **colour},
        "marker": {"size": 4, **colour},
        "text": names,
        "hovertemplate": f"%{{text}}<br>pose vector {v + 1}<extra></extra>",
    }


def _view(points: np.ndarray, k: int, name: str, colour: str, numbered: bool = False) -> dict[str, Any]:
    """The pose vectors of view k [v, 3], joined in their order.

    Its ``meta`` is the number of the view from 1, so that the browser knows the current view.
    """
    numbers = [str(v + 1) for v in range(len(points))]
    return {
        **_places(np.concatenate([points, points[:1]])),
        "mode": "lines+markers+text" if numbered else "lines+markers",
        "line": {"width": 6, "color": colour},
        "marker": {"size": 5, "color": colour},
        "text": [*numbers, ""],
        "textposition": "top center",
        "textfont": {"size": LABEL, "color": colour},
        "customdata": [*numbers, numbers[0]],
        "hovertemplate": f"{name.replace('%', '&#37;')}<br>pose vector %{{customdata}}<extra></extra>",
        "meta": k + 1,
        "showlegend": False,
    }


def _places(points: np.ndarray) -> dict[str, list[float]]:
    """The coordinates of points [n, 3], by axis."""
    return dict(zip("xyz", points.T.astype(float).round(5).tolist(), strict=True))
