"""The training of the smallNORB network, on the official files or on rendered pictures in the same format."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor, nn

from core.datasets import ViewSubset, smallnorb
from core.inputs.readers import ImageReader
from core.models import EMSmallNORB, EMSmallNORBConfig
from core.traces.em import EMPictureTrace
from core.training.augment import Looks, shift, vary
from core.training.loop import Prepared
from core.training.recipes.batches import shuffled_batches
from core.training.recipes.training import Training, TrainingJob, mix_up
from core.training.schedules import OneCycle, Schedule

KEPT = (0.1, 0.25, 0.5, 0.75, 1.0)  # shares of the training after which weights are kept
# Ranges as wide as the variation of exposure, contrast, sharpness, size and disparity among users' pictures of toys.
USER_LOOKS = Looks(0.3, 0.15, 0.4, 1.0, 0.02, eyes=0.15, zoom=0.15, disparity=3.0, single=1 / 3)
# For small toys in pictures of few pixels, on surfaces with patterns, and compressed.
FAR_LOOKS = replace(USER_LOOKS, noise=0.03, away=0.95, surroundings=0.5, soft=1.0, jpeg=2.5)


@dataclass(frozen=True, kw_only=True)
class SmallNORBTraining(Training):
    """The training of the smallNORB network with two EM routings.

    Args:
        held_out: training instance of each category that is held out to choose weights on.
        mixup: as in ``EMTraining``; 0 for no mixup.
        shift: largest shift of a pair, in pixels.
        looks: ranges of size, surroundings, tones, blur, noise and compression.
        far: share of the batches that vary by ``FAR_LOOKS`` instead.
        network: sizes of the network.
    """

    corpus: str = "smallnorb"
    schedule: Schedule = field(default_factory=lambda: OneCycle(epochs=50, lr=5e-4, evaluations=1, kept=KEPT))
    batch: int = 20
    held_out: int = 9
    mixup: float = 0.2
    shift: int = 16
    looks: Looks = FAR_LOOKS
    far: float = 0.0
    network: EMSmallNORBConfig = field(default_factory=lambda: EMSmallNORBConfig(standardized=True))

    kind: ClassVar[str] = EMPictureTrace.kind

    def make_network(self) -> EMSmallNORB:
        """An untrained network."""
        return EMSmallNORB(self.network)

    def rendered_by(self, data: Path) -> str:
        return smallnorb.rendered_by(data)

    def splits(self, data: Path) -> tuple[ViewSubset, ViewSubset, ViewSubset]:
        views = smallnorb.load(data, "train")
        held_out = views.info[:, list(smallnorb.INFO).index("instance")] == self.held_out
        if held_out.all() or not held_out.any():
            raise ValueError(f"{data}, train: wanted instance {self.held_out}, on which weights are chosen, and others")
        train, dev = (ViewSubset(views, np.flatnonzero(chosen)) for chosen in (~held_out, held_out))
        return train, dev, smallnorb.all_views(data, "test")

    def start(self, split: ViewSubset, device: torch.device, data: Path, cache: Path) -> TrainingJob:
        reader = ImageReader()

        def prepare(batch: Tensor) -> Prepared:
            images, categories = (torch.from_numpy(array).to(device) for array in split.batch(batch.numpy()))
            images = reader.read(shift(images, self.shift))["images"]
            targets = nn.functional.one_hot(categories.long(), len(split.classes)).float()
            images = vary(images, FAR_LOOKS if self.far and torch.rand(()) < self.far else self.looks)
            return mix_up({"images": images}, targets, self.mixup) if self.mixup else ({"images": images}, targets)

        return TrainingJob(
            model=self.make_network().to(device).to(memory_format=torch.channels_last),  # makes convolutions faster
            reader=reader,
            epoch_batches=lambda epoch: shuffled_batches(len(split), self.batch, self.seed + epoch),
            prepare=prepare,
        )
