"""Runs with changes inside: edited ones, one edit in many doses, and every coupling cut once."""

import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st
from numpy import ndarray

from core import Trace
from core.datasets import corpus_of
from core.inputs.text import Word, as_read, sentences, tokenize
from dashboard.runs.checkpoints import about, load, with_cpu_fallback
from dashboard.runs.texts import run

if TYPE_CHECKING:
    from typing import TypeGuard

    from core.edits import OutOfRangeError
    from core.suggestions import Suggestions

N_DOSES = 21
MOST_CUTS = 32  # causal maps that are kept
_keeping = Lock()  # one thread at a time changes which are
INPUTS_ARE_WORDS = ("dragg", "agt", "drnn")  # kinds of networks
INPUTS_ARE_OF_TEXT = (*INPUTS_ARE_WORDS, "dragg-documents")  # words or sentences


@dataclass(frozen=True)
class EditedRun:
    """A run with edits.

    Attributes:
        trace: of the run with every edit that could be applied.
        refused: why each of the other edits could not, by its form.
    """

    trace: Trace
    refused: dict[str, str]


@dataclass(frozen=True)
class TextRun:
    """A text through a model, to be run again with edits.

    Attributes:
        name, device, text, n_iters: as ``run`` takes them.
    """

    name: str
    device: str
    text: str
    n_iters: int | None

    @property
    def sample(self) -> str:
        """Python that evaluates to the text."""
        return repr(self.text)

    @property
    def subject(self) -> str:
        """Tells this text from others."""
        return self.text

    def edited(self, edits: tuple[str, ...]) -> EditedRun:
        """The run with edits; those that do not fit it are left out.

        Args:
            edits: in their form on the command line, with every word numbered as in the text without edits.

        Raises:
            ValueError: the text or the checkpoint cannot be read.
        """
        placed, refused = renumber(self.text, edits, about(self.name).kind)
        edited = apply_edits(lambda forms: run(self.name, self.device, self.text, self.n_iters, forms), placed)
        return EditedRun(edited.trace, refused | edited.refused)

    def doses(self, edit: str, ends: tuple[float, float], edits: tuple[str, ...]) -> tuple[ndarray, ndarray] | None:
        """The classes with one edit in many doses.

        Args:
            edit: its form; the value in it is not used.
            ends: the smallest dose and the largest.
            edits: the others, applied before it; every word is numbered as in the text without edits.

        Returns:
            The doses, and the probabilities [dose, t, k]; None if the run with the other edits has no such thing.
        """
        n_iters = None if self.n_iters is None else max(self.n_iters, about(self.name).model["n_iters"])
        placed, _ = renumber(self.text, (*edits, edit), about(self.name).kind)
        if edit not in placed:
            return None
        dosed = placed.pop(edit)
        others = tuple(placed.values())
        try:
            return with_cpu_fallback(_doses, self.name, self.device, self.text, n_iters, dosed, ends, others)[0]
        except ValueError as error:
            if not _is_out_of_range(error):
                raise
            return None

    def cuts(self, edits: tuple[str, ...], by: str, progress: Callable[[float], None] | None = None) -> ndarray:
        """What the log-odds of each class lose without each coupling [i, j, k], after the model's own iterations.

        Args:
            edits: of all runs.
            by: as in ``core.cuts``.
            progress: called with the share that is done, unless the cuts were made before.
        """
        return with_cpu_fallback(make_cuts, self.name, self.device, self.text, edits, by, progress)[0]


def apply_edits(run_with: Callable[[tuple[str, ...]], Trace], forms: dict[str, str]) -> EditedRun:
    """A run with as many of the edits as it admits, one after the other.

    Args:
        run_with: runs with these edits; ValueError if one of them does not fit.
        forms: the form in which each edit is applied.
    """
    try:
        return EditedRun(run_with(tuple(forms.values())), {})
    except ValueError:
        trace = run_with(())
    applied: list[str] = []
    refused = {}
    for edit, form in forms.items():
        try:
            trace = run_with((*applied, form))
            applied.append(form)
        except ValueError as error:
            refused[edit] = _in_words(error)
    return EditedRun(trace, refused)


def _in_words(error: ValueError) -> str:
    return f"There are only {error.size}." if _is_out_of_range(error) else str(error)


def _is_out_of_range(error: ValueError) -> "TypeGuard[OutOfRangeError]":
    from core.edits import OutOfRangeError  # imports PyTorch

    return isinstance(error, OutOfRangeError)


