"""Windows of a disconnected recurrent network: which words win the pooling."""

import numpy as np
import pandas as pd
import pyarrow as pa

from dashboard.figures.figure import Figure, window_param
from dashboard.shared.theme import FRAME, GREY, SHARES, shorten

COLUMN, ROW = 32, 13  # pixels of a cell


def wins_heatmap(
    wins: np.ndarray, tokens: list[str], grams: list[tuple[int, int]], n_components: int, many: int
) -> Figure:
    """Words across, windows down; colour is how many components of the pooled vector a word's position wins.

    Args:
        wins: [t, i].
        grams: of each window, the words [start, end) that carry the decision.
        n_components: of the pooled vector.
        many: words from which on cells are narrow and words stand in their tips only.
    """
    n_windows, n_words = wins.shape
    k, i = (index.ravel() for index in np.indices(wins.shape))
    first, last = (np.full(wins.shape, -1, np.int16) for _ in range(2))
    for row, (start, end) in enumerate(grams):
        first[row, 0], last[row, 0] = start, end - 1
    small = {"w": (k + 1).astype(np.int8), "i": i.astype(np.int16), "n": wins.ravel().astype(np.int16)}
    data = pa.table(small | {"first": first.ravel(), "last": last.ravel()})
    wide = n_words < many
    bare = {"ticks": False, "domain": False}
    axis = {"labelExpr": "word_labels[datum.value]", "labelAngle": -60, "labelOverlap": False, "orient": "top", **bare}
    x = {
        "field": "i",
        "type": "ordinal",
        "title": None if wide else "words, in their order",
        "axis": axis if wide else bare | {"labels": False},
        "scale": {"domain": list(range(n_words))},
    }
    y = {
        "field": "w",
        "type": "ordinal",
        "title": "window, words",
        "axis": bare | {"values": [1, *range(5, n_windows + 1, 5)], "labelOverlap": False},
    }
    most = max(1, int(wins.max()))
    color = {
        "field": "n",
        "type": "quantitative",
        "title": [f"how many of {n_components} components the window that ends here wins (square-root scale)",
                  "(in orange: the words that carry the decision; in grey: the chosen window)"],
        "scale": {"type": "sqrt", "domain": [0, most], "range": SHARES},
        "legend": {"orient": "bottom", "gradientLength": 240, "titleLimit": 600, "tickCount": 5},
    }  # fmt: skip
    tooltip = [
        {"field": "word", "type": "nominal", "title": "ends at"},
        {"field": "w", "type": "quantitative", "title": "window"},
        {"field": "n", "type": "quantitative", "title": "components won"},
    ]
    from_here, to_there = {"field": "first", "bandPosition": 0}, {"field": "last", "bandPosition": 1}
    outlined = {"type": "rect", "fill": None, "strokeWidth": 2}
    layers = [
        {"mark": "rect", "encoding": {"x": x, "y": y, "color": color, "tooltip": tooltip}},
        {
            "transform": [
                {"filter": f"datum.w == min(window, {n_windows}) && datum.i == 0"},
                {"calculate": "0", "as": "first"},
                {"calculate": f"{n_words - 1}", "as": "last"},
            ],
            "mark": outlined | {"stroke": GREY, "strokeWidth": 3},
            "encoding": {"x": x | from_here, "x2": to_there, "y": y},
        },
        {
            "transform": [{"filter": "datum.first >= 0"}],
            "mark": outlined | {"stroke": FRAME},
            "encoding": {"x": x | from_here, "x2": to_there, "y": y},
        },
    ]
    params = [
        window_param(n_windows),
        {"name": "word_names", "value": tokens},
        {"name": "word_labels", "value": [shorten(word) for word in tokens]},
    ]
    size = {"width": {"step": COLUMN if wide else COLUMN // 8}, "height": {"step": ROW}, "autosize": {"type": "pad"}}
    named = [{"calculate": "word_names[datum.i]", "as": "word"}]
    return Figure(data, {"params": params, "transform": named, **size, "layer": layers})


def evidence_table(wins: np.ndarray, evidence: np.ndarray, tokens: list[str], classes: list[str]) -> pd.DataFrame:
    """One row a window and word, counted from 1. wins: [t, i]. evidence: [t, i, k]."""
    k, i = (index.ravel() for index in np.indices(wins.shape))
    words = np.array(tokens, dtype=object)[i]
    shares = {f"evidence for {name}": evidence[..., c].ravel() for c, name in enumerate(classes)}
    return pd.DataFrame({"window": k + 1, "position": i + 1, "word": words, "components won": wins.ravel(), **shares})
