"""One text through one model."""

import streamlit as st
from numpy import ndarray

from core import Trace, explain
from core.analysis import codes, credit
from dashboard.runs.checkpoints import about, load, or_on_cpu, told


def leading_part(trace: Trace) -> int:
    """The part with the largest effect on the score of the class that won."""
    return credit.leading_part(trace.layers[1]["effect"], trace.probabilities)


def run(name: str, device: str, text: str, n_iters: int | None = None) -> Trace:
    """One text through one model; on the CPU where the GPU fails.

    Args:
        n_iters: iterations that are wanted; the model's own count where that is more. None where nothing is routed.

    Raises:
        ValueError: the text or the checkpoint cannot be read.
    """
    if n_iters is not None:
        n_iters = max(n_iters, about(name)["config"]["model"]["n_iters"])
    trace, fell_back = or_on_cpu(_run, name, device, text, n_iters)
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
def _run(name: str, version: str, device: str, text: str, n_iters: int | None) -> Trace:
    return explain(load(name, version, device), text, n_iters)
