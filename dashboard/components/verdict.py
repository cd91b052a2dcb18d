"""The classes as bars at the scrubber's step: those of a run, and those of two runs as pairs."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from dashboard.components.component import DIGITS, Component
from dashboard.figures.standalone import Part

_verdict = Component("verdict")
_paired = Component("paired")


def verdict(
    key: str,
    values: np.ndarray,
    classes: list[str],
    notes: list[str],
    percent: bool = True,
    param: str = "iteration",
) -> Part:
    """Draw the classes as bars at the scrubber's step, and a line over all steps beside each bar.

    Args:
        values: [t, k], 0 to 1: probabilities, or lengths of capsules.
        notes: [t], what stands after the leading class.
        percent: whether the values are probabilities.
        param: of the scrubber.
    """
    data = {"values": np.round(values, DIGITS).tolist(), "classes": classes, "notes": notes, "percent": percent}
    data |= {"param": param, "start": len(values)}
    _verdict(key=key, data=data)
    return Part(_verdict.source, data)


class Dose(NamedTuple):
    """One change in many doses.

    Attributes:
        label: what the slider changes.
        values: the doses.
        probabilities: [dose, t, k].
        value: the dose of the run as it is.
        keep: called with the dose at which the user leaves the slider.
    """

    label: str
    values: np.ndarray
    probabilities: np.ndarray
    value: float
    keep: Callable[[float], None]


class Words(NamedTuple):
    """What two runs are called beside their classes.

    Attributes:
        same_class: before a class that both give.
        alike: after the number where all numbers are the same.
        first, second: after the number of each.
        changes: whether the first became the second, so that an arrow stands between them.
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
) -> Part:
    """Draw the classes before and after a change as pairs of bars at the scrubber's step.

    Args:
        before, after: [t, k], 0 to 1.
        percent, param: as in ``verdict``.
        dose: for a slider that moves the bars in the browser.
        words: for what is before and after.
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
        "dose": None,
    }
    if dose:
        data["dose"] = {
            "label": dose.label,
            "values": np.round(dose.values, 4).tolist(),
            "probabilities": np.round(dose.probabilities, DIGITS).tolist(),
            "value": dose.value,
        }
    _paired(key=key, data=data, on_kept_change=keep)
    return Part(_paired.source, data | {"dose": None})
