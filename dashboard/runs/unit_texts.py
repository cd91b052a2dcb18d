"""A unit of a network in one text of the user."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st
from jaxtyping import Float
from numpy import ndarray

from core.inputs.text import replace_breaks
from dashboard.runs.loaded import load, with_cpu_fallback
from dashboard.runs.units import Units

if TYPE_CHECKING:
    from core.networks.base import UnitRun


@dataclass(frozen=True, eq=False)
class UnitInText:
    """The numbers of a unit in one text.

    Attributes:
        text: the part of the text that the network read.
        spans: the characters [start, end) of each word in it.
        shares: part of what the unit takes in the text that comes from each word; all 0 if it takes nothing.
        activation: activation of the unit.
        before, without: class probabilities with the unit, and without it.
    """

    text: str
    spans: list[tuple[int, int]]
    shares: Float[ndarray, " i"]
    activation: float
    before: Float[ndarray, " k"]
    without: Float[ndarray, " k"]

    @property
    def words(self) -> list[str]:
        """The words that were read."""
        return [self.text[start:end] for start, end in self.spans]


def unit_in_text(units: Units, u: int, device: str, text: str) -> UnitInText:
    """Run a text, and read off what a unit takes and does in it; on the CPU if the GPU fails.

    Raises:
        ValueError: the network cannot read the text.
    """
    run, _ = with_cpu_fallback(_run, units.name, device, text)
    row = units.numbers[u] - 1
    if row >= len(run.taken):
        raise ValueError(f"This network has no {units.unit} {units.numbers[u]}.")
    start, end = int(run.spans[0, 0]), int(run.spans[-1, 1])
    spans = [(int(first) - start, int(last) - start) for first, last in run.spans]
    taken = run.taken[row].astype(float)
    shares = taken / taken.sum() if taken.sum() > 0 else np.zeros_like(taken)
    read = replace_breaks(text)[start:end]
    return UnitInText(read, spans, shares, float(run.activation[row]), run.probabilities, run.without[row])


def deciding_units(units: Units, device: str, text: str, i: int) -> list[int]:
    """The numbers of the measured units that take something from word i of a text.

    Those without which the probability of the answer moves most come first.

    Raises:
        ValueError: the network cannot read the text.
    """
    run, _ = with_cpu_fallback(_run, units.name, device, text)
    rows = np.array([number - 1 for number in units.numbers if number <= len(run.taken)], int)
    taking = rows[run.taken[rows, i] > 0] if i < run.taken.shape[1] else rows[:0]
    answer = int(run.probabilities.argmax())
    moved = np.abs(run.without[taking, answer] - run.probabilities[answer])
    return (taking[np.argsort(-moved, kind="stable")] + 1).tolist()


@st.cache_resource(max_entries=16, show_spinner=False)
def _run(name: str, version: str, device: str, text: str) -> "UnitRun":
    from core.networks.base import network_of  # imports PyTorch
    from core.networks.run import check

    checkpoint = load(name, version, device)
    check(checkpoint, text, None)
    return network_of(checkpoint).unit_run(checkpoint, text)
