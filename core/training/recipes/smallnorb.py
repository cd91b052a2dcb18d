"""The recipe of the network that names toys, on smallNORB's official files or on pictures rendered into them."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

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
    short_schedule: Schedule | None = field(
        default_factory=lambda: Schedule(epochs=6, lr=1e-3, warmup=100, decay=0.99, evaluations=1)
    )
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
        what = f"pairs of training toys {self.rendered}" if self.rendered else "smallNORB's training pairs as found"
        return f"{what}, without instance {self.held_out} of each category, which is the dev split"

    @property
    def departs(self) -> str:
        rendered, short = "", ""
        if self.rendered:
            rendered = (
                f"Trained and measured on pictures {self.rendered}, not on smallNORB's photographs: its accuracy is "
                "on those, and is not to be compared with the paper's. "
            )
        if self.form == "short":
            short = (
                f" {self.schedule.epochs} epochs instead of {PAPERS_EPOCHS}, by AdamW with a peak learning rate of "
                f"{self.schedule.lr:g} and cosine decay instead of RAdam in one cycle up to {PAPERS_LR:g}, without "
                f"mixup, and pairs move by {self.shift} pixels instead of 16."
            )
        return (
            f"{rendered}Instance {self.held_out} of each category is not trained on: the weights, which are averaged, "
            "are chosen on it. Gradients are clipped. So that photographs are within reach, pairs vary in gain, "
            f"offset, gamma, blur and noise as well as in place.{short}"
        )

    def short(self) -> "Recipe":
        """Fewer epochs and a plainer optimizer; pairs vary less and are not mixed, or so few would not do."""
        looks = Looks(gain=0.1, offset=0.05, gamma=0.1, blur=0.5, noise=0.015)
        return replace(super().short(), shift=4, mixup=0.0, looks=looks)

    def on(self, folder: Path) -> "Recipe":
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
            images = varied(images, self.looks)
            return mixed({"images": images}, targets, self.mixup) if self.mixup else ({"images": images}, targets)

        return Job(
            model=EMSmallNORB(self.network).to(device, memory_format=torch.channels_last),  # faster convolutions
            reader=reader,
            epoch_batches=lambda epoch: shuffled_batches(len(split), self.batch, self.seed + epoch),
            prepare=prepare,
        )


def shuffled_batches(n: int, batch: int, seed: int) -> tuple[Tensor, ...]:
    """An epoch of batches of sample numbers."""
    return torch.randperm(n, generator=torch.Generator().manual_seed(seed)).split(batch)
