"""How far a routing has come: who is undecided, and what still moves."""

from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray

Normalize = Literal["output", "input"]


def entropy(coupling: Float[ndarray, "t i j"], normalize: Normalize = "output") -> Float[ndarray, "t sharer"]:
    """Entropy in bits of what each sharer gives out, an iteration and a sharer.

    With "output" the sharers are the words (log2 of the number of capsules when a word is
    undecided, 0 when it goes to one capsule whole); with "input" they are the capsules, which
    share their intake among the words.
    """
    c = np.clip(coupling, np.finfo(coupling.dtype).tiny, None)
    return -(coupling * np.log2(c)).sum(_shared_axis(normalize))


def change(coupling: Float[ndarray, "t i j"], normalize: Normalize = "output") -> Float[ndarray, " t"]:
    """Share that moved since the iteration before: total variation, its mean over the sharers; NaN at the first."""
    moved = 0.5 * np.abs(np.diff(coupling, axis=0)).sum(_shared_axis(normalize)).mean(1)
    return np.concatenate([[np.nan], moved])


def _shared_axis(normalize: Normalize) -> int:
    return 2 if normalize == "output" else 1
