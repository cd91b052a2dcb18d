"""Runs with changes inside: edited ones, one edit in many doses, and every coupling cut once."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st
from numpy import ndarray

from core import Trace
from core.datasets import corpus_of
from core.edits import Edit, OutOfRangeError, ReplaceWord
from core.inputs.text import Word, as_read, sentences, tokenize
from core.trace import BY_KIND
from dashboard.runs.checkpoints import about, load, with_cpu_fallback
from dashboard.runs.kept import Kept
from dashboard.runs.texts import run

if TYPE_CHECKING:
    from core.networks.suggest import Suggestions

N_DOSES = 21
MAX_CUTS = 32  # causal maps that are kept
_cuts: Kept[ndarray] = Kept(MAX_CUTS)  # ``st.cache_data`` would keep the bar drawn meanwhile, and draw it again
OF_TEXT = ("word", "sentence")  # units that another text has others of


@dataclass(frozen=True)
class EditedRun:
    """A run with edits.

    Attributes:
        trace: of the run with every edit that could be applied.
        refused: why each of the other edits could not.
    """

    trace: Trace
    refused: dict[Edit, str]


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

    def edited(self, edits: tuple[Edit, ...]) -> EditedRun:
        """The run with edits; those that do not fit it are left out.

        Args:
            edits: each numbers words as in the text without edits.

        Raises:
            ValueError: the text or the checkpoint cannot be read.
        """
        placed, refused = renumber(self.text, edits, about(self.name).kind)
        edited = apply_edits(lambda changes: run(self.name, self.device, self.text, self.n_iters, changes), placed)
        return EditedRun(edited.trace, refused | edited.refused)

    def doses(self, edit: Edit, ends: tuple[float, float], edits: tuple[Edit, ...]) -> tuple[ndarray, ndarray] | None:
        """The classes with one edit in many doses.

        Args:
            edit: the dose that it has is not used.
            ends: the smallest dose and the largest.
            edits: the others, applied before it; each numbers words as in the text without edits.

        Returns:
            The doses, and the probabilities [dose, t, k]; None if the run with the other edits has no such thing.
        """
        n_iters = None if self.n_iters is None else max(self.n_iters, about(self.name).model["n_iters"])
        placed, _ = renumber(self.text, (*edits, edit), about(self.name).kind)
        if edit not in placed:
            return None
        dosed = str(placed.pop(edit))
        others = tuple(map(str, placed.values()))
        try:
            return with_cpu_fallback(_doses, self.name, self.device, self.text, n_iters, dosed, ends, others)[0]
        except OutOfRangeError:
            return None

    def cuts(self, edits: tuple[Edit, ...], by: str, progress: Callable[[float], None] | None = None) -> ndarray:
        """What the log-odds of each class lose without each coupling [i, j, k], after the model's own iterations.

        Args:
            edits: of all runs.
            by: as in ``core.cuts``.
            progress: called with the share that is done, unless the cuts were made before.
        """
        forms = tuple(map(str, edits))
        return with_cpu_fallback(make_cuts, self.name, self.device, self.text, forms, by, progress)[0]


def apply_edits(run_with: Callable[[tuple[Edit, ...]], Trace], placed: dict[Edit, Edit]) -> EditedRun:
    """A run with as many of the edits as it admits, one after the other.

    Args:
        run_with: runs with these edits; ValueError if one of them does not fit.
        placed: each edit as it is applied.
    """
    try:
        return EditedRun(run_with(tuple(placed.values())), {})
    except ValueError:
        trace = run_with(())
    applied: list[Edit] = []
    refused = {}
    for edit, change in placed.items():
        try:
            trace = run_with((*applied, change))
            applied.append(change)
        except OutOfRangeError as error:
            refused[edit] = f"There are only {error.size}."
        except ValueError as error:
            refused[edit] = str(error)
    return EditedRun(trace, refused)


def renumber(text: str, edits: tuple[Edit, ...], kind: str) -> tuple[dict[Edit, Edit], dict[Edit, str]]:
    """Edits that all number words as in one text, changed so that they can be applied one after another.

    Words are replaced from the last to the first, so that none moves before its turn. A word moves when one before it
    is deleted or becomes several.

    Returns:
        Each edit as it is applied, in the order in which they apply, and why some cannot be.
    """
    replaced = sorted((e for e in edits if isinstance(e, ReplaceWord)), key=lambda edit: edit.i, reverse=True)
    placed: dict[Edit, Edit] = {edit: edit for edit in replaced}
    numbers_words = any(_unit(edit, kind) == "word" for edit in edits)
    added = {edit.i: n for edit, n in _words_added(text, replaced).items()} if numbers_words else {}
    has_other_sentences = "sentence" in {_unit(edit, kind) for edit in edits} and _count_changes(text, replaced)
    refused = {}
    for edit in edits:
        if isinstance(edit, ReplaceWord):
            continue
        unit = _unit(edit, kind)
        if unit == "sentence" and has_other_sentences:
            refused[edit] = "Your word changes split the text into different sentences."
        elif unit == "word" and added.get(edit.i, 0) < 0:
            refused[edit] = "That word is no longer in the text."
        elif unit == "word":
            placed[edit] = replace(edit, i=edit.i + sum(n for k, n in added.items() if k < edit.i))
        else:
            placed[edit] = edit
    return placed, refused


def is_of_one_text(edit: Edit, kind: str) -> bool:
    """Whether an edit numbers a word or a sentence, so that it means something else in another text."""
    return _unit(edit, kind) in OF_TEXT


def _unit(edit: Edit, kind: str) -> str:
    """What an edit numbers in a kind of network; "" where it numbers no input."""
    return edit.unit(BY_KIND[kind].naming)


def _count_changes(text: str, replaced: list[ReplaceWord]) -> bool:
    """Whether the text is cut into more or fewer sentences once the words are replaced, the last one first."""
    typed = text
    for edit in replaced:
        typed = _retyped(typed, edit)
    return len(list(sentences(typed))) != len(list(sentences(text)))


def _words_added(text: str, replaced: list[ReplaceWord]) -> dict[ReplaceWord, int]:
    """How many words more, or less, the text has with each of these edits."""
    n_words = len(_words(text))
    return {edit: len(_words(_retyped(text, edit))) - n_words for edit in replaced}


def _retyped(text: str, edit: ReplaceWord) -> str:
    """The text with one word replaced; the same text if it has no such word."""
    words = _words(text)
    return text[: words[edit.i].start] + edit.text + text[words[edit.i].end :] if edit.i < len(words) else text


def _words(text: str) -> list[Word]:
    return list(tokenize(as_read(text)))


@st.cache_data(max_entries=64, show_spinner=False)
def _doses(
    name: str, version: str, device: str, text: str, n_iters: int | None, edit: str, ends: tuple, edits: tuple
) -> tuple[ndarray, ndarray]:
    from core.networks import effects

    values = np.linspace(*ends, N_DOSES)
    return values, effects.doses(load(name, version, device), text, edit, values.tolist(), n_iters, edits)


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
    from core.networks import effects

    def cut() -> ndarray:
        lost = effects.cuts(load(name, version, device), sample, None, edits, by=by, progress=progress)
        lost.flags.writeable = False
        return lost

    key = sample if isinstance(sample, str) else (sample.tobytes(), sample.shape)
    return _cuts.get((name, version, device, key, edits, by), cut)


def suggestions(name: str, device: str, word: str) -> "Suggestions":
    """Words to try in place of this one; opposites only where the classes go from negative to positive."""
    return with_cpu_fallback(_suggestions, name, device, word)[0]


@st.cache_data(max_entries=256, show_spinner="Looking for words to try …")
def _suggestions(name: str, version: str, device: str, word: str) -> "Suggestions":
    from core.networks.suggest import suggest

    corpus = corpus_of(about(name).corpus)
    return suggest(load(name, version, device), word, ordered=bool(corpus and corpus.is_ordered))
