"""Run a network on one input and record every step."""

from collections.abc import Sequence
from dataclasses import replace

import torch
from numpy import ndarray

from core.checkpoint import Checkpoint
from core.edits import Edit
from core.kinds import KINDS, admitted
from core.trace import Trace

MAX_ITERATIONS = 50


def explain(
    checkpoint: Checkpoint,
    text_or_images: str | ndarray,
    n_iters: int | None = None,
    edits: Sequence[Edit | str] = (),
) -> Trace:
    """Run a network on a text or a pair of pictures and return the trace of every step.

    Args:
        checkpoint: from ``core.zoo.load``.
        text_or_images: any text, in which <br> is a line break; a text beyond the limits in ``core.traces.base`` is
            cut, with a notice in the trace. For a network that reads pictures, the left and right picture in grey,
            uint8 [2, y, x].
        n_iters: routing iterations; the number the network was trained with if None. Must be None for a network
            without routing.
        edits: changes inside the run, applied in order, from ``core.edits`` or in their form on the command line.

    Raises:
        ValueError: the text has no word, the pair has another shape, the network reads the other kind of input,
            n_iters is not between 1 and ``MAX_ITERATIONS``, or it is given for a network without routing, or an edit
            is none of this network or out of range.
    """
    check(checkpoint, text_or_images, n_iters)
    changes = admitted(checkpoint, edits)
    with torch.inference_mode():
        trace = KINDS[checkpoint.kind].trace
        if not changes:
            return trace(checkpoint, text_or_images, n_iters)
        edited = trace(checkpoint, text_or_images, n_iters, changes)
        return replace(edited, edits=[str(edit) for edit in changes])


def check(checkpoint: Checkpoint, text_or_images: str | ndarray, n_iters: int | None) -> None:
    """Raise ValueError unless the network reads such a sample and can run as many iterations."""
    if n_iters is not None and not 1 <= n_iters <= MAX_ITERATIONS:
        raise ValueError(f"The number of iterations is {n_iters}, wanted 1 to {MAX_ITERATIONS}.")
    checkpoint.check(text_or_images)
