"""Figures of many texts: a confusion matrix, and a histogram of certainties."""

import numpy as np
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure
from dashboard.theme import GREY, NOTE, PICKED

N_BINS = 20
FRAMED = {  # frame of the picked mark
    "condition": {"param": "cell", "empty": False, "value": PICKED},
    "value": None,
}
BIN_COLOUR = GREY
WORDS_IN_LINES = {"labelExpr": "split(datum.label, ' ')"}  # narrow columns have room for a word
AXIS = {**vega.ALL_LABELS, "labelFlush": False}


def confusion(counts: np.ndarray, truths: list[str], classes: list[str], picks: bool = True) -> Figure:
    """Draw the number of texts with each true class (rows) and each predicted class (columns).

    Cells on the diagonal, where the prediction is right, have an outline.

    Args:
        counts: numbers of texts, [truth, class].
        truths: names of the rows; a single one if no truth is known.
        classes: names of the columns.
        picks: whether a click picks a cell.
    """
    row, column = (index.ravel() for index in np.indices(counts.shape))
    share = counts / np.maximum(counts.sum(1, keepdims=True), 1)
    data = {
        "truth": pa.DictionaryArray.from_arrays(row.astype(np.int16), pa.array(truths, pa.string())),
        "class": pa.DictionaryArray.from_arrays(column.astype(np.int16), pa.array(classes, pa.string())),
        "texts": counts.ravel().astype(np.int32),
        "share": share.ravel().astype(np.float32),
    }
    x = vega.nominal("class", sort=None, title="predicted", axis=AXIS | {"labelAngle": 0, **WORDS_IN_LINES})
    y = vega.nominal("truth", sort=None, title="true class" if len(truths) > 1 else None, axis=AXIS)
    scale = vega.shades(0, 1)
    colour = vega.quantitative(
        "share", scale=scale, legend=vega.one_line(120, title="share of the row", tickCount=3, format=".0%")
    )
    tips = [vega.nominal("truth", title="true class"), vega.nominal("class", title="predicted")]
    tips.append(vega.quantitative("texts", format=","))
    tips.append(vega.quantitative("share", format=".1%"))
    spec = {
        "params": [_pick(["truth", "class"], "cells")] if picks else [],
        "encoding": {"x": x, "y": y},
        "layer": [
            {
                "name": "cells",
                "mark": {"type": "rect", "strokeWidth": 3, **_pointer(picks)},
                "encoding": {"color": colour, "tooltip": tips, **_frame(picks)},
            },
            {
                "transform": [vega.keep("datum.truth == datum['class']")],
                "mark": {"type": "rect", "filled": False, "stroke": GREY, "strokeWidth": 1.5, **vega.SILENT},
            },
            {
                "mark": {"type": "text", "fontSize": NOTE},
                "encoding": {"text": vega.quantitative("texts", format=","), "color": vega.ink_on("datum.share")},
            },
        ],
        **vega.AS_WIDE_AS_ITS_COLUMN,
        "height": {"step": 26},
    }
    return Figure(pa.table(data), spec)


def certainties(counts: np.ndarray, picks: bool = True) -> Figure:
    """Draw the number of texts by the probability of the predicted class, in ``N_BINS`` bins.

    Args:
        counts: numbers of texts, [bin].
        picks: whether a click picks a bin.
    """
    low = np.arange(N_BINS) / N_BINS
    data = {
        "bin": np.arange(N_BINS, dtype=np.int8),
        "low": low,
        "high": low + 1 / N_BINS,
        "texts": counts.astype(np.int32),
    }
    axis = {"format": ".0%", "grid": False, "tickCount": 5}
    title = "probability of the predicted class"
    x = vega.quantitative("low", title=title, bin={"binned": True}, scale={"domain": [0, 1]}, axis=axis)
    tips = [vega.quantitative("low", title="from", format=".0%"), vega.quantitative("high", title="to", format=".0%")]
    tips.append(vega.quantitative("texts", format=","))
    spec = {
        "params": [_pick(["bin"])] if picks else [],
        "mark": {"type": "bar", "color": BIN_COLOUR, "strokeWidth": 3, **_pointer(picks)},
        "encoding": {
            "x": x,
            "x2": {"field": "high"},
            "y": vega.quantitative("texts", title="texts", axis={"tickCount": 4, "tickMinStep": 1}),
            "tooltip": tips,
            **_frame(picks),
        },
        **vega.AS_WIDE_AS_ITS_COLUMN,
        "height": 130,
    }
    return Figure(pa.table(data), spec)


def _pointer(picks: bool) -> vega.Spec:
    """The pointer over marks that a click picks."""
    return {"cursor": "pointer"} if picks else {}


def _frame(picks: bool) -> vega.Spec:
    """The frame of the picked mark."""
    return {"stroke": FRAMED} if picks else {}


def _pick(fields: list[str], view: str | None = None) -> vega.Spec:
    """A selection: a click on a mark picks it by its fields, and a click elsewhere picks none."""
    pick = {"name": "cell", "select": {"type": "point", "fields": fields, "toggle": False}}
    return pick | ({"views": [view]} if view else {})
