"""A slider for the dose of an edit, which the bars and the picture follow in the browser."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from dashboard.components.component import Component
from dashboard.components.files import DIGITS

_dose = Component("dose")
MAX_CELLS = 50_000  # numbers that a page sends for the picture; with more, it only follows when the slider rests
CELL_DIGITS = 4  # decimal digits of a number in a tip


class Dose(NamedTuple):
    """The runs with many doses of one edit.

    Attributes:
        label: label of the slider.
        values: doses.
        probabilities: class probabilities, [dose, t, k].
        cells: numbers of the main picture, [dose, t, i, j]; None if it has others.
        value: dose of the current run.
        keep: function to call with the dose when the slider rests.
    """

    label: str
    values: np.ndarray
    probabilities: np.ndarray
    cells: np.ndarray | None
    value: float
    keep: Callable[[float], None]


def dose_slider(key: str, dose: Dose, param: str = "iteration") -> None:
    """Draw the slider.

    Args:
        key: key of the component.
        dose: runs with many doses.
        param: parameter of the scrubber.
    """

    def keep() -> None:
        if (value := st.session_state[key].kept) is not None:
            dose.keep(float(value))

    data: dict[str, Any] = {
        "label": dose.label,
        "values": np.round(dose.values, 4).tolist(),
        "probabilities": np.round(dose.probabilities, DIGITS).tolist(),
        "cells": None,
        "value": dose.value,
        "param": param,
        "start": dose.probabilities.shape[1],
    }
    if dose.cells is not None and dose.cells.size <= MAX_CELLS:
        data["cells"] = np.round(dose.cells.reshape(*dose.cells.shape[:2], -1), CELL_DIGITS).tolist()
    _dose(key=key, data=data, on_kept_change=keep)
