"""Pictures without steps: contributions to feature capsules, codes of a word, and parameters of word vectors."""

import numpy as np
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure
from dashboard.figures.heatmap import ROOM
from dashboard.theme import CELL, GREY, HEIGHT, NOTE, SERIES, SIGNED

NARROW = 16  # pixels, width of a cell if there are many words
MANY = 80  # with at least this many words, cells are narrow and only tips have the words


def contribution_heatmap(
    contributions: np.ndarray,
    tokens: list[str],
    largest: float,
    picked: int | None = None,
    known: np.ndarray | None = None,
) -> Figure:
    """Draw words across and feature capsules down; colour is a word's contribution along the capsule's direction.

    Args:
        contributions: signed contributions [n, i] of word n to capsule i; their sum over n is the capsule's length.
        tokens: words.
        largest: end of the scale on both sides of 0.
        picked: index of the capsule in a frame.
        known: whether the network knows each word.
    """
    n, i = vega.indices(contributions)
    words = np.array(tokens, dtype=object)[n]
    numbers = {
        "n": n.astype(np.int16),
        "i": i.astype(np.int16),
        "contribution": contributions.ravel().astype(np.float32),
    }
    wide = len(tokens) < MANY
    cell = CELL if wide else NARROW
    fits = len(tokens) * cell <= ROOM
    title = ["contribution of a word to a feature capsule", "(a capsule's contributions sum to its length)"]
    scale = vega.shades(-largest, largest, SIGNED)
    tips = [
        vega.nominal("word"),
        vega.quantitative("capsule", title="feature capsule"),
        vega.quantitative("contribution", format=".4f"),
    ]
    written = vega.spoken("datum.contribution")
    encoding = {
        "x": vega.ordinal("n", title=None if wide else "words, in their order", axis=vega.word_axis(wide)),
        "y": vega.ordinal("i", title="feature capsule i", axis=vega.counted_axis()),
        "color": vega.quantitative("contribution", title=title, scale=scale, legend=vega.one_line(tickCount=3)),
        **({} if picked is None else vega.frame(f"datum.i == {picked}", 1)),
        "tooltip": tips,
    }
    spec = {
        "params": vega.word_params(tokens, known),
        "transform": [vega.calculate("datum.i + 1", "capsule")],
        "mark": vega.cells("datum.word", "'feature capsule ' + datum.capsule", value=written),
        "height": {"step": CELL * 2 // 3},
        **(vega.AS_WIDE_AS_ITS_COLUMN if fits else {"width": {"step": cell}, **vega.PAD}),
        "encoding": encoding,
    }
    return Figure(pa.table(numbers | {"word": words}), spec)


def code_grid(shares: np.ndarray) -> Figure:
    """Draw codewords across and codebooks down; each cell has the codeword's share. shares: [q, e]."""
    q, e = vega.indices(shares)
    data = pa.table({"q": q.astype(np.int8), "e": e.astype(np.int8), "share": shares.ravel().astype(np.float32)})
    place = {
        "x": vega.ordinal("e", title="codeword", axis=vega.counted_axis(labelAngle=0)),
        "y": vega.ordinal("q", title="codebook", axis=vega.counted_axis()),
    }
    title = "share of each codeword (the shares of a codebook sum to 1)"
    scale = vega.shades(0, 1)
    color = vega.quantitative("share", title=title, scale=scale, legend=vega.colour_bar(tickCount=5))
    number = {"type": "text", "fontSize": NOTE}
    layers = [
        vega.layer("rect", **place, color=color),
        vega.layer(number, **place, text=vega.quantitative("share", format=".2f"), color=vega.ink_on("datum.share")),
    ]
    size = {"width": {"step": 44}, "height": {"step": CELL * 2 // 3}, **vega.PAD}
    return Figure(data, {"params": [], **size, "layer": layers})


def parameter_curves(words: np.ndarray, composed: np.ndarray, table: np.ndarray, chosen: int) -> Figure:
    """Draw the number of parameters of word vectors by the number of words, with logarithmic axes.

    Args:
        words: numbers of words, [n].
        composed, table: numbers of parameters of composed vectors and of a plain table, [n].
        chosen: number of words that a rule marks.
    """
    kinds = ["composed", "a plain table"]
    numbers = np.concatenate([composed, table])
    data = pa.table({"words": np.tile(words, 2), "numbers": numbers, "kind": np.repeat(kinds, len(words))})
    log = {"type": "log"}
    x = vega.quantitative("words", scale=log, title="words (logarithmic)", axis={"format": "~s", "grid": False})
    y = vega.quantitative("numbers", scale=log, title="parameters (logarithmic)", axis={"format": "~s"})
    scale = {"domain": kinds, "range": SERIES[:2]}
    color = vega.nominal("kind", title=None, legend=vega.legend_of(kinds), scale=scale)
    tips = [vega.quantitative(name, format=",.0f") for name in ("words", "numbers")]
    rule = {"data": {"values": [{"words": chosen}]}, **vega.layer(vega.CURRENT | {"color": GREY}, x=x)}
    layers = [vega.layer("line", x=x, y=y, color=color, tooltip=tips), rule]
    return Figure(data, {"params": [], "height": HEIGHT, "layer": layers})
