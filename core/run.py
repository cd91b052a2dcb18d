"""One input through one network, every step kept."""

import torch
from numpy import ndarray

from core.checkpoint import Checkpoint
from core.kinds import KINDS
from core.trace import Trace

MOST_ITERATIONS = 50


def explain(checkpoint: Checkpoint, text_or_images: str | ndarray, n_iters: int | None = None) -> Trace:
    """Run a network on a text, or on a pair of pictures, and keep every step.

    Args:
        checkpoint: from ``core.zoo.load``.
        text_or_images: any text; HTML's line breaks count as such. A text longer than ``core.traces.base`` allows is
            cut, and a notice in the trace says so. For a network that reads pictures, a pair in grey, left and right,
            uint8 [2, y, x].
        n_iters: routing iterations, the network's own count unless given. A network without routing takes none.

    Raises:
        ValueError: the text holds no word, the pair has another shape, the network reads the other of the two, or
            n_iters is not between 1 and ``MOST_ITERATIONS``, or is given where there is no routing.
    """
    if n_iters is not None and not 1 <= n_iters <= MOST_ITERATIONS:
        raise ValueError(f"The number of iterations is {n_iters}, wanted 1 to {MOST_ITERATIONS}.")
    checkpoint.check(text_or_images)
    with torch.inference_mode():
        return KINDS[checkpoint.kind].trace(checkpoint, text_or_images, n_iters)
