"""How far a routing has converged: the entropy of its shares, and how much they still change."""

from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray

Normalize = Literal["output", "input"]


def entropy(coupling: Float[ndarray, "t i j"], normalize: Normalize = "output") -> Float[ndarray, "t sharer"]:
    """Entropy in bits of the shares of each input or capsule, in each iteration.

    With normalize "output", shares of each input i over the capsules: log2 of their number if they are equal, 0 if all
    goes to one. With "input", shares of each capsule j over the inputs.
    """
    c = np.clip(coupling, np.finfo(coupling.dtype).tiny, None)
    return -(coupling * np.log2(c)).sum(_shared_axis(normalize))


def change(coupling: Float[ndarray, "t i j"], normalize: Normalize = "output") -> Float[ndarray, " t"]:
    """Mean total variation distance of the shares of ``entropy`` from the iteration before; NaN at the first."""
    moved = 0.5 * np.abs(np.diff(coupling, axis=0)).sum(_shared_axis(normalize)).mean(1)
    return np.concatenate([[np.nan], moved])


def _shared_axis(normalize: Normalize) -> int:
    return 2 if normalize == "output" else 1
