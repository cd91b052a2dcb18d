"""Findings on EM routing: which class is ahead, which phrase adds most to its score, and what counts against it."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from core.sentences.steps import mark_beyond
from core.sentences.words import Phrasing, capital

NO_CREDIT = 0.005  # a smaller credit, in absolute value, is almost nothing
MAX_PHRASE = 6  # words; in a longer phrase only the best word is named
PART = 0.5  # a neighbour with at least this part of the best word's credit belongs to its phrase


def describe_credit(
    credit: Float[ndarray, "t i k"],
    probabilities: Float[ndarray, "t k"],
    phrasing: Phrasing,
    classes: Sequence[str],
    trained: int | None = None,
) -> list[str]:
    """Say for each iteration which class is ahead, which phrase adds most to its score, and what counts against it.

    Args:
        credit: credit of each word for each class.
        probabilities: class probabilities after each iteration.
        phrasing: words of the text.
        classes: names of the classes.
        trained: number of iterations in training; the number of this run if None.
    """
    sentences, words = [], np.flatnonzero(phrasing.is_word)
    for credits, p in zip(credit, probabilities, strict=True):
        k = int(p.argmax())
        given = credits[:, k]
        best, worst = int(words[given[words].argmax()]), int(words[given[words].argmin()])
        sentences.append(f"{capital(classes[k])} is ahead ({p[k]:.0%}){_reasons(given, best, worst, phrasing)}")
    return mark_beyond(sentences, trained)


def most_credited(credit: Float[ndarray, "i k"], probabilities: Float[ndarray, " k"], phrasing: Phrasing) -> int:
    """The word that adds most to the score of the leading class, and that the finding names."""
    words = np.flatnonzero(phrasing.is_word)
    return int(words[credit[words, probabilities.argmax()].argmax()])


def _reasons(given: ndarray, best: int, worst: int, phrasing: Phrasing) -> str:
    """The rest of the sentence: the words for and against a class."""
    lowers = f" {phrasing.quote(worst)} lowers the score more than any other word, by {-given[worst]:.2f}."
    against = lowers if given[worst] <= -NO_CREDIT else ""
    start, end = phrasing.phrase_at(best, given >= max(PART * given[best], NO_CREDIT))
    if end - start > MAX_PHRASE:
        start, end = best, best + 1
    if given[best] < NO_CREDIT:
        most = f"hardly any word raises its score: the largest credit is {given[best]:.4f}, of {phrasing.quote(best)}"
        supported = f", although {most if given[best] > 0 else 'no word raises its score'}."
    elif end - start == 1:
        supported = f". {phrasing.quote(best)} raises its score more than any other word, by {given[best]:.2f}."
    else:
        raised = f"raises its score by {given[start:end].sum():.2f}"
        supported = (
            f". {phrasing.quote(start, end)} {raised}; {given[best]:.2f} of this is from {phrasing.quote(best)}."
        )
    return f"{supported}{against}"
