"""Attention layer by layer: what is selected, what is composed of it, what the gates let through."""

import numpy as np
import pandas as pd
import pyarrow as pa

from dashboard.figures.figure import Figure, layer_param
from dashboard.shared.theme import CELL, FRAME, GREY, SERIES, SHARES, VIEWS, shorten

ROW = 26  # pixels
BLACK_ABOVE = 0.55  # of the scale, from where black figures are read better than white ones
SHAPES = ["circle", "square", "diamond"]
LENGTHS = ("1 word", "2 words", "3 words", "4 or more")


def attention_heatmap(
    scaled: np.ndarray, tokens: list[str], runs: list[list[tuple[int, int]]], threshold: float, n_layers: int
) -> Figure:
    """Words across, layers down, the number in its cell; each run of selected words in a frame.

    Args:
        scaled: attention [l, i] as a share of its layer's largest.
        runs: of each layer, [first, after the last) word of every phrase.
        threshold: what is selected is above it.
        n_layers: of the network; those beyond ``scaled`` have no attention.
    """
    n_rows, n_words = scaled.shape
    layer, i = (index.ravel() for index in np.indices(scaled.shape))
    last = np.full(scaled.shape, -1, np.int16)
    for row, of_layer in enumerate(runs):
        for start, end in of_layer:
            last[row, start] = end - 1
    small = {"l": (layer + 1).astype(np.int8), "i": i.astype(np.int16), "a": scaled.ravel().astype(np.float32)}
    data = pa.table(small | {"last": last.ravel()})
    bare = {"ticks": False, "domain": False, "labelOverlap": False}
    axis = {"labelExpr": "word_labels[datum.value]", "labelAngle": -60, "orient": "top", **bare}
    x = {"field": "i", "type": "ordinal", "title": None, "axis": axis, "scale": {"domain": list(range(n_words))}}
    y = {"field": "l", "type": "ordinal", "title": "layer", "axis": bare, "scale": {"paddingInner": 0.16}}
    color = {
        "field": "a",
        "type": "quantitative",
        "title": ["attention a word gets, as a share of what the most attended word of its layer gets",
                  f"(in an orange frame: selected, above {threshold:.2f}; in a grey one: the chosen layer)"],
        "scale": {"domain": [0, 1], "range": SHARES},
        "legend": {"orient": "bottom", "gradientLength": 240, "titleLimit": 600, "tickCount": 5},
    }  # fmt: skip
    ink = {"condition": {"test": f"datum.a > {BLACK_ABOVE}", "value": "#000"}, "value": "#fff"}
    tooltip = [
        {"field": "word", "type": "nominal"},
        {"field": "l", "type": "quantitative", "title": "layer"},
        {"field": "a", "type": "quantitative", "title": "share of the largest", "format": ".4f"},
    ]
    numbers = {"type": "text", "fontSize": 10}
    framed = {"type": "rect", "fill": None, "stroke": FRAME, "strokeWidth": 3, "cornerRadius": 3}
    pointed_at = {"type": "rect", "fill": None, "stroke": GREY, "strokeWidth": 4}
    from_here, to_there = x | {"bandPosition": 0}, {"field": "last", "bandPosition": 1}
    layers = [
        {"mark": "rect", "encoding": {"x": x, "y": y, "color": color, "tooltip": tooltip}},
        {
            "mark": numbers,
            "encoding": {"x": x, "y": y, "text": {"field": "a", "type": "quantitative", "format": ".2f"}, "color": ink},
        },
        {
            "transform": [{"filter": "datum.last >= 0"}],
            "mark": framed,
            "encoding": {"x": from_here, "x2": to_there, "y": y},
        },
        {
            "transform": [
                {"filter": f"datum.l == min(layer, {n_rows}) && datum.i == 0"},
                {"calculate": f"{n_words - 1}", "as": "last"},
            ],
            "mark": pointed_at,
            "encoding": {"x": from_here, "x2": to_there, "y": y},
        },
    ]
    params = [
        layer_param(n_layers),
        {"name": "word_names", "value": tokens},
        {"name": "word_labels", "value": [shorten(word) for word in tokens]},
    ]
    size = {"width": {"step": CELL}, "height": {"step": ROW}, "autosize": {"type": "pad"}}
    named = [{"calculate": "word_names[datum.i]", "as": "word"}]
    return Figure(data, {"params": params, "transform": named, **size, "layer": layers})


