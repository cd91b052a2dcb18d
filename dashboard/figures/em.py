"""Figures of EM routing: shares, capsules as Gaussians, credit."""

import numpy as np
import pandas as pd
import pyarrow as pa

from core.traces.em import Outputs
from dashboard.figures import vega
from dashboard.figures.figure import Figure, iteration_param
from dashboard.figures.heatmap import Axis, Colour, heatmap
from dashboard.theme import GREY, GRID, HEIGHT, PICKED, SIGNED, shorten

QUANTITIES = {
    "R": "R, share of a hidden state that this part takes",
    "D_use": "D_use, data of the hidden state that this part uses: f(a) R",
    "D_ign": "D_ign, data of the hidden state that this part ignores: f(a) - D_use",
}
TENTHS = (0.001, 0.01, 0.1, 1.0)  # ticks of a logarithmic scale: with 64 outputs, shares begin at 1/64
NARROW = 14  # pixels, width of a column if there are many: 64 parts fit on the screen
MOST_NAMES, LINE = 10, 20  # capsules with their names next to them; pixels between two names
TIPS = {"x": "mean, 1", "y": "mean, 2", "f": "f(a_j)"}


def layer_heatmap(values: np.ndarray, tokens: list[str], pieces: list[str], layers: list[int], quantity: str) -> Figure:
    """Draw words across and the transformer's layers down, with its embeddings at the bottom as layer 0.

    Args:
        values: means over each word's pieces, from 0 to 1, [t, token, l]. The scale is logarithmic except for D_ign,
            which is near 1 where the others are near 0.
        tokens: words.
        pieces: pieces of each word, for tips.
        layers: numbers of the layers.
        quantity: key of ``QUANTITIES``.
    """
    title = "layer l (0: embeddings)" if 0 in layers else "layer l"
    scale = "straight" if quantity == "D_ign" else "logarithmic"
    note = f"(mean of a word's pieces; {scale} scale)"
    return heatmap(
        values[:, :, ::-1],
        _words(tokens, pieces),
        Axis("layer", [str(layer) for layer in reversed(layers)], title=title),
        Colour(quantity, [QUANTITIES[quantity], note], ticks=TENTHS if scale == "logarithmic" else ()),
    )


def credit_heatmap(
    credit: np.ndarray, tokens: list[str], pieces: list[str], classes: list[str], largest: float | None = None
) -> Figure:
    """Draw words across and classes down; colour is the credit on a scale centred on 0.

    Args:
        credit: credit [t, token, k].
        tokens: words.
        pieces: pieces of each word, for tips.
        classes: names of the classes.
        largest: end of the scale on both sides; the largest credit of either sign if None.
    """
    largest = largest or float(np.abs(credit).max()) or 1.0
    return heatmap(
        credit,
        _words(tokens, pieces),
        Axis("class", classes),
        Colour(
            "credit",
            ["credit: what a word adds to a class's score", "(a class's credits sum to its score)"],
            (-largest, largest),
            range=SIGNED,
        ),
        array="trace.credit_of_words",
        dosed=True,
    )


def part_heatmap(use: np.ndarray, classes: list[str]) -> Figure:
    """Draw parts across and classes down; colour is D_use of the second routing. The picked part has a frame.

    Args:
        use: D_use [t, j, k].
        classes: names of the classes.
    """
    n_parts = use.shape[1]
    return heatmap(
        use,
        Axis("part", [str(j + 1) for j in range(n_parts)], title="part j"),
        Axis("class", classes),
        Colour("D_use", ["D_use, data of part j that class k uses: f(a_j) R_jk"]),
        framed="datum.i == picked",
        cell=NARROW,
        stretch=False,
    )


