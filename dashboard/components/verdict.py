"""The classes as bars at the scrubber's step: single bars for one run, pairs of bars for two."""

from typing import Any, NamedTuple

import numpy as np

from dashboard.components.component import DIGITS, Component
from dashboard.figures.standalone import DrawnComponent
from dashboard.theme import class_colors

_verdict = Component("verdict")
_paired = Component("paired")


def verdict(
    key: str,
    values: np.ndarray,
    classes: list[str],
    notes: list[str],
    percent: bool = True,
    param: str = "iteration",
    before: np.ndarray | None = None,
    start: int | None = None,
) -> DrawnComponent:
    """Draw the classes as bars at the scrubber's step. Hollow bars show a run before it was edited.

    Args:
        key: key of the component.
        values: probabilities, or lengths of capsules, from 0 to 1, [t, k].
        classes: names of the classes.
        notes: line below the bars, [t].
        percent: whether the values are probabilities.
        param: parameter of the scrubber.
        before: values of the run before it was edited, [t, k]; None if it was not.
        start: step to show without a scrubber; the last one if None.
    """
    data = {"values": np.round(values, DIGITS).tolist(), "classes": classes, "notes": notes, "percent": percent}
    data |= {"colours": class_colors(classes)}
    data |= {"param": param, "start": start or len(values)}
    data |= {"before": None if before is None else np.round(before, DIGITS).tolist()}
    _verdict(key=key, data=data)
    return DrawnComponent(_verdict.source, data)


class Words(NamedTuple):
    """The words that tell two runs apart, next to their classes.

    Attributes:
        same_class: words before a class that both runs predict.
        alike: words after a number if all numbers are equal.
        first, second: words after the number of each run.
        changes: whether the first run became the second, so that an arrow is between them.
    """

    same_class: str
    alike: str
    first: str
    second: str
    changes: bool


BEFORE_AND_NOW = Words("Still", "before and after alike", "before", "now", True)
A_AND_B = Words("Both", "in A and in B alike", "in A", "in B", False)


def paired(
    key: str,
    before: np.ndarray,
    after: np.ndarray,
    classes: list[str],
    percent: bool = True,
    param: str = "iteration",
    words: Words = BEFORE_AND_NOW,
) -> DrawnComponent:
    """Draw the classes of two runs as pairs of bars at the scrubber's step.

    Args:
        key: key of the component.
        before, after: values from 0 to 1, [t, k].
        classes: names of the classes.
        percent, param: as in ``verdict``.
        words: words for both runs.
    """
    data: dict[str, Any] = {
        "before": np.round(before, DIGITS).tolist(),
        "after": np.round(after, DIGITS).tolist(),
        "classes": classes,
        "percent": percent,
        "param": param,
        "start": len(before),
        "words": words._asdict(),
    }
    _paired(key=key, data=data)
    return DrawnComponent(_paired.source, data)
