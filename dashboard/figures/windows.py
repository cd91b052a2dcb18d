"""Windows of a disconnected recurrent network: which words win the pooling."""

import numpy as np
import pandas as pd
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure, window_param
from dashboard.shared.theme import FRAME, GREY, SHARES

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
    wide = n_words < many
    title = [
        f"how many of {n_components} components the window that ends here wins (square-root scale)",
        "(in orange: the words that carry the decision; in grey: the chosen window)",
    ]
    scale = {"type": "sqrt", "domain": [0, max(1, int(wins.max()))], "range": SHARES}
    color = vega.quantitative("n", title=title, scale=scale, legend=vega.colour_bar(orient="bottom", tickCount=5))
    tips = [
        vega.nominal("word", title="ends at"),
        vega.quantitative("w", title="window"),
        vega.quantitative("n", title="components won"),
    ]
    words = {"domain": list(range(n_words))}
    axis = vega.word_axis(wide, orient="top")
    x = vega.ordinal("i", title=None if wide else "words, in their order", axis=axis, scale=words)
    every_fifth = [1, *range(5, n_windows + 1, 5)]
    y = vega.ordinal("w", title="window, words", axis=vega.ALL_LABELS | {"values": every_fifth})
    layers = [
        vega.layer("rect", x=x, y=y, color=color, tooltip=tips),
        *_frames(x, y, n_windows, n_words),
    ]
    size = {"width": {"step": COLUMN if wide else COLUMN // 8}, "height": {"step": ROW}, **vega.PAD}
    params = [window_param(n_windows), *vega.word_params(tokens)]
    return Figure(_table(wins, grams), {"params": params, "transform": vega.NAME_WORDS, **size, "layer": layers})


def _table(wins: np.ndarray, grams: list[tuple[int, int]]) -> pa.Table:
    """One row a window and word; the first row of a window has the ends of its gram, the others -1."""
    w, i = vega.indices(wins)
    first, last = (np.full(wins.shape, -1, np.int16) for _ in range(2))
    for row, (start, end) in enumerate(grams):
        first[row, 0], last[row, 0] = start, end - 1
    numbers = {"w": (w + 1).astype(np.int8), "i": i.astype(np.int16), "n": wins.ravel().astype(np.int16)}
    return pa.table(numbers | {"first": first.ravel(), "last": last.ravel()})


def _frames(x: vega.Spec, y: vega.Spec, n_windows: int, n_words: int) -> list[vega.Spec]:
    """Around the chosen window, and around the words that carry the decision of every window."""
    across = {"x": x | {"field": "first", "bandPosition": 0}, "x2": {"field": "last", "bandPosition": 1}, "y": y}
    outline = {"type": "rect", "fill": None, "strokeWidth": 2}
    of_chosen = [
        vega.keep(f"datum.w == min(window, {n_windows}) && datum.i == 0"),
        vega.calculate("0", "first"),
        vega.calculate(f"{n_words - 1}", "last"),
    ]
    return [
        vega.layer(outline | {"stroke": GREY, "strokeWidth": 3}, of_chosen, **across),
        vega.layer(outline | {"stroke": FRAME}, [vega.keep("datum.first >= 0")], **across),
    ]


def evidence_table(wins: np.ndarray, evidence: np.ndarray, tokens: list[str], classes: list[str]) -> pd.DataFrame:
    """One row a window and word, counted from 1. wins: [t, i]. evidence: [t, i, k]."""
    k, i = vega.indices(wins)
    words = np.array(tokens, dtype=object)[i]
    shares = {f"evidence for {name}": evidence[..., c].ravel() for c, name in enumerate(classes)}
    return pd.DataFrame({"window": k + 1, "position": i + 1, "word": words, "components won": wins.ravel(), **shares})
