"""Coupling coefficients over the routing iterations.

Every chart has a parameter ``iteration``, bound to a range input and at the last iteration first,
so that it scrubs in the browser without a word to the server.
"""

import altair as alt
import numpy as np
import pandas as pd

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


def coupling_heatmap(coupling: np.ndarray, tokens: list[str], title: list[str], high: float = 1.0) -> alt.Chart:
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
    cell = alt.selection_point(name="cell", fields=["i", "j"], toggle=False, clear=False)
    picked = alt.param(name="picked", value=-1, bind=alt.binding_range(min=-1, max=n_words * n_capsules, name="picked"))
    framed = f"datum.i * {n_capsules} + datum.j == picked"
    return (
        alt.Chart(data)
        .transform_filter("datum.t == iteration")
        .transform_calculate(word="words[datum.i]", capsule="datum.j + 1")
        .mark_rect(cursor="pointer")
        .encode(
            x=alt.X("i:O", title=None, axis=_axis("words[datum.value]", angle=-60)),
            y=alt.Y("j:O", title="output capsule j", axis=_axis("datum.value + 1")),
            color=alt.Color(
                "c:Q",
                title=title,
                scale=alt.Scale(domain=[0, high], range=SHARES, clamp=True),
                legend=alt.Legend(orient="top", gradientLength=240, titleLimit=600, tickCount=5),
            ),
            stroke=alt.condition(framed, alt.value(FRAME), alt.value(None)),
            strokeWidth=alt.condition(framed, alt.value(4), alt.value(0)),
            tooltip=[
                alt.Tooltip("word:N"),
                alt.Tooltip("capsule:Q"),
                alt.Tooltip("t:Q", title="iteration"),
                alt.Tooltip("c:Q", title="cᵢⱼ", format=".4f"),
            ],
        )
        .add_params(words, picked, cell, _iteration(n_iters))
        .properties(width=alt.Step(CELL), height=alt.Step(CELL))
    )


def over_iterations(
    values: np.ndarray,
    y_title: str,
    names: list[str] | None = None,
    domain: tuple[float, float] | None = None,
) -> alt.LayerChart:
    """Lines over the iterations, and a rule at the chosen one.

    Args:
        values: [t, series]; NaN is left out.
        names: of the series, told apart by colour; without them each series is faint and their mean is bold.
        domain: of the vertical axis, fitted to the values unless given.
    """
    n_iters, n_series = values.shape
    labels = names or [str(k + 1) for k in range(n_series)]
    x = alt.X(
        "t:Q",
        title="iteration",
        scale=alt.Scale(domain=[1, max(2, n_iters)], nice=False),
        axis=alt.Axis(values=list(range(1, n_iters + 1)), format="d", grid=False),
    )
    y = alt.Y("value:Q", title=y_title, scale=alt.Scale(domain=domain) if domain else alt.Scale(zero=False))
    tooltip = [alt.Tooltip("t:Q", title="iteration"), alt.Tooltip("value:Q", title=y_title, format=".4f")]
    lines = alt.Chart(_long(values, labels))
    if names:
        color = alt.Color(
            "series:N",
            title=None,
            scale=alt.Scale(domain=labels, range=SERIES[:n_series]),
            legend=alt.Legend(orient="top", columns=2) if n_series > 1 else None,
        )
        drawn = [lines.mark_line(point=True).encode(x, y, color, tooltip=["series:N", *tooltip])]
    else:
        mean = alt.Chart(_long(np.nanmean(values, axis=1, keepdims=True), ["mean"]))
        drawn = [
            lines.mark_line(opacity=0.3, strokeWidth=1).encode(x, y, detail="series:N"),
            mean.mark_line(point=True, strokeWidth=3).encode(x, y, tooltip=tooltip),
        ]
    now = alt.Chart(pd.DataFrame({"t": [1]})).transform_calculate(t="iteration")
    rule = now.mark_rule(strokeDash=[4, 3], color=FRAME).encode(x)
    return alt.layer(*drawn, rule).add_params(_iteration(n_iters)).properties(height=HEIGHT)


def table(steps: dict[str, np.ndarray], tokens: list[str]) -> pd.DataFrame:
    """One row an iteration, word and capsule, counted from 1: c_ij, b_ij and v_j . u_ij."""
    t, i, j = (index.ravel() for index in np.indices(steps["coupling"].shape))
    columns = {"cᵢⱼ": "coupling", "bᵢⱼ": "logits", "vⱼ·uᵢⱼ": "agreement"}
    numbers = {title: steps[name].ravel() for title, name in columns.items()}
    words = np.array(tokens, dtype=object)[i]
    return pd.DataFrame({"iteration": t + 1, "position": i + 1, "word": words, "capsule": j + 1, **numbers})


def _axis(label: str, angle: int = 0) -> alt.Axis:
    return alt.Axis(labelExpr=label, labelAngle=angle, labelOverlap=False, ticks=False, domain=False)


def _iteration(n_iters: int) -> alt.Parameter:
    bind = alt.binding_range(min=1, max=n_iters, step=1, name="iteration ")
    return alt.param(name="iteration", value=n_iters, bind=bind)


def _long(values: np.ndarray, names: list[str]) -> pd.DataFrame:
    n_iters, n_series = values.shape
    t = np.repeat(np.arange(1, n_iters + 1, dtype=np.int8), n_series)
    data = pd.DataFrame({"t": t, "series": names * n_iters, "value": values.ravel().astype(np.float32)})
    return data.dropna()
