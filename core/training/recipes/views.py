"""The smallNORB network whose poses are asked to turn with the toy: an auxiliary loss that is ours, not a paper's."""

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from core import zoo
from core.analysis.poses import circular
from core.datasets import ViewSubset, smallnorb
from core.models import EMSmallNORB
from core.training.recipes.smallnorb import SmallNORBTraining
from core.training.recipes.training import Job
from core.training.schedules import Schedule

MIDDLE, RISE = 50.0, 20.0  # degrees: elevations are 30 to 70
SCALE = 0.5  # of distances between directions, which brings them to those between poses of a trained network


@dataclass(frozen=True, kw_only=True)
class ViewsTraining(SmallNORBTraining):
    """The smallNORB network, trained on from another one with the view loss besides.

    Args:
        start_from: the checkpoint whose weights it begins with.
        view_weight: of the view loss beside the cross entropy.
    """

    schedule: Schedule = field(default_factory=lambda: Schedule(epochs=3, lr=3e-4, decay=0.99, chosen_after=2))
    mixup: float = 0.0  # a mixture of two toys has no direction
    shift: int = 6
    start_from: str = "em-smallnorb"
    view_weight: float = 3.0

    def make_network(self) -> EMSmallNORB:
        network = EMSmallNORB(self.network)
        if self.start_from:
            network.load_state_dict(zoo.load(self.start_from, "cpu").model.state_dict())
        return network

    def start(self, split: ViewSubset, device: torch.device, data: Path, cache: Path) -> Job:
        job = super().start(split, device, data, cache)
        directions = torch.from_numpy(to_directions(smallnorb.directions(split.views.info[split.numbers]))).to(device)

        def prepare(batch: Tensor) -> tuple[dict[str, Tensor], Tensor]:
            inputs, targets = job.prepare(batch)
            return inputs | {"directions": directions[batch]}, targets

        def forward(model: nn.Module, inputs: dict[str, Tensor], targets: Tensor) -> tuple[Tensor, Tensor]:
            classes = targets.argmax(1)
            scores, poses, _ = model.class_capsules(inputs["images"])
            of_class = poses[torch.arange(len(poses)), classes]
            return scores, self.view_weight * view_loss(of_class, inputs["directions"], classes)

        return replace(job, prepare=prepare, forward=forward)


def to_directions(degrees: Float[np.ndarray, "n 2"]) -> Float[np.ndarray, "n 3"]:
    """Points on a tube, whose distances are those between directions, from azimuth and elevation in degrees."""
    azimuth, elevation = degrees.T
    points = np.column_stack([circular(azimuth), (elevation - MIDDLE) / RISE])
    return (SCALE * points).astype(np.float32)


def view_loss(
    poses: Float[Tensor, "b c h"], directions: Float[Tensor, "b d"], classes: Int[Tensor, " b"]
) -> Float[Tensor, ""]:
    """Mean squared error of the distances between poses, where they should be those between directions.

    Only pairs of toys of one class count; 0 if there are none. It asks nothing of where poses are, nor how they are
    rotated: that of metric multidimensional scaling, whose places are the poses.
    """
    first, second = torch.triu_indices(len(poses), len(poses), 1, device=poses.device)
    alike = classes[first] == classes[second]
    if not alike.any():
        return poses.sum() * 0
    first, second = first[alike], second[alike]
    apart = (poses[first] - poses[second]).flatten(1).square().sum(1).clamp(min=1e-12).sqrt()
    wanted = (directions[first] - directions[second]).norm(dim=1)
    return (apart - wanted).square().mean()
