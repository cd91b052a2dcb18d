"""Two EM routings in a row, from inputs to parts and from parts to classes, as in both networks of Heinsen 2019."""

from collections.abc import Iterator
from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from core.routing import EMRouting, EMStep


@dataclass(frozen=True, kw_only=True)
class TwoSteps:
    """The last steps of both routings when each stops after the same number of iterations.

    Args:
        to_parts: of the first routing, whose outputs are the parts.
        to_classes: of the second routing, whose outputs are the classes.
    """

    to_parts: EMStep
    to_classes: EMStep


def route_twice(
    to_parts: EMRouting,
    to_classes: EMRouting,
    scores: Float[Tensor, "b i"],
    capsules: Float[Tensor, "b i c d"],
    n_iters: int,
) -> Iterator[TwoSteps]:
    """Route inputs to parts and parts to classes.

    Yields:
        For t = 1 to n_iters, both routings as if each had stopped after t iterations. A longer run therefore contains
        every shorter one.
    """
    for t, first in enumerate(to_parts.steps(scores, capsules, n_iters), 1):
        *_, second = to_classes.steps(first.scores, first.means, t)
        yield TwoSteps(to_parts=first, to_classes=second)
