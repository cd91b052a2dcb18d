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


class CapsuleLink(NamedTuple):
    """The words below a capsule, and their link.

    Attributes:
        label: the capsule with its name.
        says: its meaning in a few words, shown under the pointer; "" if it is not known.
        address: address of its unit, relative to the page; "" if there is none.
    """

    label: str
    says: str = ""
    address: str = ""


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
    key: str,
    pieces: Sequence[tuple[str, int | None]],
    telling: Telling,
    cut: Cut,
    capsules: Sequence[CapsuleLink],
    classes: Sequence[str],
    note: str,
) -> int | None:
    """Draw the animation, which plays once and ends at the last iteration.

    Args:
        key: key of the component.
        pieces: the text in pieces, each with the index of its word; None for what is between words.
        telling: run of the text.
        cut: run without a word.
        capsules: link of each capsule.
        classes: names of the classes.
        note: sentence on the words that are left out; "" if none are.

    Returns:
        The index of the capsule that the user has just clicked; None without a click.
    """
    runs = _as_data(telling), cut._asdict() | {"telling": _as_data(cut.telling)}
    links = [link._asdict() for link in capsules]
    data = {"pieces": pieces, "capsules": links, "classes": classes, "note": note, "runs": runs}
    clicked = _story(key=key, data=data, on_capsule_change=lambda: None).capsule
    return clicked if clicked in range(len(capsules)) else None  # a browser may send anything


def _as_data(telling: Telling) -> dict:
    """A run for the browser: its shares are [t][j][i] there."""
    return {
        "shares": telling.shares.transpose(0, 2, 1).astype(float).round(DIGITS).tolist(),
        "probabilities": telling.probabilities.astype(float).round(DIGITS).tolist(),
        "captions": list(telling.captions),
    }
