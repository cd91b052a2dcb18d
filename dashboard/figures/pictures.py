"""Pictures of a toy, and values at their places in one."""

import base64
from io import BytesIO

import numpy as np
import pandas as pd
import pyarrow as pa
from PIL import Image

from dashboard.figures.figure import Figure, iteration_param, view_param
from dashboard.shared.theme import FRAME, SHARES, SIGNED

WIDTH = 384  # pixels, about, of a picture with values over it
THUMB = 64  # pixels, width of a picture in a strip


def over_picture(
    picture: np.ndarray,
    values: np.ndarray,
    symbol: str,
    title: list[str],
    first: int,
    step: int,
    signed: bool = False,
) -> Figure:
    """The picture, and over each location a square with its value; the larger the value, the less picture is left.

    Args:
        picture: uint8 [y, x], grey.
        values: [t, row, column], location (r, c) at the middle of pixel (first + step r, first + step c).
        symbol: of a value, as hover calls it.
        title: of the colours, a line each. They go from 0 to the largest value of all iterations or, where the
            values are signed, as far to both sides of 0.
    """
    n_iters, height, width = len(values), *picture.shape
    zoom = max(1, round(WIDTH / width))
    t, r, c = (index.ravel() for index in np.indices(values.shape))
    small = {"t": (t + 1).astype(np.int8), "r": r.astype(np.int16), "c": c.astype(np.int16)}
    data = pa.table(small | {"value": values.ravel().astype(np.float32)})
    most = float(np.abs(values).max(initial=0)) or 1.0
    sides, places = _squares(first, step, height, width)
    color = {
        "field": "value",
        "type": "quantitative",
        "title": title,
        "scale": {"domain": [-most if signed else 0, most], "range": SIGNED if signed else SHARES},
        "legend": {"orient": "top", "gradientLength": 240, "titleLimit": 600, "tickCount": 5, "type": "gradient"},
    }
    tooltip = [
        {"field": "y0", "type": "quantitative", "title": "pixel row"},
        {"field": "x0", "type": "quantitative", "title": "pixel column"},
        {"field": "t", "type": "quantitative", "title": "iteration"},
        {"field": "value", "type": "quantitative", "title": symbol, "format": ".4f"},
    ]
    opacity = {"field": "opacity", "type": "quantitative", "scale": None}
    shown = {"type": "image", "width": width * zoom, "height": height * zoom, "smooth": False}
    layers = [
        {
            "data": {"values": [{"url": png(picture)}]},
            "mark": {**shown, "x": width * zoom / 2, "y": height * zoom / 2},
            "encoding": {"url": {"field": "url", "type": "nominal"}},
        },
        {
            "transform": [
                {"filter": "datum.t == iteration"},
                *places,
                {"calculate": f"0.1 + 0.65 * abs(datum.value) / {most}", "as": "opacity"},
            ],
            "mark": {"type": "rect", "stroke": None},
            "encoding": {**sides, "color": color, "opacity": opacity, "tooltip": tooltip},
        },
    ]
    size = {"width": width * zoom, "height": height * zoom, "autosize": {"type": "pad"}}
    return Figure(data, {"params": [iteration_param(n_iters)], **size, "layer": layers})


def _squares(first: int, step: int, height: int, width: int) -> tuple[dict[str, dict], list[dict]]:
    """Where location (r, c) is, in pixels of a picture, and what works that out; pixel k reaches from k to k + 1."""
    sides, places = {}, []
    for side, index, bounds in (("x", "c", [0, width]), ("y", "r", [height, 0])):
        scale = {"domain": bounds, "nice": False, "zero": False}
        sides[side] = {"field": f"{side}1", "type": "quantitative", "axis": None, "scale": scale}
        sides[f"{side}2"] = {"field": f"{side}2"}
        places += [
            {"calculate": f"{first} + {step} * datum.{index}", "as": f"{side}0"},
            {"calculate": f"datum.{side}0 + {(1 - step) / 2}", "as": f"{side}1"},
            {"calculate": f"datum.{side}0 + {(1 + step) / 2}", "as": f"{side}2"},
        ]
    return sides, places


def location_table(values: dict[str, np.ndarray], first: int, step: int) -> pd.DataFrame:
    """One row an iteration and location, with its middle in pixels. values: [t, row, column] each, by name."""
    t, r, c = (index.ravel() for index in np.indices(next(iter(values.values())).shape))
    numbers = {name: array.ravel() for name, array in values.items()}
    return pd.DataFrame(
        {"iteration": t + 1, "pixel row": first + step * r, "pixel column": first + step * c, **numbers}
    )


def strip(pictures: np.ndarray, names: list[str], labels: list[str] | None = None) -> Figure:
    """The views side by side, the left eye's above the right eye's, the current one in a frame.

    Args:
        pictures: uint8 [view, 2, y, x], grey.
        names: of the views, as hover shows them.
        labels: as the axis shows them.
    """
    n_views, _, height, width = pictures.shape
    urls = [png(both.reshape(2 * height, width)) for both in pictures]
    data = pa.table({"view": np.arange(1, n_views + 1, dtype=np.int16), "name": names, "url": urls})
    tall = round(2 * height * THUMB / width)
    x = {
        "field": "view",
        "type": "ordinal",
        "title": None,
        "scale": {"paddingInner": 0.06, "paddingOuter": 0.06},
        "axis": {
            "labelExpr": "view_labels[datum.value - 1]",
            "labelAngle": 0,
            "ticks": False,
            "domain": False,
            "labelOverlap": False,
        },
    }
    across = {"type": "image", "width": THUMB, "height": tall, "y": tall / 2}
    layers = [
        {
            "mark": across,
            "encoding": {
                "x": x,
                "url": {"field": "url", "type": "nominal"},
                "tooltip": {"field": "name", "type": "nominal", "title": "view"},
            },
        },
        {
            "transform": [{"filter": "datum.view == view"}],
            "mark": {"type": "rect", "fill": None, "stroke": FRAME, "strokeWidth": 4},
            "encoding": {"x": x},
        },
    ]
    params = [view_param(n_views), {"name": "view_labels", "value": labels or names}]
    size = {"width": {"step": THUMB + 4}, "height": tall, "autosize": {"type": "pad"}}
    return Figure(data, {"params": params, **size, "layer": layers})


def png(picture: np.ndarray) -> str:
    """A grey picture, uint8 [y, x], as the address of itself."""
    written = BytesIO()
    Image.fromarray(picture).save(written, "PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(written.getvalue()).decode()}"
