"""One part: the words and layers that it takes, and its score."""

import numpy as np
import streamlit as st

from core.traces.em import EMTextTrace
from dashboard.figures.em import QUANTITIES, capsule_table, layer_heatmap, part_heatmap, token_table
from dashboard.figures.lines import lines_over
from dashboard.screen.inputs import choose_option
from dashboard.screen.shown import Shown


def draw_part(shown: Shown, trace: EMTextTrace, part: int) -> None:
    """Draw each part's contribution to the classes, and one part's words, layers and score.

    A click in the first picture picks a part.

    Args:
        shown: record of the page.
        trace: trace of the run.
        part: index of the part.
    """
    quantity = choose_option(list(QUANTITIES), "Show for each word and layer", "show")
    st.caption(
        "A part is a capsule between the words and the classes. Click one to see its words. “Bang per bit” is a "
        "capsule's score: what it gains from the data it uses, minus what it pays for the data it ignores."
    )
    second = trace.parts_to_classes
    figure = part_heatmap(second.gate[..., None] * second.coupling, trace.classes)
    shown.draw_heatmap("Parts to classes", figure, "parts", "D_use of every part for every class", {"i": "part"})
    figure = layer_heatmap(
        shares_of(trace, part)[quantity], trace.tokens, trace.pieces_of_words, trace.read_layers, quantity
    )
    alt = f"{quantity} of every word and layer for part {part + 1}"
    shown.draw_heatmap(f"{quantity} of part {part + 1}", figure, "layers", alt)
    if quantity != "R":
        st.caption("In this routing, every word is fully active: f(a) = 1. So D_use = R and D_ign = 1 - R.")
    first = trace.inputs_to_parts
    score = np.stack([values[:, part] for values in (first.benefit, first.cost, first.scores)], 1)
    active = first.activation[:, [part]]
    charts = {
        f"Bang per bit of part {part + 1}": lines_over(score, "a_j = benefit - cost", ["benefit", "cost", "score"]),
        f"How active part {part + 1} is": lines_over(active, "f(a_j)", ["f(a)"], [0, 1]),
    }
    shown.draw_charts(charts, columns=2)


def add_tables(shown: Shown, trace: EMTextTrace, part: int) -> None:
    """Record the tables of all pictures on the page."""
    layers = [str(layer) for layer in trace.read_layers]
    first, second = trace.inputs_to_parts, trace.parts_to_classes
    shown.add_table(
        "credit", lambda: token_table({"credit": trace.credit_of_words}, trace.tokens, trace.classes, "class")
    )
    shown.add_table(f"part {part + 1}", lambda: token_table(shares_of(trace, part), trace.tokens, layers, "layer"))
    shown.add_table("parts", lambda: capsule_table(first, names_of_parts(trace)))
    shown.add_table("classes", lambda: capsule_table(second, trace.classes))


def shares_of(trace: EMTextTrace, part: int) -> dict[str, np.ndarray]:
    """R, D_use and D_ign of one part, as means over each word's pieces, [t, word, layer]."""
    first = trace.inputs_to_parts
    coupling = first.coupling[:, :, part]
    use = first.gate * coupling
    n_pieces = np.bincount(trace.token_of)[:, None]
    values = {"R": coupling, "D_use": use, "D_ign": first.gate - use}
    return {name: trace.by_word(array) / n_pieces for name, array in values.items()}


def names_of_parts(trace: EMTextTrace) -> list[str]:
    """The names of the parts, such as "part 1"."""
    return [f"part {j + 1}" for j in range(trace.inputs_to_parts.scores.shape[1])]