def distribution(counts: np.ndarray, first: int, x_title: str, of: str, n_layers: int) -> Figure:
    """Layers down, values across: colour is the share of a layer's values that fall into each bin.

    Args:
        counts: [l, bins], of values from 0 to 1.
        first: number of the first layer.
        of: what is counted.
    """
    n_rows, n_bins = counts.shape
    shares = counts / np.maximum(1, counts.sum(1, keepdims=True))
    layer, k = (index.ravel() for index in np.indices(counts.shape))
    data = pa.table(
        {
            "l": (layer + first).astype(np.int8),
            "from": k / n_bins,
            "to": (k + 1) / n_bins,
            "share": shares.ravel().astype(np.float32),
            "count": counts.ravel(),
        }
    )
    color = {
        "field": "share",
        "type": "quantitative",
        "title": ["share of a layer's", of, "(square-root scale)"],
        "scale": {"type": "sqrt", "domain": [0, 1], "range": SHARES},
        "legend": {"orient": "top", "gradientLength": 160, "values": [0, 0.05, 0.25, 1], "titleLimit": 400},
    }
    x = {"field": "from", "type": "quantitative", "bin": {"binned": True, "step": 1 / n_bins}, "title": x_title}
    y = {"field": "l", "type": "ordinal", "title": "layer", "axis": {"ticks": False, "domain": False}}
    tooltip = [
        {"field": "l", "type": "quantitative", "title": "layer"},
        {"field": "from", "type": "quantitative", "format": ".2f"},
        {"field": "to", "type": "quantitative", "format": ".2f"},
        {"field": "share", "type": "quantitative", "format": ".4f"},
        {"field": "count", "type": "quantitative"},
    ]
    cells = {
        "mark": {"type": "rect", "binSpacing": 0},
        "encoding": {"x": x, "x2": {"field": "to"}, "y": y, "color": color, "tooltip": tooltip},
    }
    chosen = {
        "transform": [
            {"filter": f"datum.l == clamp(layer, {first}, {n_rows + first - 1}) && datum.from == 0"},
            {"calculate": "1", "as": "to"},
        ],
        "mark": {"type": "rect", "fill": None, "stroke": FRAME, "strokeWidth": 2, "strokeDash": [4, 3]},
        "encoding": {"x": x, "x2": {"field": "to"}, "y": y},
    }
    spec = {"params": [layer_param(n_layers)], "height": {"step": 16}, "layer": [cells, chosen]}
    return Figure(data, spec)


def phrase_bars(counts: np.ndarray, n_layers: int) -> Figure:
    """The share of a layer's phrases that have 1, 2, 3, 4 or more words. counts: [l, length], from 1 on."""
    grouped = np.concatenate([counts[:, :3], counts[:, 3:].sum(1, keepdims=True)], 1)
    layer, k = (index.ravel() for index in np.indices(grouped.shape))
    shares = grouped / np.maximum(1, grouped.sum(1, keepdims=True))
    names = np.array(LENGTHS, dtype=object)[k]
    numbers = {"share": shares.ravel().astype(np.float32), "count": grouped.ravel()}
    data = pa.table({"l": (layer + 1).astype(np.int8), "order": k, "length": names, **numbers})
    color = {
        "field": "length",
        "type": "nominal",
        "title": "phrases of",
        "scale": {"domain": list(LENGTHS), "range": VIEWS[::2]},  # four of them
        "legend": {"orient": "top", "columns": 2},
    }
    tooltip = [
        {"field": "l", "type": "quantitative", "title": "layer"},
        {"field": "length", "type": "nominal", "title": "phrases of"},
        {"field": "share", "type": "quantitative", "format": ".4f"},
        {"field": "count", "type": "quantitative"},
    ]
    encoding = {
        "x": {
            "field": "share",
            "type": "quantitative",
            "title": "share of a layer's phrases",
            "scale": {"domain": [0, 1]},
        },
        "y": {"field": "l", "type": "ordinal", "title": "layer", "axis": {"ticks": False, "domain": False}},
        "order": {"field": "order", "type": "quantitative"},
        "color": color,
        "opacity": {"condition": {"test": "datum.l == layer", "value": 1}, "value": 0.65},
        "tooltip": tooltip,
    }
    return Figure(
        data, {"params": [layer_param(n_layers)], "height": {"step": 16}, "mark": "bar", "encoding": encoding}
    )


