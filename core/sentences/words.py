"""Finds punctuation among words, and quotes and lists words in sentences."""

import unicodedata
from collections.abc import Sequence

MAX_QUOTE = 40  # characters in a quoted word or sentence


def is_punctuation(word: str) -> bool:
    """Whether a word, with or without quotation marks, consists only of punctuation and symbols."""
    return all(unicodedata.category(c)[0] == "P" or unicodedata.category(c) in ("Sk", "Sm") for c in word)


def quote(text: str, longest: int = MAX_QUOTE) -> str:
    """The text in quotation marks, on one line. A long text is cut at the end of a word."""
    text = " ".join(text.split())
    if len(text) > longest:
        text = (text[:longest].rpartition(" ")[0] or text[: longest - 1]) + "…"
    return f"“{text}”"


def listed(names: Sequence[str], longest: int | None = None) -> str:
    """Join names as in "a, b and c". If there are more than ``longest``, the others are only counted."""
    if longest and len(names) > longest:
        return f"{', '.join(names[:longest])} and {len(names) - longest} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
