"""Runs one text through one model."""

from collections.abc import Sequence

import streamlit as st
from numpy import ndarray

from core import Trace, manifest
from core.analysis import codes
from core.edits import Edit
from core.inputs.text import replace_breaks, tokenize
from dashboard.loading import LOADING
from dashboard.runs.checkpoints import about
from dashboard.runs.loaded import devices, load, with_cpu_fallback, with_fallback_notice
from dashboard.runs.room import Room
from dashboard.sessions.models import when_removed

MAX_TRACES = 64  # traces that the cache holds
TRACE_ROOM = Room(256 << 20, MAX_TRACES)  # for all cached traces


def run(name: str, device: str, text: str, n_iters: int | None = None, edits: Sequence[Edit] = ()) -> Trace:
    """The trace of a text through a model; on the CPU if the GPU fails.

    Args:
        n_iters: number of iterations; at least the trained number are run. None for a network without routing.
        edits: edits of the run.

    Raises:
        ValueError: the text or the checkpoint cannot be read, or an edit does not fit.
    """
    if n_iters is not None:
        n_iters = max(n_iters, about(name).model["n_iters"])
    if LOADING.is_set() and device == "cpu" and not edits and (shipped := _shipped(name, text, n_iters)):
        return shipped
    trace, fell_back = with_cpu_fallback(_run, name, device, text, n_iters, tuple(map(str, edits)))
    return with_fallback_notice(trace) if fell_back else trace


def _shipped(name: str, text: str, n_iters: int | None) -> Trace | None:
    """The trace of a run from a shipped file, if there is one, with the trained number of iterations.

    The first visitor sees it while PyTorch loads.
    """
    trace = manifest.read_example(name)
    return trace if trace and n_iters is not None and is_run_of(trace, text) else None


def is_run_of(trace: Trace, text: str) -> bool:
    """Whether a trace has the words of a text at their places in it."""
    words = [(word.text, (word.start, word.end)) for word in tokenize(replace_breaks(text))]
    return words == list(zip(trace.tokens, trace.spans, strict=True))


def nearest(name: str, device: str, code: ndarray, n: int) -> list[tuple[str, float]]:
    """The n words of a network's vocabulary with the largest overlap between their code and this one, and the overlaps.

    Args:
        name: name of the checkpoint.
        device: device of the network.
        code: shares of the codewords.
        n: number of words.
    """
    words, all_codes = with_cpu_fallback(_codes, name, device)[0]
    rows, overlaps = codes.nearest(all_codes, code, n)
    return [(words[k], float(overlap)) for k, overlap in zip(rows, overlaps, strict=True)]


@st.cache_resource(max_entries=2, show_spinner=False)
def _codes(name: str, version: str, device: str) -> tuple[list[str], ndarray]:
    """The words of a network's vocabulary, and their codes."""
    checkpoint = load(name, version, device)
    return checkpoint.reader.vocabulary.words, checkpoint.model.embedding.exported()


def _forget(removed: manifest.Manifest) -> None:
    """Remove the codes of a deleted checkpoint from the cache."""
    for device in devices().keys() | {"cpu"}:
        _codes.clear(removed.name, removed.version, device)


when_removed.append(_forget)


@st.cache_resource(max_entries=MAX_TRACES, show_spinner=False)
def _run(name: str, version: str, device: str, text: str, n_iters: int | None, edits: tuple[str, ...]) -> Trace:
    from core import explain  # imports PyTorch

    trace = explain(load(name, version, device), text, n_iters, edits)
    TRACE_ROOM.take((_run, (name, version, device, text, n_iters, edits)), trace.n_bytes)
    return trace
