"""One text through one model."""

import streamlit as st
from numpy import ndarray

from core import Trace, manifest
from core.analysis import codes, credit
from core.inputs.text import as_read, tokenize
from dashboard.runs.checkpoints import load, or_on_cpu, survey, told
from dashboard.server.start import LOADING


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
        n_iters = max(n_iters, survey()[0][name].model["n_iters"])
    if LOADING.is_set() and device == "cpu" and (shipped := _shipped(name, text, n_iters)):
        return shipped
    trace, fell_back = or_on_cpu(_run, name, device, text, n_iters)
    return told(trace) if fell_back else trace


def _shipped(name: str, text: str, n_iters: int | None) -> Trace | None:
    """This very run from a file, where it was shipped: what the first visitor sees while PyTorch loads."""
    trace = manifest.read_example(name)
    if trace is None or trace.n_iters != n_iters:
        return None
    words = list(tokenize(as_read(text)))
    same = [(w.text, (w.start, w.end)) for w in words] == list(zip(trace.tokens, trace.spans, strict=True))
    return trace if same else None


def nearest(name: str, device: str, code: ndarray, n: int) -> list[tuple[str, float]]:
    """The words of a network's vocabulary whose codes overlap most with this one, and by how much."""
    words, every = _codes(name, survey()[0][name].sha256, device)
    found, by = codes.nearest(every, code, n)
    return [(words[k], float(share)) for k, share in zip(found, by, strict=True)]


@st.cache_resource(max_entries=2, show_spinner=False)
def _codes(name: str, version: str, device: str) -> tuple[list[str], ndarray]:
    checkpoint = load(name, version, device)
    return checkpoint.reader.vocabulary.words, checkpoint.model.embedding.exported()


@st.cache_resource(max_entries=32, show_spinner=False)
def _run(name: str, version: str, device: str, text: str, n_iters: int | None) -> Trace:
    from core import explain  # PyTorch with it

    return explain(load(name, version, device), text, n_iters)
