"""Finds punctuation among words, and quotes, shortens and lists words and phrases in sentences."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from jaxtyping import Bool
from numpy import ndarray

from core.analysis.phrases import phrases

MAX_QUOTE = 40  # characters in a quoted word or sentence
MAX_BEGINNING = 28  # characters of the first words of a text
_SPACED = re.compile(r"\s+(?=(?:[,.;:!?%)\]}’”]|n['’]t\b|['’](?:s|m|d|re|ve|ll)\b))|(?<=[(\[{“])\s+")


def is_punctuation(word: str) -> bool:
    """Whether a word, with or without quotation marks, consists only of punctuation and symbols."""
    return all(unicodedata.category(c)[0] == "P" or unicodedata.category(c) in ("Sk", "Sm") for c in word)


def quote(text: str, longest: int = MAX_QUOTE) -> str:
    """The text in quotation marks, on one line. A long text is cut at the end of a word."""
    text = _tidy(text)
    if len(text) > longest:
        text = (text[:longest].rpartition(" ")[0] or text[: longest - 1]) + "…"
    return f"“{text}”"


def quote_ends(text: str, longest: int = MAX_QUOTE) -> str:
    """The text in quotation marks. A long text keeps its first and last words: “of one million … of mathematics”."""
    words = _tidy(text).split(" ")
    if len(" ".join(words)) <= longest:
        return f"“{' '.join(words)}”"
    head, tail = _fitting(words, longest // 2), _fitting(words[::-1], longest // 2)[::-1]
    first = " ".join(head) or f"{words[0][: longest // 2]}…"
    last = " ".join(tail) or f"…{words[-1][-longest // 2 :]}"
    return f"“{first} … {last}”" if len(words) > 1 else f"“{words[0][: longest - 1]}…”"


def beginning(text: str, longest: int = MAX_BEGINNING) -> str:
    """The first words of a text, as on a button that chooses it."""
    return quote(text, longest).strip("“”")


def _fitting(words: Sequence[str], longest: int) -> list[str]:
    """The first words that together have at most ``longest`` characters."""
    ends = np.cumsum([len(word) + 1 for word in words]) - 1
    return list(words[: int((ends <= longest).sum())])


def _tidy(text: str) -> str:
    """The text on one line, without blanks before punctuation, as people type it."""
    return _SPACED.sub("", " ".join(text.split()))


def listed(names: Sequence[str], longest: int | None = None) -> str:
    """Join names as in "a, b and c". If there are more than ``longest``, the others are only counted."""
    if longest and len(names) > longest:
        return f"{', '.join(names[:longest])} and {len(names) - longest} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def together(names: Sequence[str]) -> str:
    """Join names that differ in their last word only, as in "capsules 1, 2 and 5"; other names as in ``listed``."""
    stems = {name.rpartition(" ")[0] for name in names}
    if len(names) < 2 or len(stems) > 1 or stems == {""} or not all(name.split()[-1].isdecimal() for name in names):
        return listed(names)
    return f"{stems.pop()}s {listed([name.split()[-1] for name in names])}"


def capital(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


@dataclass(frozen=True)
class Phrasing:
    """Names the words of a text, and phrases of them, in sentences.

    Args:
        tokens: words of the text, or its sentences.
        as_typed: function (start, end) -> these words as typed; joined by spaces if None.
    """

    tokens: Sequence[str]
    as_typed: Callable[[int, int], str] | None = field(default=None, compare=False)

    @cached_property
    def is_word(self) -> Bool[ndarray, " i"]:
        """Whether a sentence may name each token: all but punctuation, unless there is nothing else."""
        words = np.array([not is_punctuation(token) for token in self.tokens])
        return words if words.any() else ~words

    def quote(self, start: int, end: int | None = None, longest: int = MAX_QUOTE) -> str:
        """The words from start to end, or the single word at start, in quotation marks."""
        end = start + 1 if end is None else end
        text = self.as_typed(start, end) if self.as_typed else " ".join(self.tokens[start:end])
        return quote_ends(text, longest)

    def phrases(self, chosen: Bool[ndarray, " i"]) -> list[tuple[int, int]]:
        """The maximal runs [start, end) of chosen words. Punctuation joins two words, and ends no phrase."""
        words = np.flatnonzero(self.is_word)
        runs = phrases(np.asarray(chosen)[words])
        return [(int(words[start]), int(words[end - 1]) + 1) for start, end in runs]

    def phrase_at(self, i: int, chosen: Bool[ndarray, " i"]) -> tuple[int, int]:
        """The phrase of chosen words around word i; the word alone if it is not chosen."""
        return next(((start, end) for start, end in self.phrases(chosen) if start <= i < end), (i, i + 1))
