"""Run a network on one input and record every step."""

import torch
from numpy import ndarray

from core.checkpoint import Checkpoint
from core.kinds import KINDS
from core.trace import Trace

MAX_ITERATIONS = 50


def explain(checkpoint: Checkpoint, text_or_images: str | ndarray, n_iters: int | None = None) -> Trace:
    """Run a network on a text or a pair of pictures and return the trace of every step.

    Args:
        checkpoint: from ``core.zoo.load``.
        text_or_images: any text, in which <br> is a line break; a text beyond the limits in ``core.traces.base`` is
            cut, with a notice in the trace. For a network that reads pictures, the left and right picture in grey,
            uint8 [2, y, x].
        n_iters: routing iterations; the number the network was trained with if None. Must be None for a network
            without routing.

    Raises:
        ValueError: the text has no word, the pair has another shape, the network reads the other kind of input,
            n_iters is not between 1 and ``MAX_ITERATIONS``, or it is given for a network without routing.
    """
    if n_iters is not None and not 1 <= n_iters <= MAX_ITERATIONS:
        raise ValueError(f"The number of iterations is {n_iters}, wanted 1 to {MAX_ITERATIONS}.")
    checkpoint.check(text_or_images)
    with torch.inference_mode():
        return KINDS[checkpoint.kind].trace(checkpoint, text_or_images, n_iters)
