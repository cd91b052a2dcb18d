"""Runs with changes inside: edited ones, one edit in many doses, and every coupling cut once."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st
from numpy import ndarray

from core import Trace
from core.inputs.text import as_read, tokenize
from dashboard.runs.checkpoints import about, load, with_cpu_fallback
from dashboard.runs.texts import run

if TYPE_CHECKING:
    from core.suggestions import Suggestions

N_DOSES = 21
OF_ONE_TEXT = ("drop:", "replace:", "couple:")  # edits that name a word or another input by its number
INPUTS_ARE_WORDS = ("dragg", "agt", "drnn")  # kinds of networks
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
        edits: in their form on the command line, with every word numbered as in the text without edits.

    Raises:
        ValueError: the text or the checkpoint cannot be read.
    """
    placed, refused = renumber(text, edits, about(name).kind)
    try:
        return EditedRun(run(name, device, text, n_iters, tuple(placed.values())), refused)
    except ValueError:
        applied = []
        trace = run(name, device, text, n_iters)
    for edit, form in placed.items():
        try:
            trace = run(name, device, text, n_iters, (*applied, form))
            applied.append(form)
        except ValueError as error:
            refused[edit] = str(error)
    return EditedRun(trace, refused)


def renumber(text: str, edits: tuple[str, ...], kind: str) -> tuple[dict[str, str], dict[str, str]]:
    """Edits that number words as in one text, as edits in a row, each of which finds the text that the others left.

    Words are replaced from the last to the first, so that none moves before its turn. An input that stands behind a
    word which became none, or several, has moved.

    Returns:
        The form of each edit in the order in which they apply, and why some cannot.
    """
    replaced = {edit: _number(edit) for edit in edits if edit.startswith("replace:")}
    forms = {edit: edit for edit in sorted(replaced, key=replaced.__getitem__, reverse=True)}
    added = _words_added(text, replaced) if kind in INPUTS_ARE_WORDS else {}
    refused = {}
    for edit in edits:
        match = re.fullmatch(r"(drop|couple):(\d+)(.*)", edit)
        if edit in replaced:
            continue
        if match and added.get(int(match[2]), 0) < 0:
            refused[edit] = "The text has no such word any more."
        elif match:
            i = int(match[2])
            forms[edit] = f"{match[1]}:{i + sum(n for k, n in added.items() if k < i)}{match[3]}"
        else:
            forms[edit] = edit
    return forms, refused


def _number(edit: str) -> int:
    """The number that an edit begins with; -1 if it has none."""
    match = re.match(r"\w+:(\d+)", edit)
    return int(match[1]) if match else -1


def _words_added(text: str, replaced: dict[str, int]) -> dict[int, int]:
    """How many words more, or less, the text has for every word that is replaced."""
    words = list(tokenize(as_read(text)))
    added = {}
    for edit, i in replaced.items():
        if 0 <= i < len(words):
            typed = edit.partition("=")[2]
            retyped = text[: words[i].start] + typed + text[words[i].end :]
            added[i] = sum(1 for _ in tokenize(as_read(retyped))) - len(words)
    return added


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
