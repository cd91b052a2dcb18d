"""Coupling coefficients over the routing iterations."""

import numpy as np
import pandas as pd

from dashboard.figures.figure import Figure, iteration_param
from dashboard.theme import CELL, FRAME, HEIGHT, SERIES, SHARES, shorten

TITLES = {
    "output": ["cᵢⱼ, share of word i that goes to capsule j", "(a word's shares sum to 1)"],
    "input": ["cᵢⱼ, share of capsule j's intake from word i", "(a capsule's shares sum to 1)"],
}


def coupling_heatmap(coupling: np.ndarray, tokens: list[str], normalize: str) -> Figure:
    """Words across, output capsules down, colour c_ij of the chosen iteration on a scale from 0 to 1.

    Args:
        coupling: c_ij [t, i, j].
        tokens: i words.
        normalize: "output" or "input", whose shares they are.

    A click selects: the point selection ``cell`` has fields i and j, from 0. Two parameters are
    bound so that the dashboard can set them without a new chart: ``picked`` frames cell
    i * capsules + j; ``turn`` counts the picks, so that a second click on a cell is news too.
    """
    n_iters, n_words, n_capsules = coupling.shape
    t, i, j = (index.ravel() for index in np.indices(coupling.shape))
    small = {"t": (t + 1).astype(np.int8), "i": i.astype(np.int16), "j": j.astype(np.int16)}
    framed = {"test": f"datum.i * {n_capsules} + datum.j == picked"}
    whole = {"input": "range", "step": 1}
    bare = {"ticks": False, "domain": False, "labelOverlap": False}
    spec = {
        "params": [
            iteration_param(n_iters),
            {"name": "words", "value": [shorten(word) for word in tokens]},
            {"name": "picked", "value": -1, "bind": {**whole, "min": -1, "max": n_words * n_capsules}},
            {"name": "turn", "value": 0, "bind": {**whole, "min": 0, "max": 1_000_000}},
            {
                "name": "cell",
                "select": {"type": "point", "fields": ["i", "j", "turn"], "toggle": False, "clear": False},
            },
        ],
        "transform": [
            {"filter": "datum.t == iteration"},
            {"calculate": "words[datum.i]", "as": "word"},
            {"calculate": "datum.j + 1", "as": "capsule"},
            {"calculate": "turn", "as": "turn"},
        ],
        "mark": {"type": "rect", "cursor": "pointer"},
        "width": {"step": CELL},
        "height": {"step": CELL},
        "autosize": {"type": "pad"},
        "encoding": {
            "x": {
                "field": "i",
                "type": "ordinal",
                "title": None,
                "axis": {"labelExpr": "words[datum.value]", "labelAngle": -60, **bare},
            },
            "y": {
                "field": "j",
                "type": "ordinal",
                "title": "output capsule j",
                "axis": {"labelExpr": "datum.value + 1", **bare},
            },
            "color": {
                "field": "c",
                "type": "quantitative",
                "title": TITLES[normalize],
                "scale": {"domain": [0, 1], "range": SHARES},
                "legend": {"orient": "top", "gradientLength": 240, "titleLimit": 600, "tickCount": 5},
            },
            "stroke": {"condition": framed | {"value": FRAME}, "value": None},
            "strokeWidth": {"condition": framed | {"value": 4}, "value": 0},
            "tooltip": [
                {"field": "word", "type": "nominal"},
                {"field": "capsule", "type": "quantitative"},
                {"field": "t", "type": "quantitative", "title": "iteration"},
                {"field": "c", "type": "quantitative", "title": "cᵢⱼ", "format": ".4f"},
            ],
        },
    }
    return Figure(pd.DataFrame(small | {"c": coupling.ravel().astype(np.float32)}), spec)


