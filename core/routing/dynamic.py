"""Dynamic routing aggregation (Gong, Qiu, Wang, Huang 2018, COLING; algorithm 1, eq. 13-18)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor

from core.edits import EditArgument
from core.routing.edited import Edited
from core.routing.step import RoutingStep, check_votes, squash
from core.types import Mask


@dataclass(frozen=True, kw_only=True)
class DynamicStep(RoutingStep):
    """One iteration of dynamic routing.

    logits: b_ij, whose softmax is this iteration's c_ij.
    agreement: v_j . u_ij, which is added to b_ij for the next iteration.
    """

    logits: Float[Tensor, "#b i j"]
    agreement: Float[Tensor, "b i j"]


def dynamic_routing(
    votes: Float[Tensor, "#b i j h"],
    n_iters: int,
    normalize: Literal["output", "input"] = "output",
    mask: Mask = None,
    edit: EditArgument = None,
) -> Iterator[DynamicStep]:
    """Route input capsules to output capsules by accumulated agreement.

    Args:
        votes: u_ij [b, i, j, h], the vote of input capsule i for output capsule j. Votes of one sample [1, i, j, h] are
            shared by all rows of a mask or an edit, without a copy; such votes must be finite.
        n_iters: iterations T, at least 1.
        normalize: "output" for standard routing, where the outputs share each input (c_ij sums to 1 over j); "input"
            for reversed routing, where the inputs share each output (c_ij sums to 1 over i).
        mask: [b, i], True for real inputs. Padding is ignored: its c_ij is 0.
        edit: changes inside the routing, applied in order.

    Yields:
        One DynamicStep per iteration.

    Raises:
        ValueError: a shape, dtype, count, ``normalize`` or edit is invalid. It is raised at the call, not at the first
            step.

    Source:
        Gong et al. 2018, algorithm 1, eq. 13-18.
    """
    check_votes(votes, n_iters, mask)
    if normalize not in ("output", "input"):
        raise ValueError(f"normalize is {normalize!r}, wanted 'output' or 'input'")
    edited = Edited(edit, votes, votes.shape[2], mask, axis=2 if normalize == "output" else 1)
    return edited.steps(_iterate(votes, n_iters, edited))


def _iterate(votes: Tensor, n_iters: int, edited: Edited) -> Iterator[DynamicStep]:
    mask = edited.mask
    if mask is not None and len(mask) == len(votes):  # a mask with more rows would copy the votes for each row
        votes = votes.masked_fill(~mask[:, :, None, None], 0)
    b = votes.new_zeros(votes.shape[:3])
    for _ in range(n_iters):
        c = edited.couplings(_couplings(b, edited.axis, mask))  # eq. 15 standard, eq. 18 reversed
        v = squash(torch.einsum("bij,bijh->bjh", c, votes))  # eq. 13, 14
        agreement = torch.einsum("bjh,bijh->bij", v, votes)
        yield DynamicStep(coupling=c, capsules=v, logits=b, agreement=agreement)
        b = b + agreement  # eq. 16


def _couplings(b: Tensor, axis: int, mask: Tensor | None) -> Tensor:
    """Softmax of b [b, i, j] over i or over j, zero at padding."""
    if mask is None:
        return b.softmax(axis)
    padding = ~mask[:, :, None]
    # The smallest finite number instead of -inf, so that a sample with only padding gives no NaN.
    return b.masked_fill(padding, torch.finfo(b.dtype).min).softmax(axis).masked_fill(padding, 0)
