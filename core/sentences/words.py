"""Words in sentences about a text: which are punctuation, and how they are quoted."""

import unicodedata

LONGEST = 40  # characters of a quoted word or sentence


def is_punctuation(word: str) -> bool:
    """Whether a word, or a word in quotation marks, consists only of punctuation marks and signs."""
    return all(unicodedata.category(c)[0] == "P" or unicodedata.category(c) in ("Sk", "Sm") for c in word)


def quote(text: str, longest: int = LONGEST) -> str:
    """The text in quotation marks, on one line. Of a long one the beginning, up to the end of a word."""
    text = " ".join(text.split())
    if len(text) > longest:
        text = (text[:longest].rpartition(" ")[0] or text[: longest - 1]) + "…"
    return f"“{text}”"
