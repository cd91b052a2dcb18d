"""One text through one model."""

import streamlit as st

from core import Trace, explain, zoo
from core.analysis import credit
from dashboard.runs.checkpoints import LARGEST_COUNT, load, or_on_cpu, told


def leading_part(trace: Trace) -> int:
    """The part with the largest effect on the score of the class that won."""
    return credit.leading_part(trace.layers[1]["effect"], trace.probabilities)


def run(name: str, device: str, text: str) -> Trace:
    """One text through one model, with ``LARGEST_COUNT`` iterations; on the CPU where the GPU fails.

    Raises:
        ValueError: the text or the checkpoint cannot be read.
    """
    trace, fell_back = or_on_cpu(_run, name, device, text)
    return told(trace) if fell_back else trace


@st.cache_data(max_entries=32, show_spinner="Routing …")
def _run(name: str, version: str, device: str, text: str) -> Trace:
    checkpoint = load(name, version, device)
    return explain(checkpoint, text, LARGEST_COUNT if zoo.KINDS[checkpoint.kind].routes else None)
