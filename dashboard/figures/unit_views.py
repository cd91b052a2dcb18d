"""Pictures of a part over views of toys: its score by direction, and what its pose follows."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure
from dashboard.figures.heatmap import Axis, Colour, heatmap
from dashboard.theme import GREY, GRID, PICKED, class_colors

ROW = 24  # pixels of a row
HEIGHT = 200
SMALL = 24  # pixels, least width of a cell
DOTS = [20, 350]  # pixels, areas of dots
ACROSS = {"labelAngle": 0, "grid": True, **vega.ALL_LABELS}
MEAN = "all toys"


def score(mean: np.ndarray, elevations: Sequence[int], azimuths: Sequence[int]) -> Figure:
    """Draw the mean score of a part by direction, the highest elevation on top.

    Args:
        mean: mean score, [elevation, azimuth].
        elevations, azimuths: degrees.
    """
    columns = Axis(
        "azimuth", [f"{degrees}°" for degrees in azimuths], "azimuth", [f"{degrees}" for degrees in azimuths]
    )
    names = [f"{degrees}°" for degrees in elevations[::-1]]
    low, high = float(np.floor(mean.min())), float(np.ceil(mean.max()))
    title = ["mean score a", "(over toys and lights)"]
    colour = Colour("mean score", title, (low, high if high > low else low + 1))
    return heatmap(
        mean[::-1].T[None], columns, Axis("elevation", names, "elevation", names), colour, cell=SMALL, row=ROW
    )


def followed(share: np.ndarray, follows: np.ndarray, factors: Sequence[str]) -> Figure:
    """Draw the share of each component's variance that each factor explains as a dot, if it is more than chance.

    Args:
        share: shares, [factor, component].
        follows: whether each is more than chance.
        factors: names of the factors.
    """
    factor, h = (index[follows.ravel()] for index in vega.indices(share))
    values = share.ravel()[follows.ravel()].astype(np.float32)
    data = pa.table({"component": h + 1, "factor": np.array(factors, dtype=object)[factor], "share": values})
    numbers = list(range(1, share.shape[1] + 1))
    size = vega.quantitative(
        "share",
        title="share explained",
        scale={"domain": [0, max(0.1, float(values.max(initial=0)))], "range": DOTS},
        legend={"orient": "top", "format": ".0%", "tickCount": 4, "symbolFillColor": GREY, "symbolStrokeWidth": 0},
    )
    tips = [
        vega.ordinal("component"),
        vega.nominal("factor"),
        vega.quantitative("share", title="share of its variance", format=".1%"),
    ]
    dots = vega.layer(
        {"type": "circle", "color": GREY, "opacity": 1},
        x=vega.ordinal("component", title="component of the pose", scale={"domain": numbers}, axis=ACROSS),
        y=vega.nominal("factor", title=None, scale={"domain": list(factors)}, axis={"grid": True}),
        size=size,
        tooltip=tips,
    )
    return Figure(data, {"params": [], **vega.AS_WIDE_AS_ITS_COLUMN, "height": {"step": ROW}, **dots})


def curves(by_class: np.ndarray, azimuths: Sequence[int], classes: Sequence[str]) -> Figure:
    """Draw the mean of a component over the azimuth: faint for the toys of each class, bold for all toys.

    Args:
        by_class: standard deviations from a toy's mean, [class, azimuth].
        azimuths: degrees.
        classes: names of the classes.
    """
    values = np.concatenate([by_class, by_class.mean(0, keepdims=True)]).astype(np.float32)
    names = [*classes, MEAN]
    k, at = vega.indices(values)
    data = pa.table({"who": np.array(names)[k], "azimuth": np.asarray(azimuths)[at], "value": values.ravel()})
    scale = {"domain": names, "range": [*class_colors(classes), PICKED]}
    legend = vega.legend_of(names, symbolType="stroke", symbolStrokeWidth=3)
    ends = {"domain": [int(azimuths[0]), int(azimuths[-1])], "nice": False}
    is_mean = f"datum.who == '{MEAN}'"
    place = {
        "x": vega.quantitative("azimuth", scale=ends, axis={"grid": False, "values": list(azimuths[::3])}),
        "y": vega.quantitative("value", title="deviations from a toy's mean"),
        "color": vega.nominal("who", title=None, scale=scale, legend=legend),
        "tooltip": [
            vega.nominal("who", title="toys"),
            vega.quantitative("azimuth"),
            vega.quantitative("value", title="deviations", format=".2f"),
        ],
    }
    layers = [
        vega.layer({"type": "line", "strokeWidth": 1.5, "opacity": 0.7}, [vega.keep(f"!({is_mean})")], **place),
        vega.layer({"type": "line", "strokeWidth": 3.5}, [vega.keep(is_mean)], **place),
    ]
    room = {"padding": {"left": 0, "top": GRID, "bottom": 0, "right": GRID}}
    return Figure(data, {"params": [], **vega.AS_WIDE_AS_ITS_COLUMN, "height": HEIGHT, **room, "layer": layers})
