"""The recipe of the network that names toys, on smallNORB's official files or on pictures rendered into them."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
import torch
from torch import Tensor, nn

from core.datasets import Part, smallnorb
from core.datasets.part import whole
from core.models import EMSmallNORB, EMSmallNORBConfig
from core.readers import ImageReader
from core.training.augment import Looks, shifted, varied
from core.training.loop import OneCycle, Prepared, Schedule
from core.training.recipes.base import Job, Recipe, mixed

PAPERS_EPOCHS, PAPERS_LR = 50, 5e-4


@dataclass(frozen=True, kw_only=True)
class SmallNORBRecipe(Recipe):
    """Two EM routings over what convolutions detect in a pair of pictures.

    rendered: how the pictures were made, where they are no photographs.
    held_out: the training instance of each category that weights are chosen on.
    mixup: as in ``EMRecipe``. shift: pixels that a pair moves by at most.
    """

    schedule: Schedule = field(default_factory=lambda: OneCycle(epochs=PAPERS_EPOCHS, lr=PAPERS_LR, evaluations=1))
    batch: int = 20
    short_schedule: Schedule | None = field(default_factory=lambda: OneCycle(epochs=5, lr=1e-3))
    rendered: str = ""
    held_out: int = 9
    mixup: float = 0.2
    shift: int = 16
    looks: Looks = field(default_factory=Looks)
    network: EMSmallNORBConfig = field(default_factory=EMSmallNORBConfig)

    kind: ClassVar[str] = "em-smallnorb"
    corpus: ClassVar[str] = "smallnorb"
    task: ClassVar[str] = "kind of a toy in a pair of pictures, EM routing"
    n_paper: ClassVar[int] = 24_300
    purpose: ClassVar[str] = (
        "**What it is for.** To show how routing settles on one pair of pictures of a toy. **What it is not for.**\n"
        "Other things, scenes or decisions about people: it names one of five kinds of toy, whatever it is shown."
    )
    reads: ClassVar[str] = "It reads both pictures in grey."

    @property
    def source(self) -> str:
        return "Heinsen 2019, table 2" + (", on photographs" if self.rendered else "")

    @property
    def data(self) -> str:
        return (
            f"smallNORB's training pairs, {self.rendered or 'official files as found'}, without instance "
            f"{self.held_out} of each category, which is the dev split"
        )

    @property
    def departs(self) -> str:
        epochs, lr, rendered = self.schedule.epochs, self.schedule.lr, ""
        if self.rendered:
            rendered = (
                f"Trained and measured on pictures {self.rendered}, not on smallNORB's photographs: its accuracy is "
                "on those, and is not to be compared with the paper's. "
            )
        return (
            f"{rendered}Instance {self.held_out} of each category is not trained on: the weights, which are averaged, "
            "are chosen on it. Gradients are clipped. So that photographs are within reach, pairs vary in gain, "
            "offset, gamma, blur and noise as well as in place."
            + (f" {epochs} epochs instead of {PAPERS_EPOCHS}." if epochs != PAPERS_EPOCHS else "")
            + (f" The peak learning rate is {lr:g} instead of {PAPERS_LR:g}." if lr != PAPERS_LR else "")
        )

    def on(self, folder: Path) -> Self:
        return replace(self, rendered=smallnorb.rendered_by(folder))

    def splits(self, folder: Path) -> tuple[Part, Part, Part]:
        views = smallnorb.load(folder, "train")
        held_out = views.info[:, list(smallnorb.INFO).index("instance")] == self.held_out
        if held_out.all() or not held_out.any():
            raise ValueError(f"{folder}, train: wanted instance {self.held_out}, to choose weights on, and others")
        train, dev = (Part(views, np.flatnonzero(chosen)) for chosen in (~held_out, held_out))
        return train, dev, whole(folder, "test")

    def start(self, split: Part, device: torch.device, scratch: Path) -> Job:
        reader = ImageReader()

        def prepare(batch: Tensor) -> Prepared:
            images, categories = (torch.from_numpy(found).to(device) for found in split.batch(batch.numpy()))
            images = reader.encode(shifted(images, self.shift))["images"]
            targets = nn.functional.one_hot(categories.long(), len(split.classes)).float()
            return mixed({"images": varied(images, self.looks)}, targets, self.mixup)

        return Job(
            model=EMSmallNORB(self.network).to(device, memory_format=torch.channels_last),  # faster convolutions
            reader=reader,
            epoch_batches=lambda epoch: shuffled_batches(len(split), self.batch, self.seed + epoch),
            prepare=prepare,
        )


def shuffled_batches(n: int, batch: int, seed: int) -> tuple[Tensor, ...]:
    """An epoch of batches of sample numbers."""
    return torch.randperm(n, generator=torch.Generator().manual_seed(seed)).split(batch)
