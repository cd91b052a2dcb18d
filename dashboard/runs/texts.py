"""One text through one model."""

import streamlit as st
from numpy import ndarray

from core import Trace, explain, zoo
from core.analysis import codes, credit
from dashboard.runs.checkpoints import LARGEST_COUNT, about, load, or_on_cpu, told


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


def nearest(name: str, device: str, code: ndarray, n: int) -> list[tuple[str, float]]:
    """The words of a network's vocabulary whose codes overlap most with this one, and by how much."""
    words, every = _codes(name, about(name)["config"]["sha256"], device)
    found, by = codes.nearest(every, code, n)
    return [(words[k], float(share)) for k, share in zip(found, by, strict=True)]


@st.cache_resource(max_entries=2, show_spinner=False)
def _codes(name: str, version: str, device: str) -> tuple[list[str], ndarray]:
    checkpoint = load(name, version, device)
    return checkpoint.reader.vocabulary.words, checkpoint.model.embedding.exported()


@st.cache_resource(max_entries=32, show_spinner=False)
def _run(name: str, version: str, device: str, text: str) -> Trace:
    checkpoint = load(name, version, device)
    return explain(checkpoint, text, LARGEST_COUNT if zoo.KINDS[checkpoint.kind].routes else None)
