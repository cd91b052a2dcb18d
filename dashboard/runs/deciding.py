"""The deciding capsule of a run: the one without which the answer loses most. A page of dynamic routing opens on it."""

from core import Trace
from dashboard.loading import LOADING
from dashboard.runs.checkpoints import about
from dashboard.runs.edits import TextRun


def deciding_capsule(trace: Trace, device: str, text: str) -> int | None:
    """The index of the capsule whose removal lowers the log-odds of the network's answer most.

    Evidence ranks words by their coupling to this capsule. One batch of runs finds it, and is cached.

    Args:
        trace: trace of the text without edits, with at least the trained number of iterations.
        device: device of the network.
        text: text as typed.

    Returns:
        The index, from 0; None for a network whose output capsules are not removed (only dynamic routing removes them),
        and while the server still loads PyTorch, so that its first visitor does not wait.
    """
    if trace.page != "routing" or LOADING.is_set():
        return None
    trained = about(trace.model).model["n_iters"]
    answer = trace.probabilities[trained - 1].argmax()
    return int(TextRun(trace.model, device, text, trained).cuts((), "capsule")[0, :, answer].argmax())
