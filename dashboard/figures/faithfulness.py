"""Curves of an answer's probability as words are deleted or given in the order of each ranking."""

import numpy as np
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure
from dashboard.theme import GREY, RANKINGS

HEIGHT = 280  # pixels, including legend and axis
BAND = (5, 95)  # percentiles of random orders


def curves_against_random(
    counts: np.ndarray, curves: dict[str, np.ndarray], random: np.ndarray, x_title: str, y_title: str
) -> Figure:
    """Draw one line per ranking, and a band for random orders.

    Args:
        counts: numbers of words along the horizontal axis, [c].
        curves: probabilities [c] by a key of ``RANKINGS``; the first ranks by the picture, and its line is the widest.
        random: probabilities of random orders, [draw, c].
        x_title: title of the horizontal axis.
        y_title: title of the vertical axis.
    """
    low, high = np.percentile(random, BAND, axis=0)
    rows = [
        {"words": int(x), "p": float(y), "ranking": ranking, "low": None, "high": None}
        for ranking, p in curves.items()
        for x, y in zip(counts, p, strict=True)
    ]
    rows += [
        {"words": int(x), "p": None, "ranking": "random", "low": float(a), "high": float(b)}
        for x, a, b in zip(counts, low, high, strict=True)
    ]
    # In a narrow column the title is nearly as wide as the chart. From the end, it has the room of the labels as well.
    axis = {"grid": False, "tickMinStep": 1, "titleAnchor": "end"}
    x = vega.quantitative("words", title=x_title, axis=axis)
    highest = min(1.0, 1.1 * max(float(p.max()) for p in (*curves.values(), high)))
    y = {"scale": {"domain": [0, highest]}, "title": y_title}
    names = list(curves)
    colours = {"domain": names, "range": [RANKINGS[name] for name in names]}
    color = vega.nominal("ranking", title=None, scale=colours, legend=vega.legend_of(names))
    width = vega.where(f"datum.ranking === {names[0]!r}", 3, 1.5)
    tips = [vega.nominal("ranking"), vega.quantitative("words", title=x_title), vega.quantitative("p", format=".3f")]
    band = {"type": "area", "color": GREY, "opacity": 0.3}
    layers = [
        vega.layer(band, [vega.keep("datum.low !== null")], x=x, y=vega.quantitative("low", **y), y2={"field": "high"}),
        vega.layer(
            {"type": "line", "point": True},
            [vega.keep("datum.p !== null")],
            x=x,
            y=vega.quantitative("p", **y),
            color=color,
            strokeWidth=width,
            tooltip=tips,
        ),
    ]
    return Figure(pa.Table.from_pylist(rows), {"params": [], "height": HEIGHT, "layer": layers})