def over_iterations(
    values: np.ndarray,
    y_title: str,
    names: list[str] | None = None,
    domain: list[float] | None = None,
) -> Figure:
    """Lines over the iterations, and a rule at the chosen one.

    Args:
        values: [t, series]; NaN is left out.
        names: of the series, told apart by colour; without them each series is faint and their mean is bold.
        domain: of the vertical axis; from 0 to the values unless given.
    """
    n_iters, n_series = values.shape
    labels = names or [str(k + 1) for k in range(n_series)]
    t = np.repeat(np.arange(1, n_iters + 1, dtype=np.int8), n_series)
    data = pd.DataFrame({"t": t, "series": labels * n_iters, "value": values.ravel().astype(np.float32)}).dropna()
    x = {
        "field": "t",
        "type": "ordinal",
        "title": "iteration",
        "scale": {"type": "point", "domain": list(range(1, n_iters + 1)), "padding": 0.2},
        "axis": {"labelAngle": 0, "labelOverlap": True, "grid": False},
    }
    y = {
        "field": "value",
        "type": "quantitative",
        "title": y_title,
        "scale": {"domain": domain or _from_zero(values)},
    }
    tooltip = [
        {"field": "t", "type": "quantitative", "title": "iteration"},
        {"field": "value", "type": "quantitative", "title": y_title, "format": ".4f"},
    ]
    if names:
        legend = {"orient": "top", "columns": 2} if n_series > 1 else None
        series = {"field": "series", "type": "nominal", "title": None, "legend": legend}
        color = series | {"scale": {"domain": labels, "range": SERIES[:n_series]}}
        name = {"field": "series", "type": "nominal"}
        drawn = [{"mark": {"type": "line", "point": True}, "encoding": {"color": color, "tooltip": [name, *tooltip]}}]
    else:
        mean = {"aggregate": [{"op": "mean", "field": "value", "as": "value"}], "groupby": ["t"]}
        drawn = [
            {
                "mark": {"type": "line", "opacity": 0.3, "strokeWidth": 1},
                "encoding": {"detail": {"field": "series", "type": "nominal"}},
            },
            {
                "transform": [mean],
                "mark": {"type": "line", "point": True, "strokeWidth": 3},
                "encoding": {"tooltip": tooltip},
            },
        ]
    rule = {
        "data": {"values": [{}]},
        "transform": [{"calculate": "iteration", "as": "t"}],
        "mark": {"type": "rule", "strokeDash": [4, 3], "color": FRAME},
        "encoding": {"x": x},
    }
    lines = [layer | {"encoding": {"x": x, "y": y, **layer["encoding"]}} for layer in drawn]
    height = HEIGHT if names and n_series > 1 else HEIGHT * 2 // 3
    return Figure(data, {"params": [iteration_param(n_iters)], "height": height, "layer": [*lines, rule]})


def _from_zero(values: np.ndarray) -> list[float]:
    finite = values[np.isfinite(values)]
    low, high = float(min(0, finite.min(initial=0))), float(max(0, finite.max(initial=0)))
    return [low, high if high > low else low + 1]


def cell_table(steps: dict[str, np.ndarray], tokens: list[str]) -> pd.DataFrame:
    """One row an iteration, word and capsule, counted from 1: c_ij, b_ij and v_j . u_ij."""
    t, i, j = (index.ravel() for index in np.indices(steps["coupling"].shape))
    columns = {"cᵢⱼ": "coupling", "bᵢⱼ": "logits", "vⱼ·uᵢⱼ": "agreement"}
    numbers = {title: steps[name].ravel() for title, name in columns.items()}
    words = np.array(tokens, dtype=object)[i]
    return pd.DataFrame({"iteration": t + 1, "position": i + 1, "word": words, "capsule": j + 1, **numbers})


def iteration_table(columns: dict[str, np.ndarray]) -> pd.DataFrame:
    """One row an iteration, counted from 1. columns: [t] each."""
    (n_iters,) = {len(values) for values in columns.values()}
    return pd.DataFrame({"iteration": np.arange(1, n_iters + 1), **columns})
