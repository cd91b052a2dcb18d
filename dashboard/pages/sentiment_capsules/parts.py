"""One part: what it takes in from words and layers, and what it gains by that."""

import numpy as np
import streamlit as st

from core.traces.em import EMTextTrace
from dashboard.figures.em import capsule_table, layer_heatmap, token_table
from dashboard.figures.lines import lines_over
from dashboard.pages.sentiment_capsules.words import mean_by_word, pieces_of_words
from dashboard.shared.shown import Shown


def draw_part(shown: Shown, trace: EMTextTrace, part: int, quantity: str) -> None:
    """A heat map of words and layers, and the part's score. quantity: what is shown in the heat map."""
    shares = shares_of(trace, part)
    figure = layer_heatmap(shares[quantity], trace.tokens, pieces_of_words(trace), quantity)
    alt = f"{quantity} of every word and layer for part {part + 1}"
    shown.draw_heatmap(f"{quantity} of part {part + 1}", figure, "layers", alt)
    if quantity != "R":
        st.caption("Every word is fully active, f(a) = 1, so D_use = R and D_ign = 1 - R in this routing.")
    first = trace.inputs_to_parts
    score = np.stack([values[:, part] for values in (first.benefit, first.cost, first.scores)], 1)
    active = first.activation[:, [part]]
    charts = {
        f"Bang per bit of part {part + 1}": lines_over(score, "aⱼ = benefit - cost", ["benefit", "cost", "score"]),
        f"How active part {part + 1} is": lines_over(active, "f(aⱼ)", ["f(a)"], [0, 1]),
    }
    shown.draw_charts(charts, columns=2)
    layers = [str(layer) for layer in range(trace.n_layers)]
    shown.add_table(f"part {part + 1}", lambda: token_table(shares, trace.tokens, layers, "layer"))
    shown.add_table("parts", lambda: capsule_table(first, names_of_parts(trace)))


def shares_of(trace: EMTextTrace, part: int) -> dict[str, np.ndarray]:
    """R, D_use and D_ign of one part [t, word, layer], the mean over a word's pieces."""
    first = trace.inputs_to_parts
    coupling = first.coupling[:, :, part]
    use = first.gate * coupling
    values = {"R": coupling, "D_use": use, "D_ign": first.gate - use}
    return {name: mean_by_word(trace, array) for name, array in values.items()}


def names_of_parts(trace: EMTextTrace) -> list[str]:
    return [f"part {j + 1}" for j in range(trace.inputs_to_parts.scores.shape[1])]
