"""Measures of convergence of a routing: entropy of its shares, their change per iteration, and the clustering loss."""

from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray

Normalize = Literal["output", "input"]
SETTLED = 0.05  # a routing has settled if no later iteration moves more than this part of its shares


def entropy(coupling: Float[ndarray, "t i j"], normalize: Normalize = "output") -> Float[ndarray, "t sharer"]:
    """Entropy of the shares of each input or capsule per iteration, in bits.

    With normalize "output", these are the shares of each input i over the capsules. The entropy is log2 of the number
    of capsules if the shares are equal, and 0 if one capsule gets everything. With "input", these are the shares of
    each capsule j over the inputs.
    """
    c = np.clip(coupling, np.finfo(coupling.dtype).tiny, None)
    return -(coupling * np.log2(c)).sum(_shared_axis(normalize))


def evenness(coupling: Float[ndarray, "i j"], normalize: Normalize = "output") -> float:
    """The mean entropy of the shares as a part of that of equal shares: 1 if all are equal, 0 if one gets everything.

    NaN if there is only one to share among.
    """
    n = coupling.shape[_shared_axis(normalize) - 1]
    return float(entropy(coupling[None], normalize).mean() / np.log2(n)) if n > 1 else np.nan


def change(coupling: Float[ndarray, "t i j"], normalize: Normalize = "output") -> Float[ndarray, " t"]:
    """Mean total variation distance between the shares in consecutive iterations; NaN at the first.

    Shares are those of ``entropy``.
    """
    moved = 0.5 * np.abs(np.diff(coupling, axis=0)).sum(_shared_axis(normalize)).mean(1)
    return np.concatenate([[np.nan], moved])


def settles_after(coupling: Float[ndarray, "t i j"], normalize: Normalize = "output") -> int | None:
    """The first iteration, from 1, after which no iteration moves more than ``SETTLED`` of the shares.

    Returns:
        The iteration; None if the last iteration still moves more, or there is only one.
    """
    moving = np.flatnonzero(change(coupling, normalize)[1:] > SETTLED)
    settled = int(moving[-1]) + 2 if len(moving) else 1
    return settled if settled < len(coupling) else None


def clustering_loss(cosines: Float[ndarray, "t i j"], sharpness: float = 1.0) -> Float[ndarray, " t"]:
    """The loss of k-means routing: a soft minimum of the distances between each input and the centres.

    Args:
        cosines: cosine between input i's vote for capsule j and the centre of capsule j. In k-means routing this is
            b_ij, with the centres of the previous iteration.
        sharpness: K, above 0; 1 in the paper's algorithm 1.

    Source:
        Ren, Lu 2022, eq. 8, where the distance is minus the cosine (eq. 12).
    """
    return -np.log(np.exp(sharpness * cosines.astype(np.float64)).sum(2)).sum(1) / sharpness


def _shared_axis(normalize: Normalize) -> int:
    """The axis over which shares sum to 1."""
    return 2 if normalize == "output" else 1
