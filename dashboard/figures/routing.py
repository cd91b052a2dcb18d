"""Coupling coefficients over the routing iterations.

Every chart has a parameter ``iteration``, bound to a range input, so that it scrubs in the
browser without a word to the server.
"""

import altair as alt
import numpy as np
import pandas as pd

from dashboard.theme import CELL, SERIES, SHARES, shorten


def coupling_heatmap(
    coupling: np.ndarray, tokens: list[str], iteration: int, title: str, high: float = 1.0
) -> alt.Chart:
    """Words across, output capsules down, colour c_ij of the chosen iteration.

    Args:
        coupling: c_ij [t, i, j].
        tokens: i words.
        iteration: the one shown first, from 1.
        title: of the colour scale.
        high: upper end of the colour scale; the lower is 0.

    The chart has a point selection ``cell`` with fields i and j, from 0.
    """
    n_iters, n_words, n_capsules = coupling.shape
    t, i, j = np.indices(coupling.shape)
    data = pd.DataFrame(
        {
            "t": (t.ravel() + 1).astype(np.int8),
            "i": i.ravel().astype(np.int16),
            "j": j.ravel().astype(np.int16),
            "c": coupling.ravel().astype(np.float32),
        }
    )
    words = alt.param(name="words", value=[shorten(w) for w in tokens])
    shown = _iteration(iteration, n_iters)
    cell = alt.selection_point(name="cell", fields=["i", "j"], empty=False, clear=False)
    return (
        alt.Chart(data)
        .transform_filter("datum.t == iteration")
        .transform_calculate(word="words[datum.i]", capsule="datum.j + 1")
        .mark_rect(cursor="pointer")
        .encode(
            x=alt.X("i:O", title="word", axis=alt.Axis(labelExpr="words[datum.value]", labelAngle=-60, labelOverlap=False)),
            y=alt.Y("j:O", title="output capsule j", axis=alt.Axis(labelExpr="datum.value + 1", labelAngle=0)),
            color=alt.Color(
                "c:Q",
                title=title,
                scale=alt.Scale(domain=[0, high], range=SHARES, clamp=True),
                legend=alt.Legend(orient="top", gradientLength=220, titleLimit=400),
            ),
            stroke=alt.condition(cell, alt.value("#e4572e"), alt.value(None)),
            strokeWidth=alt.condition(cell, alt.value(3), alt.value(0)),
            tooltip=[
                alt.Tooltip("word:N", title="word"),
                alt.Tooltip("capsule:Q", title="capsule"),
                alt.Tooltip("t:Q", title="iteration"),
                alt.Tooltip("c:Q", title="c_ij", format=".4f"),
            ],
        )
        .add_params(words, shown, cell)
        .properties(width=CELL * n_words, height=CELL * n_capsules)
    )


def over_iterations(
    values: np.ndarray,
    y_title: str,
    iteration: int,
    names: list[str] | None = None,
    domain: tuple[float, float] | None = None,
) -> alt.LayerChart:
    """Lines over the iterations, and a rule at the chosen one.

    Args:
        values: [t, series]; NaN is left out.
        names: of the series, told apart by colour; without them every series is faint and their mean is bold.
        domain: of the vertical axis, fitted to the values unless given.
    """
    n_iters, n_series = values.shape
    labels = names if names is not None else [str(k + 1) for k in range(n_series)]
    data = _long(values, labels)
    x = alt.X("t:Q", title="iteration", scale=alt.Scale(domain=[1, max(2, n_iters)], nice=False), axis=_whole(n_iters))
    y = alt.Y("value:Q", title=y_title, scale=alt.Scale(domain=domain) if domain else alt.Scale(zero=False))
    tooltip = [alt.Tooltip("t:Q", title="iteration"), alt.Tooltip("value:Q", title=y_title, format=".4f")]
    shown = _iteration(iteration, n_iters)
    rule = alt.Chart(pd.DataFrame({"at": [1]})).transform_calculate(t="iteration").mark_rule(strokeDash=[4, 3]).encode(x="t:Q")
    if names is not None:
        color = alt.Color("series:N", title=None, sort=labels, scale=alt.Scale(domain=labels, range=SERIES[: len(labels)]))
        color.legend = alt.Legend(orient="top", columns=3) if len(labels) > 1 else None
        lines = alt.Chart(data).mark_line(point=True).encode(x, y, color, tooltip=[alt.Tooltip("series:N"), *tooltip])
        return alt.layer(lines, rule).add_params(shown)
    faint = alt.Chart(data).mark_line(opacity=0.25, strokeWidth=1).encode(x, y, detail="series:N")
    mean = _long(np.nanmean(values, axis=1, keepdims=True), ["mean"])
    bold = alt.Chart(mean).mark_line(point=True, strokeWidth=3).encode(x, y, tooltip=tooltip)
    return alt.layer(faint, bold, rule).add_params(shown)


def _iteration(value: int, n_iters: int) -> alt.Parameter:
    return alt.param(name="iteration", value=value, bind=alt.binding_range(min=1, max=n_iters, step=1, name="iteration"))


def _whole(n_iters: int) -> alt.Axis:
    return alt.Axis(values=list(range(1, n_iters + 1)), format="d", grid=False)


def _long(values: np.ndarray, names: list[str]) -> pd.DataFrame:
    n_iters, n_series = values.shape
    return pd.DataFrame(
        {
            "t": np.repeat(np.arange(1, n_iters + 1, dtype=np.int8), n_series),
            "series": names * n_iters,
            "value": values.ravel().astype(np.float32),
        }
    ).dropna()
