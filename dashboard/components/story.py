"""A text's routing as an animation: words, capsules, threads between them that thicken, and class bars that follow."""

from collections.abc import Sequence
from typing import NamedTuple

from numpy import ndarray

from dashboard.components.component import Component

_story = Component("story", follows=False)
DIGITS = 4  # decimal digits of shares and probabilities


class Telling(NamedTuple):
    """One run of the text.

    Attributes:
        shares: share that capsule j takes from word i, [t, i, j], which sum to 1 over i.
        probabilities: class probabilities, [t, k].
        captions: a sentence for each iteration.
    """

    shares: ndarray
    probabilities: ndarray
    captions: Sequence[str]


class Cut(NamedTuple):
    """The same run without a word.

    Attributes:
        word: index of the word.
        button: label of the button that cuts it.
        back: label of the button that puts it back.
        telling: run without the word.
        result: sentence on what the cut changed.
        legend: words on the outlined bars.
    """

    word: int
    button: str
    back: str
    telling: Telling
    result: str
    legend: str


def story(
    key: str, pieces: Sequence[tuple[str, int | None]], telling: Telling, cut: Cut, classes: Sequence[str], note: str
) -> None:
    """Draw the animation, which plays once and ends at the last iteration.

    Args:
        key: key of the component.
        pieces: the text in pieces, each with the index of its word; None for what is between words.
        telling: run of the text.
        cut: run without a word.
        classes: names of the classes.
        note: sentence on the words that are left out; "" if none are.
    """
    runs = _as_data(telling), cut._asdict() | {"telling": _as_data(cut.telling)}
    _story(key=key, data={"pieces": pieces, "classes": classes, "note": note, "runs": runs})


def _as_data(telling: Telling) -> dict:
    """A run for the browser: its shares are [t][j][i] there."""
    return {
        "shares": telling.shares.transpose(0, 2, 1).astype(float).round(DIGITS).tolist(),
        "probabilities": telling.probabilities.astype(float).round(DIGITS).tolist(),
        "captions": list(telling.captions),
    }
