"""Convergence of a routing: entropy of the couplings, and their change between iterations."""

from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray

Normalize = Literal["output", "input"]


def entropy(coupling: Float[ndarray, "t i j"], normalize: Normalize = "output") -> Float[ndarray, "t sharer"]:
    """Entropy in bits of the shares that sum to 1, for each iteration and sharer.

    With "output" the sharers are the words: log2 of the number of capsules when a word is shared
    equally, 0 when all of it goes to one capsule. With "input" they are the capsules, whose shares
    are over the words.
    """
    c = np.clip(coupling, np.finfo(coupling.dtype).tiny, None)
    return -(coupling * np.log2(c)).sum(_shared_axis(normalize))


def change(coupling: Float[ndarray, "t i j"], normalize: Normalize = "output") -> Float[ndarray, " t"]:
    """Total variation distance from the previous iteration's shares, a mean over the sharers; NaN in the first."""
    moved = 0.5 * np.abs(np.diff(coupling, axis=0)).sum(_shared_axis(normalize)).mean(1)
    return np.concatenate([[np.nan], moved])


def _shared_axis(normalize: Normalize) -> int:
    return 2 if normalize == "output" else 1
