"""Lines over the iterations, layers or windows."""

import numpy as np
import pandas as pd
import pyarrow as pa

from dashboard.figures.figure import Figure, iteration_param, layer_param, window_param
from dashboard.shared.theme import FRAME, HEIGHT, SERIES

PARAMS = {"iteration": iteration_param, "layer": layer_param, "window": window_param}


def lines_over(
    values: np.ndarray,
    y_title: str,
    names: list[str] | None = None,
    domain: list[float] | None = None,
    along: str = "iteration",
) -> Figure:
    """Lines over the iterations, layers or windows, and a rule at the chosen one.

    Args:
        values: [t, series]; NaN is left out.
        names: of the series, told apart by colour; without them each series is faint and their mean is bold.
        domain: of the vertical axis; from 0 to the values unless given.
        along: "iteration", "layer" or "window", what the values go over and what the rule follows.
    """
    n_iters, n_series = values.shape
    labels = names or [str(k + 1) for k in range(n_series)]
    t, k = (index.ravel() for index in np.indices(values.shape))
    some = ~np.isnan(values.ravel())
    shown = values.ravel().astype(np.float32)[some]
    data = pa.table({"t": (t + 1).astype(np.int8)[some], "series": np.array(labels)[k][some], "value": shown})
    x = {
        "field": "t",
        "type": "ordinal",
        "title": along,
        "scale": {"type": "point", "domain": list(range(1, n_iters + 1)), "padding": 0.2},
        "axis": {"labelAngle": 0, "labelOverlap": True, "grid": False},
    }
    y = {
        "field": "value",
        "type": "quantitative",
        "title": y_title,
        # Where the numbers decide, Vega works it out: a chart whose text is the same is updated, not made anew.
        "scale": {"domain": domain} if domain else {"zero": True, "nice": False},
    }
    tooltip = [
        {"field": "t", "type": "quantitative", "title": along},
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
        "transform": [{"calculate": along, "as": "t"}],
        "mark": {"type": "rule", "strokeDash": [4, 3], "color": FRAME},
        "encoding": {"x": x},
    }
    lines = [layer | {"encoding": {"x": x, "y": y, **layer["encoding"]}} for layer in drawn]
    height = HEIGHT if names and n_series > 1 else HEIGHT * 2 // 3
    return Figure(data, {"params": [PARAMS[along](n_iters)], "height": height, "layer": [*lines, rule]})


def iteration_table(columns: dict[str, np.ndarray]) -> pd.DataFrame:
    """One row an iteration, counted from 1. columns: [t] each."""
    (n_iters,) = {len(values) for values in columns.values()}
    return pd.DataFrame({"iteration": np.arange(1, n_iters + 1), **columns})
