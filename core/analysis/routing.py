"""How far a routing has converged: the entropy of its shares, how much they still change, and what it minimizes."""

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


def clustering_loss(cosines: Float[ndarray, "t i j"], sharpness: float = 1.0) -> Float[ndarray, " t"]:
    """The loss of k-means routing: how far the inputs lie from their nearest centres, by a soft minimum.

    Args:
        cosines: between the vote of input i for capsule j and the centre of capsule j; for k-means routing b_ij, taken
            from the centres of the iteration before.
        sharpness: K, above 0; 1 in the paper's algorithm 1.

    Source:
        Ren, Lu 2022, eq. 8 with the distance of eq. 12, minus the cosine.
    """
    return -np.log(np.exp(sharpness * cosines.astype(np.float64)).sum(2)).sum(1) / sharpness


def _shared_axis(normalize: Normalize) -> int:
    return 2 if normalize == "output" else 1
