"""Lines over the iterations, layers or windows."""

import numpy as np
import pandas as pd
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure, iteration_param, layer_param, window_param
from dashboard.theme import HEIGHT, SERIES

PARAMS = {"iteration": iteration_param, "layer": layer_param, "window": window_param}


def lines_over(
    values: np.ndarray,
    y_title: str,
    names: list[str] | None = None,
    domain: list[float] | None = None,
    along: str = "iteration",
    colours: list[str] = SERIES,
) -> Figure:
    """Draw lines over the iterations, layers or windows, and a rule at the chosen one.

    Args:
        values: values [t, series]; NaN is left out.
        y_title: title of the vertical axis.
        names: names of the series, each with its own colour; if None, each series is faint and their mean is bold.
        domain: domain of the vertical axis; from 0 to the largest value if None.
        along: "iteration", "layer" or "window", the unit of the horizontal axis and of the rule.
        colours: colours of the series.
    """
    n_steps, n_series = values.shape
    points = {"type": "point", "domain": list(range(1, n_steps + 1)), "padding": 0.2}
    axis = {"labelAngle": 0, "labelOverlap": True, "grid": False}
    # Vega computes a domain that depends on the numbers, so that other numbers do not change the specification and the
    # browser updates the chart instead of rebuilding it.
    y_scale = {"domain": domain} if domain else {"zero": True, "nice": False}
    place = {
        "x": vega.ordinal("t", title=along, scale=points, axis=axis),
        "y": vega.quantitative("value", title=y_title, scale=y_scale),
    }
    tips = [
        vega.quantitative("t", title=along),
        vega.quantitative("value", title=y_title, format=".4f"),
    ]
    lines = _named_lines(place, tips, names, colours) if names else _faint_under_mean(place, tips)
    rule = {"data": {"values": [{}]}, **vega.layer(vega.CURRENT, [vega.calculate(along, "t")], x=place["x"])}
    height = HEIGHT if names and n_series > 1 else HEIGHT * 2 // 3
    return Figure(
        _table(values, names), {"params": [PARAMS[along](n_steps)], "height": height, "layer": [*lines, rule]}
    )


def _table(values: np.ndarray, names: list[str] | None) -> pa.Table:
    """One row per point; NaN is left out."""
    t, k = vega.indices(values)
    has_value = ~np.isnan(values.ravel())
    labels = np.array(names or [str(k + 1) for k in range(values.shape[1])])
    numbers = values.ravel().astype(np.float32)[has_value]
    return pa.table({"t": (t + 1).astype(np.int8)[has_value], "series": labels[k][has_value], "value": numbers})


def _named_lines(place: vega.Spec, tips: list[vega.Spec], names: list[str], colours: list[str]) -> list[vega.Spec]:
    """One line per series, each with its own colour."""
    legend = {"orient": "top", "columns": 2} if len(names) > 1 else None
    scale = {"domain": names, "range": colours[: len(names)]}
    color = vega.nominal("series", title=None, legend=legend, scale=scale)
    tooltip = [vega.nominal("series"), *tips]
    return [vega.layer({"type": "line", "point": True}, **place, color=color, tooltip=tooltip)]


def _faint_under_mean(place: vega.Spec, tips: list[vega.Spec]) -> list[vega.Spec]:
    """One faint line per series, and a bold line for their mean."""
    mean = {"aggregate": [{"op": "mean", "field": "value", "as": "value"}], "groupby": ["t"]}
    return [
        vega.layer({"type": "line", "opacity": 0.3, "strokeWidth": 1}, **place, detail=vega.nominal("series")),
        vega.layer({"type": "line", "point": True, "strokeWidth": 3}, [mean], **place, tooltip=tips),
    ]


def iteration_table(columns: dict[str, np.ndarray]) -> pd.DataFrame:
    """One row per iteration, counted from 1. columns: arrays [t] by name."""
    (n_iters,) = {len(values) for values in columns.values()}
    return pd.DataFrame({"iteration": np.arange(1, n_iters + 1), **columns})
