"""The pose vectors of several toys as they turn together, in a plane."""

import numpy as np
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure, view_param
from dashboard.figures.poses import CLOSED, VECTOR, VIEW, square_axes
from dashboard.theme import TOYS

SIDE = 360  # pixels, side of the plane


def toys_in_plane(points: np.ndarray, toys: list[str], views: list[str]) -> Figure:
    """Draw each toy's pose vectors as lines through the views, and the current view as a closed, bold line.

    Args:
        points: pose vectors in the plane, [toy, view, v, 2].
        toys: names of the toys.
        views: names of the views, for tips.
    """
    toy, view, v = (index.ravel() for index in np.indices(points.shape[:3]))
    x, y = points.reshape(-1, 2).T.astype(np.float32)
    numbers = {"view": (view + 1).astype(np.int16), "v": (v + 1).astype(np.int8), "x": x, "y": y}
    names = {"toy": np.array(toys, dtype=object)[toy], "name": np.array(views, dtype=object)[view]}
    scale = {"domain": toys, "range": TOYS[: len(toys)]}
    legend = vega.legend_of(toys, symbolType="stroke", symbolStrokeWidth=3)
    color = vega.nominal("toy", title=None, scale=scale, legend=legend)
    place, tips = square_axes(points.reshape(-1, *points.shape[2:])), [vega.nominal("toy"), VIEW, VECTOR]
    now, order = vega.keep("datum.view == view"), vega.quantitative("v")
    along_views = {"detail": vega.nominal("v"), "order": vega.quantitative("view")}
    layers = [
        vega.layer({"type": "line", "strokeWidth": 1.5, "opacity": 0.6}, **place, **along_views, color=color),
        vega.layer({"type": "point", "size": 16, "opacity": 1}, **place, color=color, tooltip=tips),
        vega.layer({**CLOSED, "strokeWidth": 4}, [now], **place, order=order, color=color, tooltip=tips),
    ]
    size = {"width": SIDE, "height": SIDE, **vega.PAD}
    return Figure(pa.table(numbers | names), {"params": [view_param(points.shape[1])], **size, "layer": layers})
