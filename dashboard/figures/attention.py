"""Figures of AGT's layers: attention, selected phrases, and distributions of gates and attention."""

import numpy as np
import pandas as pd
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure, layer_param
from dashboard.figures.heatmap import ROOM
from dashboard.theme import CELL, GREY, NOTE, PICKED, SERIES, VIEWS

ROW = 18  # pixels, height of a row: fifteen layers fit on a screen
LEAST = 0.05  # smaller numbers are not written
DIGITS = 26  # pixels, width of a number
LENGTHS = ("1 word", "2 words", "3 words", "4 or more")
LAYER = vega.quantitative("l", title="layer")


def attention_heatmap(
    scaled: np.ndarray,
    tokens: list[str],
    phrases: list[list[tuple[int, int]]],
    threshold: float,
    n_layers: int,
    numbers: bool = True,
    known: np.ndarray | None = None,
) -> Figure:
    """Draw words across and layers down, with a number in each cell and a frame around each selected phrase.

    Args:
        scaled: attention [l, i] as a share of its layer's largest.
        tokens: words.
        phrases: runs of selected words, [start, end), in each layer.
        threshold: selected words have a larger share.
        n_layers: number of the network's layers; those beyond ``scaled`` have no attention.
        numbers: whether cells show their number; narrow cells have no room for it.
        known: whether the network knows each word.
    """
    title = [
        "attention, relative to the layer's maximum",
        f"(orange: selected, above {threshold:.2f}; grey: chosen layer)",
    ]
    legend = vega.one_line(tickCount=5)
    color = vega.quantitative("a", title=title, scale=vega.shades(0, 1), legend=legend)
    tips = [vega.nominal("word"), LAYER, vega.quantitative("a", title="share of the largest", format=".4f")]
    named, path_tip = vega.path("trace.scaled_attention", "datum.l - 1", "datum.i")
    words = {"domain": list(range(scaled.shape[1]))}
    x = vega.ordinal("i", title=None, axis=vega.word_axis(), scale=words)
    y = vega.ordinal("l", title="layer", axis=vega.ALL_LABELS, scale={"paddingInner": 0.16})
    digits = {"type": "text", "fontSize": NOTE, **vega.SILENT}
    number = vega.quantitative("a", format=".2f")
    # On a sheet the page's width is 0. There, cells always have room.
    has_room = f"(width == 0 || width >= {DIGITS * scaled.shape[1]})"
    seen = vega.where(f"datum.a >= {LEAST} && {has_room}", 1, 0)
    cells = vega.cells("datum.word", "'layer ' + datum.l", value="format(datum.a, '.2f')")
    layers = [
        vega.layer(cells, [named], x=x, y=y, color=color, tooltip=[*tips, path_tip]),
        *([vega.layer(digits, x=x, y=y, text=number, color=vega.ink_on("datum.a"), opacity=seen)] if numbers else []),
        *_frames(x, y, *scaled.shape),
    ]
    fits = len(tokens) * CELL <= ROOM
    size = {"height": {"step": ROW}, **(vega.AS_WIDE_AS_ITS_COLUMN if fits else {"width": {"step": CELL}, **vega.PAD})}
    params = [layer_param(n_layers), *vega.word_params(tokens, known)]
    return Figure(
        _attention(scaled, phrases), {"params": params, "transform": vega.NAME_WORDS, **size, "layer": layers}
    )


def _attention(scaled: np.ndarray, phrases: list[list[tuple[int, int]]]) -> pa.Table:
    """One row per layer and word. ``last`` is the last word of a phrase that begins there, and -1 elsewhere."""
    layer, i = vega.indices(scaled)
    last = np.full(scaled.shape, -1, np.int16)
    for row, phrases_of_layer in enumerate(phrases):
        for start, end in phrases_of_layer:
            last[row, start] = end - 1
    places = {"l": (layer + 1).astype(np.int8), "i": i.astype(np.int16), "j": layer.astype(np.int8)}
    return pa.table(places | {"a": scaled.ravel().astype(np.float32), "last": last.ravel()})


