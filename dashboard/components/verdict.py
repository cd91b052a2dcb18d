"""The classes as bars at the scrubber's step: single bars for one run, pairs of bars for two."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from dashboard.components.component import DIGITS, Component
from dashboard.figures.standalone import DrawnComponent

_verdict = Component("verdict")
_paired = Component("paired")


def verdict(
    key: str,
    values: np.ndarray,
    classes: list[str],
    notes: list[str],
    percent: bool = True,
    param: str = "iteration",
) -> DrawnComponent:
    """Draw the classes as bars at the scrubber's step, with a line over all steps next to each bar.

    Args:
        key: key of the component.
        values: probabilities, or lengths of capsules, from 0 to 1, [t, k].
        classes: names of the classes.
        notes: words after the leading class, [t].
        percent: whether the values are probabilities.
        param: parameter of the scrubber.
    """
    data = {"values": np.round(values, DIGITS).tolist(), "classes": classes, "notes": notes, "percent": percent}
    data |= {"param": param, "start": len(values)}
    _verdict(key=key, data=data)
    return DrawnComponent(_verdict.source, data)


class Dose(NamedTuple):
    """The class probabilities for many doses of one edit.

    Attributes:
        label: label of the slider.
        values: doses.
        probabilities: class probabilities, [dose, t, k].
        value: dose of the current run.
        keep: function to call with the dose when the slider is released.
    """

    label: str
    values: np.ndarray
    probabilities: np.ndarray
    value: float
    keep: Callable[[float], None]


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
    dose: Dose | None = None,
    words: Words = BEFORE_AND_NOW,
) -> DrawnComponent:
    """Draw the classes before and after a change as pairs of bars at the scrubber's step.

    Args:
        key: key of the component.
        before, after: values from 0 to 1, [t, k].
        classes: names of the classes.
        percent, param: as in ``verdict``.
        dose: doses for a slider that moves the bars in the browser, if any.
        words: words for both runs.
    """

    def keep() -> None:
        if dose and (value := st.session_state[key].kept) is not None:
            dose.keep(float(value))

    data: dict[str, Any] = {
        "before": np.round(before, DIGITS).tolist(),
        "after": np.round(after, DIGITS).tolist(),
        "classes": classes,
        "percent": percent,
        "param": param,
        "start": len(before),
        "words": words._asdict(),
        "dose": None,  # on a self-contained page, which has no slider for it
    }
    if dose:
        data["dose"] = {
            "label": dose.label,
            "values": np.round(dose.values, 4).tolist(),
            "probabilities": np.round(dose.probabilities, DIGITS).tolist(),
            "value": dose.value,
        }
    _paired(key=key, data=data, on_kept_change=keep)
    return DrawnComponent(_paired.source, data | {"dose": None})
