"""Coupling coefficients over the routing iterations."""

import numpy as np
import pandas as pd

from core.traces.dragg import Shares
from dashboard.figures import vega
from dashboard.figures.figure import Figure
from dashboard.figures.heatmap import Axis, Colour, heatmap
from dashboard.theme import shorten

TITLES = {
    "output": ["c_ij, the share of {unit} i that goes to capsule j", "(a {unit}'s shares sum to 1)"],
    "input": ["c_ij, the share of capsule j that comes from {unit} i", "(a capsule's shares sum to 1)"],
}
ARRAYS = {"word": "trace.inputs_to_capsules.coupling", "sentence": "trace.sentences_to_document.coupling"}
FEATURE_TITLE = ["c_ij, the share of feature capsule i that goes to class j", "(a feature capsule's shares sum to 1)"]


def coupling_heatmap(
    coupling: np.ndarray,
    tokens: list[str],
    normalize: str,
    unit: str = "word",
    picked: bool = True,
    known: np.ndarray | None = None,
    largest: float | None = None,
    array: str | None = None,
) -> Figure:
    """Draw words across and output capsules down; colour is c_ij at the chosen iteration, from 0 to 1.

    Args:
        coupling: coupling coefficients c_ij, [t, i, j].
        tokens: words or sentences.
        normalize: "output" or "input", the side over which shares sum to 1.
        unit: unit of the tokens.
        picked: whether cells can be clicked, and the picked one has a frame.
        known: whether the network knows each word.
        largest: largest share of all pictures on this scale; of this one if None.
        array: as in ``heatmap``; that of a text or a document if None.
    """
    n_capsules = coupling.shape[2]
    return heatmap(
        coupling,
        Axis(unit, tokens, labels=[shorten(token) for token in tokens], known=known),
        Axis("capsule", [str(j + 1) for j in range(n_capsules)], title="output capsule j"),
        Colour("c_ij", [line.format(unit=unit) for line in TITLES[normalize]]).up_to(largest or float(coupling.max())),
        framed=f"datum.i * {n_capsules} + datum.j == picked" if picked else None,
        array=ARRAYS[unit] if array is None else array,
    )


def feature_heatmap(
    coupling: np.ndarray, classes: list[str], picked: bool = True, largest: float | None = None
) -> Figure:
    """Draw feature capsules across and class capsules down; colour is c_ij at the chosen iteration.

    Args:
        coupling: coupling coefficients c_ij, [t, i, j].
        classes: names of the classes.
        picked, largest: as in ``coupling_heatmap``.
    """
    return heatmap(
        coupling,
        Axis("feature", [str(i + 1) for i in range(coupling.shape[1])], title="feature capsule i"),
        Axis("class", classes, labels=[shorten(name) for name in classes]),
        Colour("c_ij", FEATURE_TITLE).up_to(largest or float(coupling.max())),
        framed="datum.i == picked" if picked else None,
        array="trace.features_to_classes.coupling",
    )


def cell_table(shares: Shares, tokens: list[str], unit: str = "word") -> pd.DataFrame:
    """One row per iteration, word and capsule, counted from 1, with c_ij, b_ij and v_j . u_ij.

    Args:
        shares: cells of the routing.
        tokens: words or sentences.
        unit: unit of the tokens.
    """
    t, i, j = vega.indices(shares.coupling)
    columns = {"c_ij": shares.coupling, "b_ij": shares.logits, "v_j.u_ij": shares.agreement}
    numbers = {title: values.ravel() for title, values in columns.items()}
    words = np.array(tokens, dtype=object)[i]
    place, name = ("position", "word") if unit == "word" else (unit, "text")
    return pd.DataFrame({"iteration": t + 1, place: i + 1, name: words, "capsule": j + 1, **numbers})
