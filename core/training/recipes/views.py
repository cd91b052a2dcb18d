"""The smallNORB network with an auxiliary loss that makes poses turn with the toy. The loss is ours, not a paper's."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray
from torch import Tensor

from core import zoo
from core.analysis.poses import circular
from core.datasets import ViewSubset, smallnorb
from core.models import EMSmallNORB
from core.networks.run import class_capsules
from core.training.augment import Looks
from core.training.recipes.smallnorb import USER_LOOKS, SmallNORBTraining
from core.training.recipes.training import TrainingJob
from core.training.schedules import Schedule

MIDDLE, RISE = 50.0, 20.0  # degrees: elevations are from MIDDLE - RISE to MIDDLE + RISE
N_FITTED = 1500  # pairs that readouts are fitted to
PENALTY = 10.0  # penalty of ridge regression on standardized poses


@dataclass(frozen=True, kw_only=True)
class ViewsTraining(SmallNORBTraining):
    """The smallNORB network, trained further from another network with an additional view loss.

    The view loss is the mean squared error of directions that are predicted from the pose of the true class. Each class
    has a linear readout, which is fitted to the other network's poses and then frozen, so that the poses have to move.

    Args:
        schedule: as in ``Training``. The weights at its end are used, because the dev split would choose earlier ones:
            poses continue to improve after accuracy stops rising.
        start_from: checkpoint whose weights the training starts from.
        view_weight: weight of the view loss, relative to the cross entropy.
    """

    schedule: Schedule = field(
        default_factory=lambda: Schedule(epochs=4, lr=1e-3, warmup=50, decay=0.99, evaluations=1, chosen_after=3)
    )
    mixup: float = 0.0  # a mixture of two toys has no direction
    shift: int = 6
    looks: Looks = USER_LOOKS
    far: float = 0.25
    start_from: str = "em-smallnorb"
    view_weight: float = 3.0

    def make_network(self) -> EMSmallNORB:
        network = EMSmallNORB(self.network)
        network.load_state_dict(zoo.load(self.start_from, "cpu").model.state_dict())
        return network

    def start(self, split: ViewSubset, device: torch.device, data: Path, cache: Path) -> TrainingJob:
        job = super().start(split, device, data, cache)
        directions = to_directions(smallnorb.directions(split.views.info[split.numbers]))
        readouts = self._fit_readouts(split, directions).to(device)
        wanted = torch.from_numpy(directions).float().to(device)

        def prepare(batch: Tensor) -> tuple[dict[str, Tensor], Tensor]:
            inputs, targets = job.prepare(batch)
            return inputs | {"directions": wanted[batch.to(device)]}, targets

        def forward(model: EMSmallNORB, inputs: dict[str, Tensor], targets: Tensor) -> tuple[Tensor, Tensor]:
            classes = targets.argmax(1)
            scores, poses, _ = model.class_capsules(inputs["images"])
            true_poses = poses[torch.arange(len(poses), device=classes.device), classes]
            error = readouts.read(true_poses, classes) - inputs["directions"]
            return scores, self.view_weight * error.square().mean()

        return replace(job, prepare=prepare, forward=forward)

    def begins_with(self) -> str:
        return zoo.describe(self.start_from).sha256

    def _fit_readouts(self, split: ViewSubset, directions: Float[ndarray, "n 3"]) -> "Readouts":
        """Fit readouts to poses of the initial network, on an unaugmented sample of the split."""
        n = min(N_FITTED, len(split))
        chosen = np.sort(np.random.default_rng(self.seed).choice(len(split), n, replace=False))
        images, classes = split.batch(chosen)
        poses = class_capsules(zoo.load(self.start_from, "cpu"), images).poses[np.arange(n), classes]
        return fit_readouts(poses.reshape(n, -1), classes, directions[chosen], len(split.classes))


def to_directions(degrees: Float[ndarray, "n 2"]) -> Float[ndarray, "n 3"]:
    """Convert degrees to the sine and cosine of each azimuth, and each elevation scaled to -1..1."""
    azimuth, elevation = degrees.T
    return np.column_stack([circular(azimuth), (elevation - MIDDLE) / RISE])


class Readouts(NamedTuple):
    """One linear readout per class."""

    weights: Float[Tensor, "classes pose 3"]
    offsets: Float[Tensor, "classes 3"]

    def to(self, device: torch.device) -> "Readouts":
        """The same readouts on a device."""
        return Readouts(*(tensor.to(device) for tensor in self))

    def read(self, poses: Float[Tensor, "b c h"], classes: Int[Tensor, " b"]) -> Float[Tensor, "b 3"]:
        """Predict the direction of each pose by the readout of its class."""
        return torch.einsum("bp,bpt->bt", poses.flatten(1), self.weights[classes]) + self.offsets[classes]


def fit_readouts(
    poses: Float[ndarray, "n pose"], classes: Int[ndarray, " n"], directions: Float[ndarray, "n 3"], n_classes: int
) -> Readouts:
    """Fit the readout of each class to its poses, by ridge regression.

    Raises:
        ValueError: a class has no poses.
    """
    from sklearn.linear_model import Ridge
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    weights, offsets = [], []
    for category in range(n_classes):
        chosen = classes == category
        if not chosen.any():
            raise ValueError(f"class {category} has no poses to fit a readout to")
        readout = make_pipeline(StandardScaler(), Ridge(PENALTY)).fit(poses[chosen], directions[chosen])
        at_zero = readout.predict(np.zeros((1, poses.shape[1])))  # the readout is affine: unit vectors give the rest
        weights.append(readout.predict(np.eye(poses.shape[1])) - at_zero)
        offsets.append(at_zero[0])
    return Readouts(*(torch.from_numpy(np.stack(parts)).float() for parts in (weights, offsets)))
