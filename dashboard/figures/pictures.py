"""Pictures of a toy, with values drawn at places of a picture."""

import base64
from functools import lru_cache
from io import BytesIO
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from PIL import Image

from dashboard.figures import vega
from dashboard.figures.figure import Figure, iteration_param, view_param
from dashboard.theme import PICKED, SHARES, SIGNED

WIDTH = 336  # pixels, approximate width of a picture with values over it
ON_PAGE = 200  # pixels, approximate width on a page, which must fit a laptop's screen
LEGEND = 130  # pixels, length of the colour bar next to its title
TIGHT = {**vega.PAD, "padding": dict.fromkeys(("left", "top", "right", "bottom"), 2)}  # pixels, for frames
URL = vega.nominal("url")
THUMB = 56  # pixels, width of a small picture in a strip


def over_picture(
    picture: np.ndarray | None,
    values: np.ndarray,
    symbol: str,
    title: str,
    first: int,
    step: int,
    signed: bool = False,
    target_width: int = WIDTH,
    largest: float | None = None,
) -> Figure:
    """Draw a picture, with a square at each location that hides more of it the larger the value is.

    Args:
        picture: grey picture, uint8 [y, x]; None for the squares only.
        values: values [t, row, column]; location (r, c) is at the middle of pixel (first + step r, first + step c).
        symbol: name of a value in tips.
        title: title of the colours.
        first, step: pixel of the first location, and pixels between two locations.
        signed: whether the scale is centred on 0; otherwise it begins at 0.
        target_width: approximate width of the figure in pixels; pictures are enlarged by a multiple of a half.
        largest: end of the scale; the largest value of all iterations if None.
    """
    n_iters, n_rows, n_columns = values.shape
    height, width = (2 * first + step * (n - 1) + 1 for n in (n_rows, n_columns))
    if picture is not None:
        height, width = picture.shape
    zoom = max(1, round(2 * target_width / width) / 2)
    t, r, c = vega.indices(values)
    numbers = {"t": (t + 1).astype(np.int8), "r": r.astype(np.int16), "c": c.astype(np.int16)}
    data = pa.table(numbers | {"value": values.ravel().astype(np.float32)})
    largest = largest or float(np.abs(values).max(initial=0)) or 1.0
    sides, places = _squares(first, step, height, width)
    scale = vega.shades(-largest if signed else 0, largest, SIGNED if signed else SHARES)
    legend = vega.one_line(min(LEGEND, round(width * zoom / 3)), tickCount=3, type="gradient", offset=6)
    color = vega.quantitative("value", title=title, scale=scale, legend=legend)
    tips = [
        vega.quantitative("y0", title="pixel row"),
        vega.quantitative("x0", title="pixel column"),
        vega.quantitative("t", title="iteration"),
        vega.quantitative("value", title=symbol, format=".4f"),
    ]
    opacity = vega.quantitative("opacity", scale=None)
    size = {"width": width * zoom, "height": height * zoom}
    image = {"type": "image", **size, "smooth": False, "x": width * zoom / 2, "y": height * zoom / 2}
    shown = [
        vega.keep("datum.t == iteration"),
        *places,
        vega.calculate(f"0.1 + 0.65 * abs(datum.value) / {largest}", "opacity"),
    ]
    layers = [
        *([] if picture is None else [{"data": {"values": [{"url": png(picture)}]}, **vega.layer(image, url=URL)}]),
        vega.layer({"type": "rect", "stroke": None}, shown, **sides, color=color, opacity=opacity, tooltip=tips),
    ]
    return Figure(data, {"params": [iteration_param(n_iters)], **size, **TIGHT, "layer": layers})


def part_over_picture(
    picture: np.ndarray | None, taken: np.ndarray, centres: dict[str, int], part: int, largest: float | None = None
) -> Figure:
    """Draw the data that a part takes from every place of the picture.

    Args:
        picture: as in ``over_picture``.
        taken: D_use [t, row, column, j], summed over the inputs of a place.
        centres: "first" and "step" of the places, in pixels.
        part: index j of the part.
        largest: as in ``over_picture``.
    """
    title = f"D_use of part {part + 1}"
    places = centres["first"], centres["step"]
    return over_picture(picture, taken[..., part], "D_use", title, *places, target_width=ON_PAGE, largest=largest)


