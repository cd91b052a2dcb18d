"""Feature capsules of a text, codes of a word, and what composed word vectors cost: still pictures."""

import numpy as np
import pyarrow as pa

from dashboard.figures.figure import Figure
from dashboard.shared.theme import CELL, FRAME, GREY, HEIGHT, SERIES, SHARES, SIGNED, shorten

NARROW = 16  # pixels of a cell where there are many words
MANY = 80  # words from which on cells are narrow, and words stand in their tips only
BARE = {"ticks": False, "domain": False, "labelOverlap": False}


def contribution_heatmap(contributions: np.ndarray, tokens: list[str], chosen: int, largest: float) -> Figure:
    """Words across, feature capsules down; colour is how far each word moves a capsule along its own direction.

    Args:
        contributions: [n, i], signed; a capsule's sum over the words is its length.
        chosen: the capsule in a frame.
        largest: where the scale ends, on both sides of 0.
    """
    n, i = (index.ravel() for index in np.indices(contributions.shape))
    words = np.array(tokens, dtype=object)[n]
    small = {"n": n.astype(np.int16), "i": i.astype(np.int16), "part": contributions.ravel().astype(np.float32)}
    data = pa.table(small | {"word": words})
    wide = len(tokens) < MANY
    labels = {"labelExpr": "word_labels[datum.value]", "labelAngle": -60, **BARE} if wide else {"labels": False, **BARE}
    title = ["part of a word in a feature capsule, along its direction", "(a capsule's parts sum to its length)"]
    spec = {
        "params": [{"name": "word_labels", "value": [shorten(word) for word in tokens]}],
        "transform": [{"calculate": "datum.i + 1", "as": "capsule"}],
        "mark": "rect",
        "width": {"step": CELL if wide else NARROW},
        "height": {"step": CELL * 2 // 3},
        "autosize": {"type": "pad"},
        "encoding": {
            "x": {"field": "n", "type": "ordinal", "title": None if wide else "words, in their order", "axis": labels},
            "y": {"field": "i", "type": "ordinal", "title": "feature capsule i", "axis": _counted()},
            "color": {
                "field": "part",
                "type": "quantitative",
                "title": title,
                "scale": {"domain": [-largest, largest], "range": SIGNED},
                "legend": {"orient": "top", "gradientLength": 240, "titleLimit": 600, "tickCount": 3},
            },
            "stroke": {"condition": {"test": f"datum.i == {chosen}", "value": FRAME}, "value": None},
            "tooltip": [
                {"field": "word", "type": "nominal"},
                {"field": "capsule", "type": "quantitative", "title": "feature capsule"},
                {"field": "part", "type": "quantitative", "format": ".4f"},
            ],
        },
    }
    return Figure(data, spec)


def code_grid(shares: np.ndarray) -> Figure:
    """Codewords across, codebooks down; the number in a cell is the share that is taken. shares: [q, e]."""
    q, e = (index.ravel() for index in np.indices(shares.shape))
    data = pa.table({"q": q.astype(np.int8), "e": e.astype(np.int8), "share": shares.ravel().astype(np.float32)})
    x = {"field": "e", "type": "ordinal", "title": "codeword", "axis": _counted() | {"labelAngle": 0}}
    y = {"field": "q", "type": "ordinal", "title": "codebook", "axis": _counted()}
    color = {
        "field": "share",
        "type": "quantitative",
        "title": "share of each codeword (a codebook's sum to 1)",
        "scale": {"domain": [0, 1], "range": SHARES},
        "legend": {"orient": "top", "gradientLength": 240, "titleLimit": 600, "tickCount": 5},
    }
    number = {"field": "share", "type": "quantitative", "format": ".2f"}
    ink = {"condition": {"test": "datum.share < 0.5", "value": "white"}, "value": "black"}
    layers = [
        {"mark": "rect", "encoding": {"x": x, "y": y, "color": color}},
        {"mark": {"type": "text", "fontSize": 11}, "encoding": {"x": x, "y": y, "text": number, "color": ink}},
    ]
    size = {"width": {"step": 44}, "height": {"step": CELL * 2 // 3}, "autosize": {"type": "pad"}}
    return Figure(data, {"params": [], **size, "layer": layers})


def parameter_curves(words: np.ndarray, composed: np.ndarray, table: np.ndarray, chosen: int) -> Figure:
    """Numbers that word vectors hold, by how many words there are, both axes logarithmic.

    Args:
        words, composed, table: [n]; how many words, and what both kinds then hold.
        chosen: the number of words that a rule stands at.
    """
    kinds = ["composed", "a plain table"]
    numbers = np.concatenate([composed, table])
    data = pa.table({"words": np.tile(words, 2), "numbers": numbers, "kind": np.repeat(kinds, len(words))})
    x = {"field": "words", "type": "quantitative", "scale": {"type": "log"}, "title": "words (logarithmic)"}
    x["axis"] = {"format": "~s", "grid": False}
    y = {"field": "numbers", "type": "quantitative", "scale": {"type": "log"}, "title": "parameters (logarithmic)"}
    y["axis"] = {"format": "~s"}
    color = {"field": "kind", "type": "nominal", "title": None, "legend": {"orient": "top"}}
    color["scale"] = {"domain": kinds, "range": SERIES[:2]}
    tips = [{"field": name, "type": "quantitative", "format": ",.0f"} for name in ("words", "numbers")]
    lines = {"mark": "line", "encoding": {"x": x, "y": y, "color": color, "tooltip": tips}}
    rule = {
        "data": {"values": [{"words": chosen}]},
        "mark": {"type": "rule", "strokeDash": [4, 3], "color": GREY},
        "encoding": {"x": x},
    }
    return Figure(data, {"params": [], "height": HEIGHT, "layer": [lines, rule]})


def _counted() -> dict:
    """Labels from 1 of what is numbered from 0."""
    return {"labelExpr": "datum.value + 1", **BARE}
