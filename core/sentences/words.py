"""Finds punctuation among words, and quotes words in sentences about a text."""

import unicodedata

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
