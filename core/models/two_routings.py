"""Two EM routings in a row, as both networks of Heinsen 2019 have them: to parts, and from parts to classes."""

from collections.abc import Iterator
from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from core.routing import EMRouting, EMStep


@dataclass(frozen=True, kw_only=True)
class TwoSteps:
    """The steps of both routings when each stops after the same number of iterations.

    parts: the first routing, whose outputs are the parts. classes: the second, whose outputs are the classes.
    """

    parts: EMStep
    classes: EMStep


def route_twice(
    to_parts: EMRouting,
    to_classes: EMRouting,
    scores: Float[Tensor, "b i"],
    capsules: Float[Tensor, "b i c d"],
    n_iters: int,
) -> Iterator[TwoSteps]:
    """One pair of steps an iteration.

    Pair t is the state had both routings stopped after t iterations, so a longer run contains every shorter one.
    """
    for t, parts in enumerate(to_parts.steps(scores, capsules, n_iters), 1):
        *_, classes = to_classes.steps(parts.scores, parts.means, t)
        yield TwoSteps(parts=parts, classes=classes)
