"""Figures of a disconnected recurrent network: the words that win the pooling in each window."""

import numpy as np
import pandas as pd
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure, window_param
from dashboard.figures.heatmap import ROOM
from dashboard.theme import GREY, PICKED

COLUMN = 32  # pixels, width of a cell
HEIGHT = 240  # pixels, height of all rows, which leaves room on the screen for the text below
MAX_ROW = 32  # pixels, height of a row if there are few
NARROW = 4  # pixels, width of a column if there are many words
MANY = 80  # with at least this many words, columns are narrow and only tips have the words


def wins_heatmap(
    wins: np.ndarray,
    tokens: list[str],
    grams: list[tuple[int, int]],
    n_components: int,
    largest: float | None = None,
    known: np.ndarray | None = None,
) -> Figure:
    """Draw words across and windows down; colour is the number of components of the pooled vector that a position wins.

    Args:
        wins: numbers of components, [t, i].
        tokens: words.
        grams: words [start, end) that carry the decision in each window.
        n_components: size of the pooled vector.
        largest: end of the scale; the largest number if None.
        known: whether the network knows each word.
    """
    n_windows, n_words = wins.shape
    wide = n_words < MANY
    cell = COLUMN if wide else NARROW
    title = [
        f"how many of the {n_components} components are largest in the window that ends there",
        "(square-root scale)",
    ]
    scale = vega.shades(0, max(1, int(largest or wins.max())), type="sqrt")
    color = vega.quantitative("n", title=title, scale=scale, legend=vega.one_line(tickCount=5))
    tips = [
        vega.nominal("word", title="ends at"),
        vega.quantitative("w", title="window"),
        vega.quantitative("n", title="components won"),
    ]
    named, path_tip = vega.path("trace.wins", "datum.w - 1", "datum.i")
    words = {"domain": list(range(n_words))}
    x = vega.ordinal("i", title=None if wide else "words, in their order", axis=vega.word_axis(wide), scale=words)
    every_fifth = [1, *range(5, n_windows + 1, 5)]
    row_labels = {"values": every_fifth, "zindex": 1, "description": f"Y-axis: {n_windows} windows down"}
    y = vega.ordinal("w", title="window, words", axis=vega.ALL_LABELS | row_labels)
    cells = vega.cells("datum.word", "'window ' + datum.w", value="datum.n + ' components'")
    layers = [
        vega.layer(cells, [named], x=x, y=y, color=color, tooltip=[*tips, path_tip]),
        *_frames(x, y, n_windows, n_words),
    ]
    width = vega.AS_WIDE_AS_ITS_COLUMN if n_words * cell <= ROOM else {"width": {"step": cell}, **vega.PAD}
    params = [window_param(n_windows), *vega.word_params(tokens, known)]
    spec = {
        "params": params,
        "transform": vega.NAME_WORDS,
        **width,
        "height": {"step": min(MAX_ROW, HEIGHT // n_windows)},
        "layer": layers,
    }
    return Figure(_table(wins, grams), spec)


def _table(wins: np.ndarray, grams: list[tuple[int, int]]) -> pa.Table:
    """One row per window and word. The first row of a window has the ends of its gram, the others -1."""
    w, i = vega.indices(wins)
    first, last = (np.full(wins.shape, -1, np.int16) for _ in range(2))
    for row, (start, end) in enumerate(grams):
        first[row, 0], last[row, 0] = start, end - 1
    numbers = {"w": (w + 1).astype(np.int8), "i": i.astype(np.int16), "n": wins.ravel().astype(np.int16)}
    return pa.table(numbers | {"first": first.ravel(), "last": last.ravel()})


def _frames(x: vega.Spec, y: vega.Spec, n_windows: int, n_words: int) -> list[vega.Spec]:
    """A grey frame around the chosen window, and an orange one around the words that carry its decision.

    In the other windows two orange marks show the start and end of these words, as frames would cover the thin rows.
    """
    outline = {"type": "rect", "fill": None, "strokeWidth": 2, **vega.SILENT}
    has_gram, chosen = vega.keep("datum.first >= 0"), f"datum.w == min(window, {n_windows})"
    whole_row = [vega.calculate("0", "first"), vega.calculate(f"{n_words - 1}", "last")]

    def between(start: vega.Spec, end: vega.Spec) -> vega.Spec:
        return {"x": x | start, "x2": end, "y": y}

    start, end = {"field": "first", "bandPosition": 0}, {"field": "last", "bandPosition": 1}
    grey, orange = outline | {"stroke": GREY, "strokeWidth": 3}, outline | {"stroke": PICKED}
    return [
        vega.layer(orange, [has_gram], **between(start, start)),
        vega.layer(orange, [has_gram], **between(end, end)),
        vega.layer(grey, [vega.keep(f"{chosen} && datum.i == 0"), *whole_row], **between(start, end)),
        vega.layer(orange, [vega.keep(f"{chosen} && datum.first >= 0")], **between(start, end)),
    ]


def evidence_table(wins: np.ndarray, evidence: np.ndarray, tokens: list[str], classes: list[str]) -> pd.DataFrame:
    """One row per window and word, counted from 1. wins: [t, i]. evidence: [t, i, k]."""
    w, i = vega.indices(wins)
    words = np.array(tokens, dtype=object)[i]
    by_class = {f"evidence for {name}": evidence[..., c].ravel() for c, name in enumerate(classes)}
    return pd.DataFrame({"window": w + 1, "position": i + 1, "word": words, "components won": wins.ravel(), **by_class})