def _frames(x: vega.Spec, y: vega.Spec, n_rows: int, n_words: int) -> list[vega.Spec]:
    """Frames around every phrase and around the chosen layer."""
    across = {"x": x | {"bandPosition": 0}, "x2": {"field": "last", "bandPosition": 1}, "y": y}
    phrase = {"type": "rect", "fill": None, **vega.SILENT, "stroke": PICKED, "strokeWidth": 3, "cornerRadius": 3}
    chosen = {"type": "rect", "fill": None, **vega.SILENT, "stroke": GREY, "strokeWidth": 4}
    chosen_row = [
        vega.keep(f"datum.l == min(layer, {n_rows}) && datum.i == 0"),
        vega.calculate(f"{n_words - 1}", "last"),
    ]
    return [vega.layer(phrase, [vega.keep("datum.last >= 0")], **across), vega.layer(chosen, chosen_row, **across)]


def distribution(counts: np.ndarray, first: int, x_title: str, unit: str, n_layers: int) -> Figure:
    """Draw layers down and bins of values across; colour is the share of a layer's values in each bin.

    Args:
        counts: number of values in each bin between 0 and 1, [l, bins].
        first: number of the first layer.
        x_title: title of the horizontal axis.
        unit: unit of the counts, in the plural.
        n_layers: number of the network's layers.
    """
    n_rows, n_bins = counts.shape
    scale = vega.shades(0, 1, type="sqrt")
    legend = vega.colour_bar(160, limit=400, values=[0, 0.05, 0.25, 1])
    title = ["share of a layer's", unit, "(square-root scale)"]
    place = {
        "x": vega.quantitative("from", bin={"binned": True, "step": 1 / n_bins}, title=x_title),
        "x2": {"field": "to"},
        "y": vega.ordinal("l", title="layer", axis=vega.BARE),
    }
    tips = [
        LAYER,
        vega.quantitative("from", format=".2f"),
        vega.quantitative("to", format=".2f"),
        vega.quantitative("share", format=".4f"),
        vega.quantitative("count"),
    ]
    color = vega.quantitative("share", title=title, scale=scale, legend=legend)
    chosen_row = [
        vega.keep(f"datum.l == clamp(layer, {first}, {n_rows + first - 1}) && datum.from == 0"),
        vega.calculate("1", "to"),
    ]
    chosen = {"type": "rect", "fill": None, "stroke": PICKED, "strokeWidth": 2, "strokeDash": [4, 3]}
    layers = [
        vega.layer({"type": "rect", "binSpacing": 0}, **place, color=color, tooltip=tips),
        vega.layer(chosen, chosen_row, **place),
    ]
    spec = {"params": [layer_param(n_layers)], "height": {"step": 16}, "layer": layers}
    return Figure(_bins(counts, first), spec)


def _bins(counts: np.ndarray, first: int) -> pa.Table:
    """One row per layer and bin, with the ends of the bin, and its count and share of the layer's values."""
    layer, k = vega.indices(counts)
    n_bins = counts.shape[1]
    shares = counts / np.maximum(1, counts.sum(1, keepdims=True))
    bounds = {"l": (layer + first).astype(np.int8), "from": k / n_bins, "to": (k + 1) / n_bins}
    return pa.table(bounds | {"share": shares.ravel().astype(np.float32), "count": counts.ravel()})


def phrase_bars(counts: np.ndarray, n_layers: int) -> Figure:
    """Draw the shares of a layer's phrases with 1, 2, 3, and 4 or more words. counts: [l, length], lengths from 1."""
    grouped = np.concatenate([counts[:, :3], counts[:, 3:].sum(1, keepdims=True)], 1)
    layer, k = vega.indices(grouped)
    shares = grouped / np.maximum(1, grouped.sum(1, keepdims=True))
    names = np.array(LENGTHS, dtype=object)[k]
    numbers = {"share": shares.ravel().astype(np.float32), "count": grouped.ravel()}
    data = pa.table({"l": (layer + 1).astype(np.int8), "order": k, "length": names, **numbers})
    scale = {"domain": list(LENGTHS), "range": VIEWS[::2]}  # every second colour, so that neighbours differ clearly
    encoding = {
        "x": vega.quantitative("share", title="share of a layer's phrases", scale={"domain": [0, 1]}),
        "y": vega.ordinal("l", title="layer", axis=vega.BARE),
        "order": vega.quantitative("order"),
        "color": vega.nominal("length", title="phrases of", scale=scale, legend=vega.legend_of(LENGTHS)),
        "opacity": vega.where("datum.l == layer", 1, 0.65),
        "tooltip": [
            LAYER,
            vega.nominal("length", title="phrases of"),
            vega.quantitative("share", format=".4f"),
            vega.quantitative("count"),
        ],
    }
    spec = {"params": [layer_param(n_layers)], "height": {"step": 16}, "mark": "bar", "encoding": encoding}
    return Figure(data, spec)


