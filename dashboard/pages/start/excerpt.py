"""The part of a text that is drawn: all of a short text, and the words of a long one that capsules take most from."""

from typing import NamedTuple

import numpy as np
from numpy import ndarray

LONGEST = 80  # words of a text that is drawn whole, punctuation included
KEPT = 36  # words of a longer text that are drawn


class Excerpt(NamedTuple):
    """The drawn part of a text.

    Attributes:
        words: indices of the drawn words.
        pieces: the text in pieces, each with the index of its word among the drawn ones; None between words.
    """

    words: ndarray
    pieces: list[tuple[str, int | None]]


def excerpt_of(text: str, spans: list[tuple[int, int]], shares: ndarray, always: int) -> Excerpt:
    """Choose the words to draw.

    Args:
        text: text as typed.
        spans: characters [start, end) of each word.
        shares: largest share that any capsule takes from each word.
        always: index of a word that is drawn in any case.
    """
    if len(spans) <= LONGEST:
        return Excerpt(np.arange(len(spans)), _pieces(text, spans, range(len(spans))))
    strongest = np.argsort(-shares, kind="stable")[:KEPT]
    words = np.unique([*strongest, always])
    return Excerpt(words, _pieces(text, spans, words.tolist()))


def _pieces(text: str, spans: list[tuple[int, int]], words: range | list[int]) -> list[tuple[str, int | None]]:
    """The words with what is between them: as typed between neighbours, an ellipsis where words are left out."""
    pieces: list[tuple[str, int | None]] = []
    before = -1
    for n, i in enumerate(words):
        is_next = i == before + 1
        between = text[spans[before][1] if i else 0 : spans[i][0]]
        pieces += [(between if is_next else " … ", None), (text[slice(*spans[i])], n)]
        before = i
    if before < len(spans) - 1:
        pieces.append((" …", None))
    return [piece for piece in pieces if piece[0]]
