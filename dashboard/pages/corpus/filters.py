"""The pictures of the finished rows, of which a click picks rows, and the buttons for right and wrong rows."""

from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import streamlit as st
from numpy import ndarray

from core.sentences.confusion import confusion
from dashboard.figures.corpus import N_BINS, certainties
from dashboard.figures.corpus import confusion as confusion_figure
from dashboard.jobs.corpus import CorpusRun
from dashboard.pages.corpus.texts import OTHER
from dashboard.screen.shown import draw_figure

COLUMNS = ("class", "second")  # columns of the rows with the predictions of the first and of the second network


class Pick(NamedTuple):
    """The rows that a click has picked.

    Attributes:
        rows: mask of the picked rows; all if nothing is picked.
        name: the picked cell or bar in words; "" if nothing is picked.
    """

    rows: ndarray
    name: str


def keys() -> list[str]:
    """The keys of the pictures. They change when the picks are cleared."""
    return [_key(chart) for chart in (*COLUMNS, "certainties")]


def _key(chart: str) -> str:
    return f"corpus {chart} {st.session_state.get('cleared', 0)}"


def clear() -> None:
    """Clear the picks in the pictures."""
    st.session_state.cleared = st.session_state.get("cleared", 0) + 1


def pick_cell(run: CorpusRun, rows: pa.Table, column: str) -> Pick:
    """Draw the confusion matrix of the network with the predictions in a column, and return the pick in it."""
    classes, given = list(run.classes), codes(rows[column], run.classes)
    truth = codes(rows["truth"], classes, OTHER) if run.source.has_truth else np.zeros(len(rows), int)
    truths = [*classes, OTHER] if run.source.has_truth and (truth == len(classes)).any() else classes
    truths = truths if run.source.has_truth else ["all texts"]
    known = (given >= 0) & (truth >= 0)
    figure = confusion_figure(confusion(truth[known], given[known], len(truths), len(classes)), truths, classes)
    alt = "How many texts of each class have each prediction: click a cell to see its texts"
    picked = _picked(draw_figure(figure, on_select="rerun", selection_mode="cell", key=_key(column), alt=alt))
    if not picked or picked["truth"] not in truths or picked["class"] not in classes:
        return Pick(np.ones(len(rows), bool), "")
    mask = (truth == truths.index(picked["truth"])) & (given == classes.index(picked["class"]))
    true_class = f"{picked['truth']} " if run.source.has_truth else ""
    by = " by the second model" if column == COLUMNS[1] else ""
    return Pick(mask, f"{true_class}predicted as {picked['class']}{by}")


def pick_bin(run: CorpusRun, rows: pa.Table) -> Pick:
    """Draw the histogram of the first network's probabilities, and return the pick in it."""
    certainty, is_given = pc.fill_null(rows["certainty"], 0).to_numpy(), codes(rows["class"], run.classes) >= 0
    bins = np.minimum((certainty * N_BINS).astype(int), N_BINS - 1)
    figure = certainties(np.bincount(bins[is_given], minlength=N_BINS))
    alt = "How many texts have each probability of the predicted class: click a bar to see its texts"
    picked = _picked(draw_figure(figure, on_select="rerun", selection_mode="cell", key=_key("certainties"), alt=alt))
    if not picked:
        return Pick(np.ones(len(rows), bool), "")
    low, high = picked["bin"] / N_BINS, (picked["bin"] + 1) / N_BINS
    return Pick((bins == picked["bin"]) & is_given, f"probability {low:.0%} to {high:.0%}")


def _picked(event: dict) -> dict:
    """The fields of the picked mark; empty if none is picked."""
    marks = event.get("selection", {}).get("cell") or [{}]
    return marks[0]


def choose_rows(run: CorpusRun, rows: pa.Table) -> ndarray:
    """Let the user choose right rows, wrong rows, and so on, and return a mask of them."""
    everything = np.ones(len(rows), bool)
    truth = pc.if_else(pc.is_in(rows["truth"], pa.array(run.classes)), rows["truth"], None)
    right = pc.equal(rows["class"], truth)
    same = pc.equal(rows["class"], rows["second"])
    masks = {
        "All": everything,
        "Wrong": _true_or_false(pc.invert(right)),
        "Right": _true_or_false(right),
        "Models disagree": _true_or_false(pc.invert(same)),
        "Errors": _true_or_false(pc.is_valid(rows["error"])),
    }
    options = [name for name, mask in masks.items() if mask.any() or name == st.session_state.get("show")] or ["All"]
    how = {"key": "show", "required": True, "label_visibility": "collapsed"}
    shown = st.segmented_control("Show", options, default="All", **how)
    return masks.get(shown or "All", everything)


def codes(names: pa.ChunkedArray, classes: list[str] | tuple[str, ...], other: str = "") -> ndarray:
    """The index of each name's class; -1 for null. Another name gets -1, or the next index if ``other`` is a class."""
    known = pc.fill_null(pc.index_in(names, pa.array(classes)), -1).to_numpy()
    if not other:
        return known
    return np.where((known < 0) & pc.is_valid(names).to_numpy(), len(classes), known)


def _true_or_false(mask: pa.ChunkedArray) -> ndarray:
    """The mask with False instead of null."""
    return pc.fill_null(mask, False).to_numpy()
