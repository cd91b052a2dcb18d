"""Lines over the iterations, layers or windows."""

import numpy as np
import pandas as pd
import pyarrow as pa

from dashboard.figures import vega
from dashboard.figures.figure import Figure, iteration_param, layer_param, window_param
from dashboard.theme import GREY, GRID, HEIGHT, NOTE, class_colors

FEW = 6  # lines with their names at their ends; more have a legend
BEYOND = 0.35  # opacity of lines after the trained number of steps
THIN = 0.6  # opacity of lines below their mean
DASH = 6  # pixels of a dash in which a line shows its colour between others at the same height
APART, AROUND = 14, 50  # pixels between two names, and for the axis below the lines
PARAMS = {"iteration": iteration_param, "layer": layer_param, "window": window_param}


def lines_over(
    values: np.ndarray,
    y_title: str,
    names: list[str] | None = None,
    domain: list[float] | None = None,
    along: str = "iteration",
    colours: list[str] | None = None,
    dashes: list[list[int]] | None = None,
    trained: int | None = None,
) -> Figure:
    """Draw lines over the iterations, layers or windows, and a rule at the chosen one.

    Args:
        values: values [t, series]; NaN is left out.
        y_title: title of the vertical axis.
        names: names of the series, each with its own colour; if None, each series is faint and their mean is bold.
        domain: domain of the vertical axis; from 0 to the largest value if None.
        along: "iteration", "layer" or "window", the unit of the horizontal axis and of the rule.
        colours: colours of the series; those of classes if None.
        dashes: pattern of each series, as lengths of dashes and gaps; [1, 0] is a full line.
        trained: number of steps in training: it gets a mark, and the lines are faint after it. None if all are alike.
    """
    n_steps, _ = values.shape
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
    height = HEIGHT * 2 // 3
    lines = _faint_under_mean(place, tips)
    if names:
        lines = _named_lines(place, tips, names, colours or class_colors(names), dashes)
    if trained and trained < n_steps:
        lines = _faint_beyond(lines, place["x"], trained)
    rule = {"data": {"values": [{}]}, **vega.layer(vega.CURRENT, [vega.calculate(along, "t")], x=place["x"])}
    ends = _ends(values, domain, height) if names else None
    longest = max(map(len, names)) if names and 1 < len(names) <= FEW else 0
    room = {"padding": {"left": 0, "top": GRID, "bottom": 0, "right": 2 * GRID + 5 * longest}}
    return Figure(
        _table(values, names, ends),
        {"params": [PARAMS[along](n_steps)], "height": height, **room, "layer": [*lines, rule]},
    )


def striped(n: int) -> list[list[int]]:
    """Patterns for n lines drawn one over the other: where they coincide, the colour of each shows in turn."""
    return [[DASH * (n - k), DASH * k] if k else [1, 0] for k in range(n)]


def _ends(values: np.ndarray, domain: list[float] | None, height: int) -> np.ndarray:
    """The heights of the names at the ends of the lines, [t, series], far enough apart to be read; NaN elsewhere."""
    domain = domain or [float(edge(values, initial=0)) for edge in (np.nanmin, np.nanmax)]
    gap = APART * (domain[1] - domain[0]) / (height - AROUND)
    ends = np.full(values.shape, np.nan)
    last = [np.flatnonzero(~np.isnan(series))[-1:] for series in values.T]
    drawn = sorted((values[t[0], k], k) for k, t in enumerate(last) if len(t))
    heights = vega.spread([height for height, _ in drawn], gap, domain[1])
    for (_, k), height in zip(drawn, heights, strict=True):
        ends[last[k][0], k] = height
    return ends


def _table(values: np.ndarray, names: list[str] | None, ends: np.ndarray | None) -> pa.Table:
    """One row per point; NaN is left out."""
    t, k = vega.indices(values)
    has_value = ~np.isnan(values.ravel())
    labels = np.array(names or [str(k + 1) for k in range(values.shape[1])])
    numbers = values.ravel().astype(np.float32)[has_value]
    table = {"t": (t + 1).astype(np.int8)[has_value], "series": labels[k][has_value], "value": numbers}
    if ends is not None:
        table["end"] = pa.array(ends.ravel()[has_value], pa.float32(), from_pandas=True)
    return pa.table(table)


def _named_lines(
    place: vega.Spec,
    tips: list[vega.Spec],
    names: list[str],
    colours: list[str],
    dashes: list[list[int]] | None,
) -> list[vega.Spec]:
    """One line per series, each with its own colour and pattern, and its name at its end if there is room."""
    few = len(names) <= FEW
    legend = None if few else vega.legend_of(names)
    scale = {"domain": names, "range": colours[: len(names)]}
    color = vega.nominal("series", title=None, legend=legend, scale=scale)
    tooltip = [vega.nominal("series"), *tips]
    pattern = color | {"scale": {"domain": names, "range": dashes}} if dashes else None
    lines = vega.layer({"type": "line", "point": True}, **place, color=color, strokeDash=pattern, tooltip=tooltip)
    if not few or len(names) == 1:
        return [lines]
    at_end = place | {"y": place["y"] | {"field": "end"}}
    name = {"type": "text", "align": "left", "dx": 8, "fontSize": NOTE, **vega.SILENT}
    has_name = [vega.keep("isValid(datum.end)")]
    return [lines, vega.layer(name, has_name, **at_end, color=color, text=vega.nominal("series"))]


def _faint_under_mean(place: vega.Spec, tips: list[vega.Spec]) -> list[vega.Spec]:
    """One faint line per series, and a bold line for their mean."""
    mean = {"aggregate": [{"op": "mean", "field": "value", "as": "value"}], "groupby": ["t"]}
    return [
        vega.layer({"type": "line", "opacity": THIN, "strokeWidth": 1.5}, **place, detail=vega.nominal("series")),
        vega.layer({"type": "line", "point": True, "strokeWidth": 3}, [mean], **place, tooltip=tips),
    ]


def _faint_beyond(lines: list[vega.Spec], x: vega.Spec, trained: int) -> list[vega.Spec]:
    """The lines, faint after the trained number of steps, which is marked and named."""
    parts = []
    for line in lines:
        mark, transform = line["mark"], line.get("transform", [])
        if mark["type"] != "line":
            parts.append(line)
            continue
        faint = mark | {"opacity": BEYOND * mark.get("opacity", 1)}
        faint |= {"point": {"opacity": BEYOND}} if mark.get("point") else {}
        for of_part, test in ((mark, f"datum.t <= {trained}"), (faint, f"datum.t >= {trained}")):
            parts.append(line | {"mark": of_part, "transform": [vega.keep(test), *transform]})
    at = {"data": {"values": [{"t": trained}]}}
    rule = vega.layer({"type": "rule", "color": GREY, **vega.SILENT}, x=x)
    text = {"type": "text", "align": "left", "baseline": "bottom", "dx": 4, "fontSize": NOTE, "y": -1, **vega.SILENT}
    name = vega.layer(text | {"color": GREY}, x=x, text={"value": f"trained with {trained}"})
    return [at | rule, *parts, at | name]


def iteration_table(columns: dict[str, np.ndarray]) -> pd.DataFrame:
    """One row per iteration, counted from 1. columns: arrays [t] by name."""
    (n_iters,) = {len(values) for values in columns.values()}
    return pd.DataFrame({"iteration": np.arange(1, n_iters + 1), **columns})
