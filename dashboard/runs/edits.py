"""Runs with changes inside: edited ones, one edit in many doses, and every coupling cut once."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st
from numpy import ndarray

from core import Trace
from dashboard.runs.checkpoints import about, load, with_cpu_fallback
from dashboard.runs.texts import run

if TYPE_CHECKING:
    from core.suggestions import Suggestions

N_DOSES = 21
OF_ONE_TEXT = ("drop:", "replace:", "couple:")  # edits that name a word or another input by its number
ORDERED = ("sst", "imdb", "imdb_documents")  # corpora whose classes go from negative to positive


@dataclass(frozen=True)
class EditedRun:
    """A run with edits.

    Attributes:
        trace: of the run with every edit that could be applied.
        refused: why each of the other edits could not, by its form.
    """

    trace: Trace
    refused: dict[str, str]


def run_edited(name: str, device: str, text: str, n_iters: int | None, edits: tuple[str, ...]) -> EditedRun:
    """The run of a text with edits; those that do not fit it are left out.

    Args:
        name, device, text, n_iters: as in ``run``.
        edits: in their form on the command line.

    Raises:
        ValueError: the text or the checkpoint cannot be read.
    """
    try:
        return EditedRun(run(name, device, text, n_iters, edits), {})
    except ValueError:
        applied, refused = [], {}
        trace = run(name, device, text, n_iters)
    for edit in edits:
        try:
            trace = run(name, device, text, n_iters, (*applied, edit))
            applied.append(edit)
        except ValueError as error:
            refused[edit] = str(error)
    return EditedRun(trace, refused)


def doses(
    name: str, device: str, text: str, n_iters: int | None, edit: str, ends: tuple[float, float], edits: tuple[str, ...]
) -> tuple[ndarray, ndarray]:
    """The classes with one edit in many doses.

    Args:
        edit: its form; the value in it is not used.
        ends: the smallest dose and the largest.
        edits: applied before it.

    Returns:
        The doses, and the probabilities [dose, t, k].
    """
    values = np.linspace(*ends, N_DOSES)
    probabilities, _ = with_cpu_fallback(_doses, name, device, text, _iterations(name, n_iters), edit, ends, edits)
    return values, probabilities


@st.cache_data(max_entries=64, show_spinner=False)
def _doses(
    name: str, version: str, device: str, text: str, n_iters: int | None, edit: str, ends: tuple, edits: tuple
) -> ndarray:
    from core import effects

    values = np.linspace(*ends, N_DOSES).tolist()
    return effects.doses(load(name, version, device), text, edit, values, n_iters, edits)


def cuts(
    name: str,
    device: str,
    text: str,
    edits: tuple[str, ...],
    by: str = "cell",
    routing: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> ndarray:
    """By how much the log-odds of each class fall without each coupling [i, j, k], after the model's own iterations.

    Args:
        by, routing: as in ``core.cuts``.
        progress: called with the share that is done, unless the cuts were made before.
    """
    lost, _ = with_cpu_fallback(_cuts, name, device, text, edits, by, routing, progress)
    return lost


@st.cache_data(max_entries=32, show_spinner=False)
def _cuts(
    name: str,
    version: str,
    device: str,
    text: str,
    edits: tuple,
    by: str,
    routing: int | None,
    _progress: Callable[[float], None] | None,
) -> ndarray:
    from core import effects

    return effects.cuts(load(name, version, device), text, None, edits, by=by, routing=routing, progress=_progress)


def suggestions(name: str, device: str, word: str) -> "Suggestions":
    """Words to try in place of this one; opposites only where the classes go from negative to positive."""
    return with_cpu_fallback(_suggestions, name, device, word)[0]


@st.cache_data(max_entries=256, show_spinner="Looking for words to try …")
def _suggestions(name: str, version: str, device: str, word: str) -> "Suggestions":
    from core.suggestions import suggest

    return suggest(load(name, version, device), word, ordered=about(name).corpus in ORDERED)


def _iterations(name: str, n_iters: int | None) -> int | None:
    return None if n_iters is None else max(n_iters, about(name).model["n_iters"])