def class_over_picture(
    picture: np.ndarray | None,
    credit: np.ndarray,
    centres: dict[str, int],
    classes: list[str],
    k: int,
    largest: float | None = None,
) -> Figure:
    """Draw the credit of every place of the picture for class k.

    Args:
        picture: as in ``over_picture``.
        credit: credit [t, row, column, k], summed over the inputs of a place.
        centres: "first" and "step" of the places, in pixels.
        classes: names of the classes.
        k: index of the class.
        largest: as in ``over_picture``.
    """
    title = f"credit for {classes[k]}"
    places = centres["first"], centres["step"]
    return over_picture(
        picture, credit[..., k], "credit", title, *places, signed=True, target_width=ON_PAGE, largest=largest
    )


def _squares(first: int, step: int, height: int, width: int) -> tuple[dict[str, dict], list[dict]]:
    """The encoding of location (r, c) in pixels of a picture, and its transform; pixel k goes from k to k + 1."""
    sides, places = {}, []
    for side, index, bounds in (("x", "c", [0, width]), ("y", "r", [height, 0])):
        scale = {"domain": bounds, "nice": False, "zero": False}
        sides[side] = vega.quantitative(f"{side}1", axis=None, scale=scale)
        sides[f"{side}2"] = {"field": f"{side}2"}
        places += [
            vega.calculate(f"{first} + {step} * datum.{index}", f"{side}0"),
            vega.calculate(f"datum.{side}0 + {(1 - step) / 2}", f"{side}1"),
            vega.calculate(f"datum.{side}0 + {(1 + step) / 2}", f"{side}2"),
        ]
    return sides, places


def location_table(values: dict[str, np.ndarray], first: int, step: int) -> pd.DataFrame:
    """One row per iteration and location, with its middle in pixels. values: arrays [t, row, column] by name."""
    t, r, c = vega.indices(next(iter(values.values())))
    numbers = {name: array.ravel() for name, array in values.items()}
    return pd.DataFrame(
        {"iteration": t + 1, "pixel row": first + step * r, "pixel column": first + step * c, **numbers}
    )


def strip(pictures: np.ndarray, names: list[str], labels: list[str] | None = None) -> Figure:
    """Draw the views side by side, the left eye's above the right eye's, with a frame around the current one.

    Args:
        pictures: grey pictures, uint8 [view, 2, y, x].
        names: names of the views, for tips.
        labels: labels of the views on the axis.
    """
    n_views, _, height, width = pictures.shape
    urls = [png(both.reshape(2 * height, width)) for both in pictures]
    data = pa.table({"view": np.arange(1, n_views + 1, dtype=np.int16), "name": names, "url": urls})
    tall = round(2 * height * THUMB / width)
    axis = {"labelExpr": "view_labels[datum.value - 1]", "labelAngle": 0, **vega.ALL_LABELS}
    x = vega.ordinal("view", title=None, scale={"paddingInner": 0.06, "paddingOuter": 0.06}, axis=axis)
    image = {"type": "image", "width": THUMB, "height": tall, "y": tall / 2}
    frame = {"type": "rect", "fill": None, "stroke": PICKED, "strokeWidth": 4}
    layers = [
        vega.layer(image, x=x, url=URL, tooltip=vega.nominal("name", title="view")),
        vega.layer(frame, [vega.keep("datum.view == view")], x=x),
    ]
    params = [view_param(n_views), {"name": "view_labels", "value": labels or names}]
    size = {"width": {"step": THUMB + 4}, "height": tall, **TIGHT}
    return Figure(data, {"params": params, **size, "layer": layers})


def png(picture: np.ndarray) -> str:
    """A grey picture, uint8 [y, x], as a data URL."""
    return _data_url(picture, "png", optimize=True)


def webp(picture: np.ndarray) -> str:
    """A grey picture as a data URL of a fifth of the size, with small errors: for a look while a slider moves."""
    return _data_url(picture, "webp", quality=70)


def _data_url(picture: np.ndarray, kind: str, **options: Any) -> str:
    return _encoded(np.ascontiguousarray(picture).tobytes(), picture.shape, kind, tuple(options.items()))


@lru_cache(maxsize=1024)
def _encoded(pixels: bytes, shape: tuple[int, ...], kind: str, options: tuple[tuple[str, Any], ...]) -> str:
    content = BytesIO()
    Image.fromarray(np.frombuffer(pixels, np.uint8).reshape(shape)).save(content, kind, **dict(options))
    return f"data:image/{kind};base64,{base64.b64encode(content.getvalue()).decode()}"
