"""A cell worked out: the formulas with their numbers, from the trace and from what the trace does not hold."""

from collections.abc import Sequence

import streamlit as st
from numpy import ndarray

from core import Trace, worked
from dashboard.loading import LOADING
from dashboard.runs.loaded import load, with_cpu_fallback


def work(trace: Trace, device: str, text: str, cell: Sequence[int], step: int) -> list[worked.WorkedStep]:
    """Work out one cell of a run, as ``core.worked.work`` does.

    Args:
        trace: trace of the run, with its edits.
        device: device of the network.
        text: text as typed, before any edit.
        cell, step: as in ``core.worked.work``.

    Raises:
        ValueError: the text cannot be read.
    """
    weights = {}
    if not LOADING.is_set():  # the first visitor does not wait for PyTorch: votes are not known yet
        weights, _ = with_cpu_fallback(_weights, trace.model, device, text, tuple(trace.edits))
    return worked.work(trace, cell, step, weights)


@st.cache_resource(max_entries=16, show_spinner=False)
def _weights(name: str, version: str, device: str, text: str, edits: tuple[str, ...]) -> dict[str, ndarray]:
    from core.networks.workings import weights_of

    return weights_of(load(name, version, device), text, edits)