def renumber(text: str, edits: tuple[str, ...], kind: str) -> tuple[dict[str, str], dict[str, str]]:
    """Edits that number words as in one text, as edits in a row, each of which finds the text that the others left.

    Words are replaced from the last to the first, so that none moves before its turn. An input that stands behind a
    word which became none, or several, has moved.

    Returns:
        The form of each edit in the order in which they apply, and why some cannot.
    """
    replacing = {edit: re.fullmatch(r"replace:(\d{1,9})=.*", edit, re.DOTALL) for edit in edits}
    replaced = {edit: int(match[1]) for edit, match in replacing.items() if match}
    forms = {edit: edit for edit in sorted(replaced, key=replaced.__getitem__, reverse=True)}
    added = _words_added(text, replaced) if any(_numbers_a_word(edit, kind) for edit in edits) else {}
    is_cut_anew = bool(replaced) and kind == "dragg-documents" and _has_other_sentences(text, replaced)
    refused = {}
    for edit in edits:
        if edit in replaced:
            continue
        match = re.fullmatch(r"(drop|couple):(\d{1,9})(.*)", edit) if _numbers_a_word(edit, kind) else None
        if is_cut_anew and edit.startswith(("drop:", "couple:")) and not match:
            refused[edit] = "With the changed words the text has other sentences."
            continue
        if match and added.get(int(match[2]), 0) < 0:
            refused[edit] = "The text has no such word any more."
        elif match:
            i = int(match[2])
            forms[edit] = f"{match[1]}:{i + sum(n for k, n in added.items() if k < i)}{match[3]}"
        else:
            forms[edit] = edit
    return forms, refused


def is_of_one_text(edit: str, kind: str) -> bool:
    """Whether an edit names a word or a sentence by its number, so that it means something else in another text."""
    names_an_input = edit.startswith(("drop:", "couple:")) and kind in INPUTS_ARE_OF_TEXT
    return edit.startswith("replace:") or names_an_input or _numbers_a_word(edit, kind)


def _numbers_a_word(edit: str, kind: str) -> bool:
    """Whether the input that an edit numbers is a word.

    Of a document it is where the edit is of its first routing, and of EM routing where it drops one and names no
    routing.
    """
    if kind == "em-sst":
        return edit.startswith("drop:") and "@" not in edit
    return edit.startswith(("drop:", "couple:")) and (
        kind in INPUTS_ARE_WORDS or (kind == "dragg-documents" and edit.endswith("@0"))
    )


def _has_other_sentences(text: str, replaced: dict[str, int]) -> bool:
    """Whether the text is cut into more or fewer sentences once the words are replaced."""
    typed = text
    for edit in sorted(replaced, key=replaced.__getitem__, reverse=True):
        typed = _retyped(typed, edit, replaced[edit])
    return len(list(sentences(typed))) != len(list(sentences(text)))


def _words_added(text: str, replaced: dict[str, int]) -> dict[int, int]:
    """How many words more, or less, the text has for every word that is replaced."""
    n_words = len(_words(text))
    return {i: len(_words(_retyped(text, edit, i))) - n_words for edit, i in replaced.items()}


def _retyped(text: str, edit: str, i: int) -> str:
    """The text with word i as the edit has it; the same text if it has no such word."""
    words = _words(text)
    return text[: words[i].start] + edit.partition("=")[2] + text[words[i].end :] if i < len(words) else text


def _words(text: str) -> list[Word]:
    return list(tokenize(as_read(text)))


@st.cache_data(max_entries=64, show_spinner=False)
def _doses(
    name: str, version: str, device: str, text: str, n_iters: int | None, edit: str, ends: tuple, edits: tuple
) -> tuple[ndarray, ndarray]:
    from core import effects

    values = np.linspace(*ends, N_DOSES)
    return values, effects.doses(load(name, version, device), text, edit, values.tolist(), n_iters, edits)


@st.cache_resource(show_spinner=False)
def _kept_cuts() -> dict[Hashable, ndarray]:
    """The cuts that were made last. ``st.cache_data`` would keep the bar that is drawn meanwhile, and draw it again."""
    return {}


def make_cuts(
    name: str,
    version: str,
    device: str,
    sample: str | ndarray,
    edits: tuple,
    by: str,
    progress: Callable[[float], None] | None,
) -> ndarray:
    """As ``TextRun.cuts``, of a text or a pair of pictures; kept, if it was made before."""
    from core import effects

    kept = _kept_cuts()
    key = (name, version, device, sample if isinstance(sample, str) else (sample.tobytes(), sample.shape), edits, by)
    lost = kept.get(key)
    if lost is None:
        lost = effects.cuts(load(name, version, device), sample, None, edits, by=by, progress=progress)
        lost.flags.writeable = False
        with _keeping:
            kept[key] = lost
            while len(kept) > MOST_CUTS:
                del kept[next(iter(kept))]
    return lost


def suggestions(name: str, device: str, word: str) -> "Suggestions":
    """Words to try in place of this one; opposites only where the classes go from negative to positive."""
    return with_cpu_fallback(_suggestions, name, device, word)[0]


@st.cache_data(max_entries=256, show_spinner="Looking for words to try …")
def _suggestions(name: str, version: str, device: str, word: str) -> "Suggestions":
    from core.suggestions import suggest

    corpus = corpus_of(about(name).corpus)
    return suggest(load(name, version, device), word, ordered=bool(corpus and corpus.is_ordered))
