"""Runs of a text with edits: one edited run, one edit in many doses, or each coupling cut once."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import streamlit as st
from numpy import ndarray

from core import Trace
from core.datasets import corpus_of
from core.edits import Edit, OutOfRangeError, ReplaceWord, parse_edit
from core.inputs.text import Word, beginning, replace_breaks, sentences, tokenize
from core.manifest import Manifest
from core.stored import BY_KIND
from dashboard.runs.checkpoints import about
from dashboard.runs.kept import Kept, key_of
from dashboard.runs.loaded import load, with_cpu_fallback
from dashboard.runs.texts import run
from dashboard.sessions.models import when_removed

if TYPE_CHECKING:
    from core.networks.effects import Reading
    from core.networks.suggest import Suggestions

N_DOSES = 21  # doses that are run for a curve; between 0 and 1 they are 0.05 apart
MAX_CUTS = 32  # causal maps that the cache holds
MAX_ANSWERS = 64  # answers that the cache holds
MAX_READINGS = 2  # texts that the cache holds as a network read them; one run of a page needs its text more than once
_answers: Kept[ndarray] = Kept(MAX_ANSWERS)
_readings: "Kept[Reading]" = Kept(MAX_READINGS)
_cuts: Kept[ndarray] = Kept(MAX_CUTS)  # ``st.cache_data`` would also cache and replay the progress bar
TEXT_UNITS = ("word", "sentence")  # units of which a number means something else in another text


@dataclass(frozen=True)
class EditedRun:
    """A run with edits.

    Attributes:
        trace: trace of the run with all edits that could be applied.
        refused: reasons why the other edits could not be applied.
    """

    trace: Trace
    refused: dict[Edit, str]


class DosedRuns(NamedTuple):
    """Runs with one edit in many doses.

    Attributes:
        values: doses.
        probabilities: class probabilities, [dose, t, k].
        cells: numbers of the main picture, [dose, t, i, j]; None if it has others.
    """

    values: ndarray
    probabilities: ndarray
    cells: ndarray | None


@dataclass(frozen=True)
class TextRun:
    """The run of a text through a model, which can be repeated with edits.

    Attributes:
        name, device, text, n_iters: arguments of ``dashboard.runs.texts.run``.
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
        """A value that identifies the text."""
        return self.text

    def edited(self, edits: tuple[Edit, ...]) -> EditedRun:
        """Run the text with edits; those that do not fit are left out.

        Args:
            edits: edits with the word numbers of the original text.

        Raises:
            ValueError: the text or the checkpoint cannot be read.
        """
        placed, refused = renumber(self.text, edits, about(self.name).kind)
        edited = apply_edits(lambda changes: run(self.name, self.device, self.text, self.n_iters, changes), placed)
        return EditedRun(edited.trace, refused | edited.refused)

    def doses(self, edit: Edit, ends: tuple[float, float], edits: tuple[Edit, ...]) -> DosedRuns | None:
        """Run the text with one edit in many doses; None if the edit does not fit the edited text.

        Args:
            edit: edit with a dose; its own value is ignored.
            ends: smallest and largest dose.
            edits: other edits, which are applied first. All edits use the word numbers of the original text.
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

    def answers(self, edits: tuple[Edit, ...], alternatives: tuple[Edit, ...] = ()) -> ndarray | None:
        """The class probabilities after the trained number of iterations: with the edits, and with each alternative.

        Args:
            edits: edits of all runs.
            alternatives: edits of which each run after the first has one more. All edits use the word numbers of the
                original text.

        Returns:
            The probabilities [1 + alternative, k]; None if an alternative does not fit the edited text.
        """
        placed, _ = renumber(self.text, (*edits, *alternatives), about(self.name).kind)
        if not placed.keys() >= set(alternatives):
            return None
        further = tuple(placed.pop(edit) for edit in alternatives)
        forms = tuple(map(str, placed.values()))
        try:
            return with_cpu_fallback(_make_answers, self.name, self.device, self.text, forms, further)[0]
        except OutOfRangeError:
            return None

    def cuts(self, edits: tuple[Edit, ...], by: str, progress: Callable[[float], None] | None = None) -> ndarray:
        """The fall of each class's log-odds without each coupling [i, j, k], after the trained number of iterations.

        Args:
            edits: edits of all runs.
            by: "cell" or "capsule", as in ``core.cuts``.
            progress: function to call with the finished share; not called if the result is cached.
        """
        forms = tuple(map(str, edits))
        return with_cpu_fallback(make_cuts, self.name, self.device, self.text, forms, by, progress)[0]


def apply_edits(run_with: Callable[[tuple[Edit, ...]], Trace], placed: dict[Edit, Edit]) -> EditedRun:
    """Run with all edits that fit, added one after another.

    Args:
        run_with: function that runs with edits, and raises ValueError if one does not fit.
        placed: the applied form of each edit.
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
    """Rewrite edits that all use the original word numbers so that they can be applied one after another.

    Words are replaced from the last to the first, because replacing a word can move only those after it.

    Returns:
        The applied form of each edit, in the order of application, and the reasons why some cannot be applied.
    """
    replaced = sorted((e for e in edits if isinstance(e, ReplaceWord)), key=lambda edit: edit.i, reverse=True)
    if not replaced:
        return {edit: edit for edit in edits}, {}
    placed: dict[Edit, Edit] = {edit: edit for edit in replaced}
    names_words = any(_unit(edit, kind) == "word" for edit in edits)
    added = {edit.i: n for edit, n in _words_added(text, replaced).items()} if names_words else {}
    names_sentences = any(_unit(edit, kind) == "sentence" for edit in edits)
    has_other_sentences = names_sentences and _changes_sentence_count(text, replaced)
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
    """Whether an edit names a word or a sentence by number, so that it means something else in another text."""
    return _unit(edit, kind) in TEXT_UNITS