def top_words(words: np.ndarray, counts: np.ndarray, n_layers: int) -> Figure:
    """The words that the chosen layer selects most often. words, counts: [l, rank]."""
    layer, _ = (index.ravel() for index in np.indices(words.shape))
    some = counts.ravel() > 0
    data = pa.table({"l": (layer + 1).astype(np.int8)[some], "word": words.ravel()[some], "n": counts.ravel()[some]})
    encoding = {
        "x": {
            "field": "n",
            "type": "quantitative",
            "title": "times selected",
            "axis": {"tickMinStep": 1, "tickCount": 5},
        },
        "y": {"field": "word", "type": "nominal", "title": None, "sort": {"field": "n", "order": "descending"}},
        "tooltip": [
            {"field": "word", "type": "nominal"},
            {"field": "n", "type": "quantitative", "title": "times selected"},
            {"field": "l", "type": "quantitative", "title": "layer"},
        ],
    }
    spec = {
        "params": [layer_param(n_layers)],
        "transform": [{"filter": f"datum.l == min(layer, {len(words)})"}],
        "height": {"step": 20},
        "mark": {"type": "bar", "color": SERIES[0]},
        "encoding": encoding,
    }
    return Figure(data, spec)


def ablation(table: pd.DataFrame) -> Figure:
    """Test accuracy by how many layers attend: each training, their mean, the paper's.

    Args:
        table: a row a training: attending, test, paper.
    """
    ours = table.assign(which="ours, a training", accuracy=table["test"])
    by_network = table.groupby("attending", as_index=False)
    mean = by_network["test"].mean().assign(which="ours, mean").rename(columns={"test": "accuracy"})
    paper = by_network["paper"].first().assign(which="paper").rename(columns={"paper": "accuracy"})
    data = pd.concat([part[["attending", "which", "accuracy"]] for part in (ours, mean, paper)], ignore_index=True)
    domain = ["ours, a training", "ours, mean", "paper"]
    legend = {"orient": "top", "title": None, "columns": 3}
    lowest, highest = float(data["accuracy"].min()), float(data["accuracy"].max())
    encoding = {
        "x": {
            "field": "accuracy",
            "type": "quantitative",
            "title": "test accuracy (the axis does not begin at 0)",
            "axis": {"format": ".1%", "tickCount": 6},
            "scale": {"domain": [lowest - 0.005, highest + 0.005], "zero": False},
        },
        "y": {
            "field": "attending",
            "type": "ordinal",
            "title": "layers that attend",
            "sort": "descending",
            "axis": {"ticks": False},
        },
        "color": {"field": "which", "type": "nominal", "scale": {"domain": domain, "range": [GREY, *SERIES[:2]]},
                  "legend": legend},
        "shape": {"field": "which", "type": "nominal", "scale": {"domain": domain, "range": SHAPES}, "legend": legend},
        "tooltip": [
            {"field": "which", "type": "nominal"},
            {"field": "attending", "type": "quantitative", "title": "layers that attend"},
            {"field": "accuracy", "type": "quantitative", "format": ".2%"},
        ],
    }  # fmt: skip
    mark = {"type": "point", "filled": True, "size": 110, "opacity": 0.9}
    spec = {"params": [], "height": {"step": 40}, "mark": mark, "encoding": encoding}
    return Figure(pa.Table.from_pandas(data, preserve_index=False), spec)


def attention_table(attention: np.ndarray, scaled: np.ndarray, chosen: np.ndarray, tokens: list[str]) -> pd.DataFrame:
    """One row a layer and word, counted from 1. All [l, i]."""
    layer, i = (index.ravel() for index in np.indices(attention.shape))
    columns = {"attention": attention.ravel(), "share of the largest": scaled.ravel(), "selected": chosen.ravel()}
    return pd.DataFrame({"layer": layer + 1, "position": i + 1, "word": np.array(tokens, dtype=object)[i], **columns})
