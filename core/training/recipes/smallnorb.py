"""The training of the network that names toys, on smallNORB's official files or on pictures rendered into them."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor, nn

from core.datasets import ViewSubset, smallnorb
from core.inputs.readers import ImageReader
from core.models import EMSmallNORB, EMSmallNORBConfig
from core.training.augment import Looks, shifted, varied
from core.training.loop import OneCycle, Prepared, Schedule
from core.training.recipes.batches import shuffled_batches
from core.training.recipes.training import Job, Training, mixed


@dataclass(frozen=True, kw_only=True)
class SmallNORBTraining(Training):
    """Two EM routings over what convolutions detect in a pair of pictures.

    Args:
        held_out: the training instance of each category that weights are chosen on.
        mixup: as in ``EMTraining``; pairs are not mixed where it is 0.
        shift: pixels that a pair moves by at most.
    """

    corpus: str = "smallnorb"
    schedule: Schedule = field(default_factory=lambda: OneCycle(epochs=50, lr=5e-4, evaluations=1))
    batch: int = 20
    held_out: int = 9
    mixup: float = 0.2
    shift: int = 16
    looks: Looks = field(default_factory=Looks)
    network: EMSmallNORBConfig = field(default_factory=EMSmallNORBConfig)

    kind: ClassVar[str] = "em-smallnorb"

    def rendered_by(self, data: Path) -> str:
        return smallnorb.rendered_by(data)

    def splits(self, data: Path) -> tuple[ViewSubset, ViewSubset, ViewSubset]:
        views = smallnorb.load(data, "train")
        held_out = views.info[:, list(smallnorb.INFO).index("instance")] == self.held_out
        if held_out.all() or not held_out.any():
            raise ValueError(f"{data}, train: wanted instance {self.held_out}, to choose weights on, and others")
        train, dev = (ViewSubset(views, np.flatnonzero(chosen)) for chosen in (~held_out, held_out))
        return train, dev, smallnorb.whole(data, "test")

    def start(self, split: ViewSubset, device: torch.device, data: Path, cache: Path) -> Job:
        reader = ImageReader()

        def prepare(batch: Tensor) -> Prepared:
            images, categories = (torch.from_numpy(array).to(device) for array in split.batch(batch.numpy()))
            images = reader.encode(shifted(images, self.shift))["images"]
            targets = nn.functional.one_hot(categories.long(), len(split.classes)).float()
            images = varied(images, self.looks)
            return mixed({"images": images}, targets, self.mixup) if self.mixup else ({"images": images}, targets)

        return Job(
            model=EMSmallNORB(self.network).to(device, memory_format=torch.channels_last),  # faster convolutions
            reader=reader,
            epoch_batches=lambda epoch: shuffled_batches(len(split), self.batch, self.seed + epoch),
            prepare=prepare,
        )
