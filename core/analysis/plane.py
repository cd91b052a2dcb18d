"""Projects high-dimensional votes to the plane that keeps most of their variance."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray


@dataclass(frozen=True, eq=False)
class Plane:
    """Votes projected to their first two principal components.

    points: [i, j, 2]. Weighted means of the points are the projections of the votes' weighted means.
    share: share of the votes' variance that the plane shows, 0 to 1.
    """

    points: Float[ndarray, "i j 2"]
    share: float


def project(votes: Float[ndarray, "i j h"]) -> Plane:
    """Principal component analysis of all votes together."""
    flat = votes.reshape(-1, votes.shape[-1]).astype(np.float64)
    centred = flat - flat.mean(0)
    _, sizes, axes = np.linalg.svd(centred, full_matrices=False)
    points = np.zeros((len(flat), 2))
    points[:, : len(axes[:2])] = centred @ axes[:2].T
    total = float((sizes**2).sum())
    share = float((sizes[:2] ** 2).sum()) / total if total else 1.0
    return Plane(points.reshape(*votes.shape[:2], 2), share)
