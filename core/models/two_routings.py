"""Two EM routings in a row, from inputs to parts and from parts to classes, as in both networks of Heinsen 2019."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from jaxtyping import Float
from torch import Tensor, nn

from core.edits import Edit, ShiftPose, edits_of_routing
from core.routing import EMRouting, EMStep


@dataclass(frozen=True, kw_only=True)
class TwoSteps:
    """The last step of each routing, when both have run the same number of iterations.

    Args:
        to_parts: step of the first routing, from inputs to parts.
        to_classes: step of the second routing, from parts to classes.
    """

    to_parts: EMStep
    to_classes: EMStep


class TwoRoutings(nn.Module):
    """A network with two EM routings. A subclass makes both, and computes the inputs of the first."""

    to_parts: EMRouting
    to_classes: EMRouting

    def route(
        self,
        scores: Float[Tensor, "b i"],
        capsules: Float[Tensor, "b i c d"],
        n_iters: int | None = None,
        edits: Sequence[Edit] = (),
    ) -> Iterator[TwoSteps]:
        """Route inputs to parts and parts to classes.

        Args:
            scores, capsules: inputs, as ``EMRouting`` takes them.
            n_iters: number of iterations; as in training if None.
            edits: changes inside the routings, 0 to parts and 1 to classes, and changes of poses between them.

        Yields:
            For t = 1 to n_iters, both routings as if each had stopped after t iterations, so that a longer run
            contains every shorter one.
        """
        for t, first in enumerate(self.to_parts.steps(scores, capsules, n_iters, edit=edits_of_routing(edits, 0)), 1):
            first = replace(first, means=shift_poses(first.means, edits))
            *_, second = self.to_classes.steps(first.scores, first.means, t, edit=edits_of_routing(edits, 1))
            yield TwoSteps(to_parts=first, to_classes=second)

    def route_to_classes(
        self, scores: Float[Tensor, "b i"], capsules: Float[Tensor, "b i c d"], edits: Sequence[Edit] = ()
    ) -> tuple[Float[Tensor, "b k"], Float[Tensor, "b k c h"], Float[Tensor, "b k c h"]]:
        """Scores, means and variances of the classes after the last iteration. Arguments as in ``route``."""
        scores, means, _ = self.to_parts(scores, capsules, edit=edits_of_routing(edits, 0))
        return self.to_classes(scores, shift_poses(means, edits), edit=edits_of_routing(edits, 1))


def shift_poses(poses: Float[Tensor, "b j c h"], edits: Iterable[Edit]) -> Float[Tensor, "b j c h"]:
    """Apply the edits that shift poses to the poses of the parts."""
    for edit in edits:
        if isinstance(edit, ShiftPose):
            n_parts, rows, columns = poses.shape[1:]
            edit.check(j=n_parts, row=rows, column=columns)
            shift = torch.zeros_like(poses)
            shift[:, edit.j, edit.row, edit.column] = torch.as_tensor(edit.by).to(poses)
            poses = poses + shift
    return poses