def _unit(edit: Edit, kind: str) -> str:
    """The unit of the input that an edit names; "" if it names none."""
    return edit.unit(BY_KIND[kind].naming)


def _changes_sentence_count(text: str, replaced: list[ReplaceWord]) -> bool:
    """Whether replacing these words, from the last to the first, changes the number of sentences that are read."""
    from core.networks.reading import MAX_DOCUMENT_WORDS

    typed = text = beginning(text, MAX_DOCUMENT_WORDS)
    for edit in replaced:
        typed = _retyped(typed, edit)
    return len(list(sentences(typed))) != len(list(sentences(text)))


def _words_added(text: str, replaced: list[ReplaceWord]) -> dict[ReplaceWord, int]:
    """The change in the number of words by each of these edits."""
    n_words = len(_words(text))
    return {edit: len(_words(_retyped(text, edit))) - n_words for edit in replaced}


def text_read(text: str, trace: Trace) -> str:
    """The text that a run read, which its spans are of: the typed text with the words that its edits replaced."""
    for edit in map(parse_edit, trace.edits):
        if isinstance(edit, ReplaceWord):
            text = _retyped(text, edit)
    return text


def _retyped(text: str, edit: ReplaceWord) -> str:
    """The text with one word replaced; the same text if it has no such word."""
    words = _words(text)
    return text[: words[edit.i].start] + edit.text + text[words[edit.i].end :] if edit.i < len(words) else text


def _words(text: str) -> list[Word]:
    """The words of a text, with their places in it."""
    return list(tokenize(replace_breaks(text)))


@st.cache_data(max_entries=64, show_spinner=False)
def _doses(
    name: str, version: str, device: str, text: str, n_iters: int | None, edit: str, ends: tuple, edits: tuple
) -> DosedRuns:
    from core.networks import effects

    values = np.linspace(*ends, N_DOSES)
    runs = effects.doses(load(name, version, device), text, edit, values.tolist(), n_iters, edits)
    return DosedRuns(values, *runs)


def make_cuts(
    name: str,
    version: str,
    device: str,
    sample: str | ndarray,
    edits: tuple,
    by: str,
    progress: Callable[[float], None] | None,
) -> ndarray:
    """Compute ``TextRun.cuts`` for a text or a pair of pictures; the result is cached."""
    from core.networks import effects

    def cut() -> ndarray:
        lost = effects.cuts_of(_read(name, version, device, sample, edits), by=by, progress=progress)
        lost.flags.writeable = False
        return lost

    return _cuts.get((name, version, device, key_of(sample), edits, by), cut)


def _make_answers(
    name: str, version: str, device: str, text: str, edits: tuple[str, ...], alternatives: tuple[Edit, ...]
) -> ndarray:
    """Compute ``TextRun.answers``; the result is cached."""
    from core.networks import effects

    def answer() -> ndarray:
        return effects.answers(_read(name, version, device, text, edits), alternatives)

    return _answers.get((name, version, device, text, edits, alternatives), answer)


def _read(name: str, version: str, device: str, sample: str | ndarray, edits: tuple[str, ...]) -> "Reading":
    """Read a sample for many runs; the last ones are cached."""
    from core.networks import effects

    key = name, version, device, key_of(sample), edits
    return _readings.get(key, lambda: effects.read(load(name, version, device), sample, edits=edits))


def _forget(removed: Manifest) -> None:
    """Remove what was read by a deleted checkpoint from the cache."""
    _readings.forget(lambda key: key[:2] == (removed.name, removed.version))


when_removed.append(_forget)


def suggestions(name: str, device: str, word: str) -> "Suggestions":
    """Words that could replace a word. Opposites are only suggested if the classes are ordered."""
    return with_cpu_fallback(_suggestions, name, device, word)[0]


@st.cache_data(max_entries=256, show_spinner="Looking for words to try …")
def _suggestions(name: str, version: str, device: str, word: str) -> "Suggestions":
    from core.networks.suggest import suggest

    corpus = corpus_of(about(name).corpus)
    return suggest(load(name, version, device), word, ordered=bool(corpus and corpus.is_ordered))
