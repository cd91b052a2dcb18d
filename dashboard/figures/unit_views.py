"""Pictures of a part over views of toys: its activation by direction, and what its pose follows."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure
from dashboard.figures.heatmap import Axis, Colour, heatmap
from dashboard.theme import GRID, PICKED, class_colors

ROW = 24  # pixels of a row
HEIGHT = 200
SMALL = 24  # pixels, least width of a cell
MEAN = "all toys"


def activation(mean: np.ndarray, elevations: Sequence[int], azimuths: Sequence[int]) -> Figure:
    """Draw the mean activation of a part by direction, the highest elevation on top.

    Args:
        mean: mean activation from 0 to 1, [elevation, azimuth].
        elevations, azimuths: degrees.
    """
    columns = Axis(
        "azimuth", [f"{degrees}°" for degrees in azimuths], "azimuth", [f"{degrees}" for degrees in azimuths]
    )
    names = [f"{degrees}°" for degrees in elevations[::-1]]
    rows = Axis("elevation", names, "elevation", names)
    colour = Colour("mean activation", ["mean activation", "(f(a), over toys and lights)"]).up_to(float(mean.max()))
    return heatmap(mean[::-1].T[None], columns, rows, colour, cell=SMALL, row=ROW)


def followed(share: np.ndarray, follows: np.ndarray, factors: Sequence[str]) -> Figure:
    """Draw the share of each component's variance that each factor explains; empty if that is no more than chance.

    Args:
        share: shares, [factor, component].
        follows: whether each is more than chance.
        factors: names of the factors.
    """
    numbers = [str(h + 1) for h in range(share.shape[1])]
    values = np.where(follows, share.astype(float), np.nan).T[None]
    note = "(of its variance within toys that were left out)"
    colour = Colour("share explained", ["explained share of a component", note])
    if follows.any():
        colour = colour.up_to(float(np.nanmax(values)))
    columns = Axis("component", numbers, "component of the pose", numbers)
    return heatmap(values, columns, Axis("factor", [*factors], None, [*factors]), colour, cell=SMALL, row=ROW)


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
