"""Coupling coefficients over the routing iterations."""

import numpy as np
import pandas as pd

from dashboard.figures.figure import Figure, iteration_param
from dashboard.theme import CELL, FRAME, HEIGHT, SERIES, SHARES, shorten

SCALES = {
    "output": ["cᵢⱼ, share of word i that goes to capsule j", "(a word's shares sum to 1)"],
    "input": ["cᵢⱼ, share of capsule j's intake from word i", "(a capsule's shares sum to 1)"],
}


def scale(coupling: np.ndarray, normalize: str) -> tuple[list[str], float]:
    """Title and upper end of a run's colour scale, the same for all its iterations.

    The upper end is 1 for shares of a word; shares of an intake are spread over many words, so
    theirs is the run's largest, rounded up to a tenth.
    """
    high = 1.0 if normalize == "output" else float(np.ceil(coupling.max() * 10) / 10)
    return SCALES[normalize], high


def coupling_heatmap(coupling: np.ndarray, tokens: list[str], title: list[str], high: float = 1.0) -> Figure:
    """Words across, output capsules down, colour c_ij of the chosen iteration.

    Args:
        coupling: c_ij [t, i, j].
        tokens: i words.
        title: lines, of the colour scale.
        high: upper end of the colour scale; the lower is 0.

    A click selects: the point selection ``cell`` has fields i and j, from 0. The bound parameter
    ``picked`` frames cell i * capsules + j, so that the frame moves without a new chart.
    """
    n_iters, n_words, n_capsules = coupling.shape
    t, i, j = (index.ravel() for index in np.indices(coupling.shape))
    small = {"t": (t + 1).astype(np.int8), "i": i.astype(np.int16), "j": j.astype(np.int16)}
    framed = {"test": f"datum.i * {n_capsules} + datum.j == picked"}
    bare = {"ticks": False, "domain": False, "labelOverlap": False}
    spec = {
        "params": [
            iteration_param(n_iters),
            {"name": "words", "value": [shorten(word) for word in tokens]},
            {"name": "picked", "value": -1, "bind": {"input": "range", "min": -1, "max": n_words * n_capsules}},
            {"name": "cell", "select": {"type": "point", "fields": ["i", "j"], "toggle": False, "clear": False}},
        ],
        "transform": [
            {"filter": "datum.t == iteration"},
            {"calculate": "words[datum.i]", "as": "word"},
            {"calculate": "datum.j + 1", "as": "capsule"},
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
                "title": title,
                "scale": {"domain": [0, high], "range": SHARES, "clamp": True},
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
        "type": "quantitative",
        "title": "iteration",
        "scale": {"domain": [1, max(2, n_iters)], "nice": False},
        "axis": {"values": list(range(1, n_iters + 1)), "format": "d", "grid": False},
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


def table(steps: dict[str, np.ndarray], tokens: list[str]) -> pd.DataFrame:
    """One row an iteration, word and capsule, counted from 1: c_ij, b_ij and v_j . u_ij."""
    t, i, j = (index.ravel() for index in np.indices(steps["coupling"].shape))
    columns = {"cᵢⱼ": "coupling", "bᵢⱼ": "logits", "vⱼ·uᵢⱼ": "agreement"}
    numbers = {title: steps[name].ravel() for title, name in columns.items()}
    words = np.array(tokens, dtype=object)[i]
    return pd.DataFrame({"iteration": t + 1, "position": i + 1, "word": words, "capsule": j + 1, **numbers})