def gaussians(
    means: np.ndarray, variances: np.ndarray, activation: np.ndarray, names: list[str], chosen: int | None = None
) -> Figure:
    """Draw each capsule at its mean, with a cross of one standard deviation to each side, at the chosen iteration.

    Args:
        means, variances: means and variances [t, j, h]; the first two components are drawn.
        activation: f(a_j) [t, j], which the colour shows.
        names: names of the capsules; up to ten are written next to them.
        chosen: index of the capsule with a ring.
    """
    n_iters, n_capsules, _ = means.shape
    data = _crosses(means, variances, activation)
    has_names = n_capsules <= MOST_NAMES
    place = {}
    for k, axis in enumerate("xy", 1):
        ends = [float(data[f"{axis}1"].to_numpy().min()), float(data[f"{axis}2"].to_numpy().max())]
        title = f"component {k} of the mean"
        if axis == "y" and has_names:
            data = data.append_column("label", pa.array(_label_heights(means, ends)))
        place[axis] = vega.quantitative(axis, title=title, scale={"domain": ends, "nice": True})
    scale, legend = vega.shades(0, 1), vega.one_line(120, tickCount=3)
    color = vega.quantitative("f", title="f(a_j), how active", scale=scale, legend=legend)
    tips = [
        vega.nominal("name", title="capsule"),
        *(vega.quantitative(field, title=title, format=".4f") for field, title in TIPS.items()),
    ]
    cross, disc = {"type": "rule", "opacity": 0.5, "color": GREY}, {"type": "circle", "size": 90, "opacity": 1}
    is_chosen = f"datum.j == {-1 if chosen is None else chosen}"
    ring = {"stroke": vega.where(is_chosen, PICKED, GREY), "strokeWidth": vega.where(is_chosen, 3, 1)}
    layers = [
        vega.layer(cross, **place | {"x": place["x"] | {"field": "x1"}}, x2={"field": "x2"}),
        vega.layer(cross, **place | {"y": place["y"] | {"field": "y1"}}, y2={"field": "y2"}),
        vega.layer(disc, **place, color=color, **ring, tooltip=tips),
    ]
    if has_names:
        text = {"type": "text", "align": "left", "dx": GRID}
        at_label = place | {"y": place["y"] | {"field": "label"}}
        layers.append(vega.layer(text, **at_label, text=vega.nominal("name")))
    spec = {
        "params": [iteration_param(n_iters), {"name": f"names{n_capsules}", "value": names}],
        "transform": [vega.keep("datum.t == iteration"), vega.calculate(f"names{n_capsules}[datum.j]", "name")],
        "height": HEIGHT,
        "layer": layers,
    }
    return Figure(data, spec)


def _label_heights(means: np.ndarray, ends: list[float]) -> np.ndarray:
    """The heights of the names next to the capsules at each iteration [t, j], apart from each other, in one column."""
    gap = LINE * (ends[1] - ends[0]) / HEIGHT
    heights = np.zeros(means.shape[:2], np.float32)
    for t, at in enumerate(means[..., 1] if means.shape[2] > 1 else heights):
        order = np.argsort(at, kind="stable")
        heights[t, order] = vega.spread(at[order].tolist(), gap, ends[1])
    return heights.ravel()


def _crosses(means: np.ndarray, variances: np.ndarray, activation: np.ndarray) -> pa.Table:
    """One row per iteration and capsule, with the ends of its cross."""
    x, y = (means[..., k] if means.shape[2] > k else np.zeros(means.shape[:2]) for k in (0, 1))
    dx, dy = (np.sqrt(variances[..., k]) if means.shape[2] > k else np.zeros(means.shape[:2]) for k in (0, 1))
    t, j = vega.indices(x)
    numbers = {"x": x, "y": y, "x1": x - dx, "x2": x + dx, "y1": y - dy, "y2": y + dy, "f": activation}
    columns = {name: array.ravel().astype(np.float32) for name, array in numbers.items()}
    return pa.table({"t": (t + 1).astype(np.int8), "j": j.astype(np.int16)} | columns)


def capsule_table(outputs: Outputs, names: list[str]) -> pd.DataFrame:
    """One row per iteration and capsule, counted from 1, with bang per bit and its terms, means and variances."""
    t, j = vega.indices(outputs.scores)
    columns = {name: getattr(outputs, name).ravel() for name in ("benefit", "cost", "scores", "activation")}
    for symbol, values in (("mean", outputs.capsules), ("variance", outputs.variances)):
        columns |= {f"{symbol} {h + 1}": values[..., h].ravel() for h in range(values.shape[2])}
    return pd.DataFrame({"iteration": t + 1, "capsule": np.array(names, dtype=object)[j], **columns})


def token_table(values: dict[str, np.ndarray], tokens: list[str], names: list[str], title: str) -> pd.DataFrame:
    """One row per iteration, word, and layer or class.

    Args:
        values: arrays [t, token, layer or class] by name.
        tokens: words.
        names: names of the layers or classes.
        title: title of their column.
    """
    t, i, j = vega.indices(next(iter(values.values())))
    words, others = np.array(tokens, dtype=object)[i], np.array(names, dtype=object)[j]
    numbers = {name: array.ravel() for name, array in values.items()}
    return pd.DataFrame({"iteration": t + 1, "position": i + 1, "word": words, title: others, **numbers})


def _words(tokens: list[str], pieces: list[str]) -> Axis:
    """The axis of words; tips show the pieces of a word."""
    return Axis("word", pieces, labels=[shorten(word) for word in tokens])
