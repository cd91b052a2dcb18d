"""Losses on class scores: cross entropy, and two on the lengths of class capsules (Ren, Lu 2022, eq. 18-20)."""

from collections.abc import Callable
from functools import reduce
from operator import add

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

PRESENT, ABSENT, WEIGHT = 0.9, 0.1, 0.5  # eq. 19: target lengths of the true and of other classes; weight of the others
BALANCE, FOCUS = 0.25, 2  # eq. 20: factor of the loss; exponent, which reduces the weight of long capsules

Loss = Callable[[Tensor, Tensor], Tensor]


def margin(lengths: Float[Tensor, "b k"], classes: Int[Tensor, " b"]) -> Float[Tensor, ""]:
    """Margin loss (eq. 19): the capsule of the true class should be long, all others short."""
    true = nn.functional.one_hot(classes, lengths.shape[1]).bool()
    short, long = (PRESENT - lengths).clamp(min=0).square(), (lengths - ABSENT).clamp(min=0).square()
    return torch.where(true, short, WEIGHT * long).mean()


def focal(lengths: Float[Tensor, "b k"], classes: Int[Tensor, " b"]) -> Float[Tensor, ""]:
    """Focal loss (eq. 20): the log length of the true class's capsule, with less weight the longer it is."""
    length = lengths.gather(1, classes[:, None])
    smallest = torch.finfo(length.dtype).tiny  # avoids the logarithm of zero
    return (-BALANCE * (1 - length) ** FOCUS * length.clamp(min=smallest).log()).mean()


def focal_of_logits(logits: Float[Tensor, "b k"], classes: Int[Tensor, " b"]) -> Float[Tensor, ""]:
    """Focal loss of class probabilities, for a network whose scores are not lengths (Lin et al. 2017, eq. 5)."""
    return focal(logits.softmax(-1), classes)


LENGTH_LOSSES: dict[str, Loss] = {"margin": margin, "focal": focal, "cross-entropy": nn.functional.cross_entropy}
LOGIT_LOSSES = LENGTH_LOSSES | {"focal": focal_of_logits}


def sum_of_losses(names: str, losses: dict[str, Loss] = LENGTH_LOSSES) -> Loss:
    """The sum of losses with names joined by +, as in the rows of the paper's table 4.

    Args:
        names: names such as "margin+focal".
        losses: ``LENGTH_LOSSES`` for lengths of class capsules, ``LOGIT_LOSSES`` for the scores of a linear layer.

    Raises:
        ValueError: there is no such loss.
    """
    terms = names.split("+")
    if unknown := [name for name in terms if name not in losses]:
        raise ValueError(f"loss is {unknown[0]!r}, wanted some of {', '.join(losses)} with + between")
    return lambda scores, classes: reduce(add, (losses[name](scores, classes) for name in terms))
