"""Code shared by the routings of votes: the step that they yield, the squash, and the check of the votes."""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from core.types import check_mask


@dataclass(frozen=True, kw_only=True)
class RoutingStep:
    """The state after one routing iteration.

    coupling: c_ij, the share of input capsule i that goes to output capsule j.
    capsules: v_j, the output capsules.
    """

    coupling: Float[Tensor, "b i j"]
    capsules: Float[Tensor, "b j h"]

    @property
    def activation(self) -> Float[Tensor, "b j"]:
        """The length |v_j| of each output capsule."""
        return self.capsules.norm(dim=-1)


def squash(s: Float[Tensor, "*batch h"]) -> Float[Tensor, "*batch h"]:
    """Shrink s to a length in [0, 1): |s|^2 / (1 + |s|^2) * s / |s| (Gong et al., eq. 14).

    Written as s |s| / (1 + |s|^2), so that value and gradient are finite, and zero, at s = 0.
    """
    length = torch.linalg.vector_norm(s, dim=-1, keepdim=True)
    return s * (length / (1 + length.square()))


def check_votes(votes: Tensor, n_iters: int, mask: Tensor | None) -> None:
    """Raise ValueError, naming the argument, unless these votes can be routed."""
    if votes.ndim != 4 or 0 in votes.shape[1:]:
        raise ValueError(f"votes has shape {list(votes.shape)}, wanted [b, i, j, h], none of i, j, h zero")
    if not votes.is_floating_point():
        raise ValueError(f"votes has dtype {votes.dtype}, wanted a floating-point one")
    if n_iters < 1:
        raise ValueError(f"n_iters is {n_iters}, wanted at least 1")
    if mask is not None:
        rows = mask.shape[:1] if len(votes) == 1 else votes.shape[:1]
        check_mask(mask, (*rows, votes.shape[1]), trailing=False, nonempty=False)