def lengths_by_layer(lengths: list[list[float]], trials: list[str]) -> Figure:
    """Draw the mean length of each layer's phrases, one row per trained network, with numbers in the cells.

    Args:
        lengths: mean lengths in words by network and layer; networks may differ in their number of layers.
        trials: names of the networks.
    """
    rows = [
        (order, trial, layer, value)
        for order, (trial, by_layer) in enumerate(zip(trials, lengths, strict=True))
        for layer, value in enumerate(by_layer, 1)
    ]
    columns = zip(*rows, strict=True)
    data = pa.table(dict(zip(("order", "trial", "l", "words"), map(list, columns), strict=True)))
    longest = max(2.0, *data["words"].to_pylist())
    title = "mean number of words in a phrase that the layer selects"
    color = vega.quantitative("words", title=title, scale=vega.shades(1, longest), legend=vega.one_line(tickCount=5))
    place = {
        "x": vega.ordinal("l", title="layer", axis={**vega.BARE, "labelAngle": 0}),
        "y": vega.ordinal("trial", title=None, sort={"field": "order"}, axis={**vega.ALL_LABELS, "labelLimit": 240}),
    }
    number = vega.quantitative("words", format=".2f")
    ink = vega.ink_on(f"(datum.words - 1) / {longest - 1}")
    tips = [vega.nominal("trial"), LAYER, vega.quantitative("words", format=".4f")]
    layers = [
        vega.layer("rect", **place, color=color, tooltip=tips),
        vega.layer({"type": "text", "fontSize": NOTE}, **place, text=number, color=ink),
    ]
    return Figure(data, {"params": [], "height": {"step": ROW}, "layer": layers})


def top_words(words: np.ndarray, counts: np.ndarray, n_layers: int) -> Figure:
    """Draw the words that the chosen layer selects most often, with their counts. words, counts: [l, rank]."""
    layer, _ = vega.indices(words)
    is_word = counts.ravel() > 0  # a layer may select fewer words than there are ranks
    columns = {"l": (layer + 1).astype(np.int8), "word": words.ravel(), "n": counts.ravel()}
    data = pa.table({name: values[is_word] for name, values in columns.items()})
    most_first = {"field": "n", "order": "descending"}
    encoding = {
        "x": vega.quantitative("n", title="times selected", axis={"tickMinStep": 1, "tickCount": 5}),
        "y": vega.nominal("word", title=None, sort=most_first),
        "tooltip": [vega.nominal("word"), vega.quantitative("n", title="times selected"), LAYER],
    }
    spec = {
        "params": [layer_param(n_layers)],
        "transform": [vega.keep(f"datum.l == min(layer, {len(words)})")],
        "height": {"step": 20},
        "mark": {"type": "bar", "color": SERIES[0]},
        "encoding": encoding,
    }
    return Figure(data, spec)


def attention_table(attention: np.ndarray, scaled: np.ndarray, selected: np.ndarray, tokens: list[str]) -> pd.DataFrame:
    """One row per layer and word, counted from 1. attention, scaled, selected: [l, i]."""
    layer, i = vega.indices(attention)
    columns = {"attention": attention.ravel(), "share of the largest": scaled.ravel(), "selected": selected.ravel()}
    return pd.DataFrame({"layer": layer + 1, "position": i + 1, "word": np.array(tokens, dtype=object)[i], **columns})
