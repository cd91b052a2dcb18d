"""The deciding capsule of a run: the one without which the answer loses most. A page of dynamic routing opens on it."""

import numpy as np
from numpy import ndarray

from core import Trace, manifest
from core.edits import DropCapsule, parse_edit
from dashboard.loading import LOADING
from dashboard.runs.checkpoints import about
from dashboard.runs.edits import TextRun


def deciding_capsule(trace: Trace, device: str, text: str) -> int | None:
    """The index of the capsule whose removal lowers the log-odds of the network's answer most.

    Evidence ranks words by their coupling to this capsule.

    Args:
        trace: trace of the text without edits, with at least the trained number of iterations.
        device: device of the network.
        text: text as typed.

    Returns:
        The index, from 0; None for a network whose output capsules are not removed (only dynamic routing removes them).
        While the server still loads PyTorch, its first visitor does not wait: a shipped run has its capsule, and the
        others None.
    """
    if trace.page != "routing":
        return None
    if LOADING.is_set():
        return _shipped(trace)
    whole, *without = answers_without_capsules(trace.model, device, text)
    return int(np.stack(without)[:, whole.argmax()].argmin())


def answers_without_capsules(name: str, device: str, text: str) -> ndarray:
    """The class probabilities of a text, and then those without each capsule; one cached batch of runs."""
    every = tuple(map(DropCapsule, range(about(name).model["n_capsules"])))
    return TextRun(name, device, text, None).answers((), every)


def _shipped(trace: Trace) -> int | None:
    """The deciding capsule of a shipped run, from the run without it; None for any other text."""
    without = manifest.read_example(trace.model, manifest.CAPSULE_EXAMPLE)
    if without is None or (without.tokens, without.spans) != (trace.tokens, trace.spans):
        return None
    (edit,) = map(parse_edit, without.edits)
    return edit.j if isinstance(edit, DropCapsule) else None
