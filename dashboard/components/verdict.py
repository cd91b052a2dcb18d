"""The classes as bars at the scrubber's step: single bars for one run, pairs of bars for two."""

from typing import NamedTuple

import numpy as np

from dashboard.components.component import Component
from dashboard.components.files import DIGITS, verdict_data
from dashboard.figures.standalone import DrawnComponent

_verdict = Component("verdict")


class KeptAnswers(NamedTuple):
    """Answers to other inputs, which the bars show while a slider over these inputs moves.

    Attributes:
        values: probabilities of each input, [input, k].
        number: number of the input of the run on screen, counted from 1.
        notes: line below the bars for each input.
        param: parameter of the slider.
    """

    values: np.ndarray
    number: int
    notes: list[str]
    param: str = "view"


def verdict(
    key: str,
    values: np.ndarray,
    classes: list[str],
    notes: list[str],
    percent: bool = True,
    param: str = "iteration",
    before: np.ndarray | None = None,
    start: int | None = None,
    doses: bool = True,
    kept: KeptAnswers | None = None,
    doubt: tuple[str, str] | None = None,
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
        doses: whether the bars follow a dose while it moves; those of a second network do not.
        kept: answers to other inputs, if there is a slider over them.
        doubt: warning after the answer and the reason for it, if the run on screen is not to be trusted.
    """
    data = verdict_data(values, classes, notes, percent, param, before, start, doses)
    if kept:
        data |= {"kept": kept._asdict() | {"values": np.round(kept.values, DIGITS).tolist()}}
    if doubt:
        data |= {"doubt": list(doubt)}
    _verdict(key=key, data=data)
    return DrawnComponent(_verdict.source, data)
