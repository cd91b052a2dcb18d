"""What all recipes have, what they make ready, and mixup, which several use."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import torch
from torch import Tensor, nn

from core.datasets import Part, Split
from core.readers import Reader
from core.training.loop import Prepared, Schedule
from core.training.losses import Loss


@dataclass(frozen=True)
class Job:
    """A recipe made ready: an untrained model, what reads for it, and its batches."""

    model: nn.Module
    reader: Reader
    epoch_batches: Callable[[int], Sequence[Any]]
    prepare: Callable[[Any], Prepared]
    attacked: nn.Parameter | None = None
    loss: Loss = nn.functional.cross_entropy
    settle: Callable[[nn.Module], None] = lambda model: None  # before each evaluation: sets what is not trained
    close: Callable[[], None] = lambda: None  # when all is saved


@dataclass(frozen=True, kw_only=True)
class Recipe(ABC):
    """How one checkpoint is made.

    form: "full", or "short" for one that a CPU finishes in an hour or two, by short_schedule where there is one.
    """

    name: str
    paper: float | None  # accuracy that the paper reports on the test split, None where it reports none
    schedule: Schedule
    batch: int
    seed: int = 0
    form: str = "full"
    short_schedule: Schedule | None = None

    kind: ClassVar[str]  # which network, a key of core.zoo.KINDS
    corpus: ClassVar[str]  # which dataset, a key of core.datasets.CORPORA
    task: ClassVar[str]
    data: ClassVar[str]  # what it is trained on, in words; of the paper's own test split: where and on how many samples
    source: ClassVar[str]
    n_paper: ClassVar[int | None] = None  # None: on as many as we do
    departs: ClassVar[str]  # sentences for the card: where training departs from the paper's,
    purpose: ClassVar[str]  # what the model is for and not for,
    reads: ClassVar[str]  # and how it reads its samples

    @abstractmethod
    def splits(self, folder: Path) -> tuple[Split | Part, Split | Part, Split | Part]:
        """What to train on, what to choose weights on, and what to test on; ValueError where the folder lacks one."""

    @abstractmethod
    def start(self, split: Split | Part, device: torch.device, scratch: Path) -> Job:
        """An untrained model and its batches. scratch: a folder for large files."""

    def on(self, folder: Path) -> "Recipe":
        """The recipe that knows which data these are, where that can differ."""
        return self

    def short(self) -> "Recipe":
        """The short form; ValueError where there is none."""
        if self.short_schedule is None:
            raise ValueError(f"{self.name} has no short form")
        return replace(self, form="short", schedule=self.short_schedule)


def mixed(inputs: dict[str, Tensor], targets: Tensor, alpha: float) -> Prepared:
    """Mixup (Zhang et al. 2018): each sample joined with another of its batch, inputs and targets in one proportion.

    inputs: [b, ..] each. The shares are drawn from Beta(alpha, alpha) on the CPU.
    """
    share = torch.distributions.Beta(alpha, alpha).sample((len(targets),)).to(targets)
    other = torch.randperm(len(targets)).to(targets.device)

    def mix(x: Tensor) -> Tensor:
        return torch.lerp(x[other], x, share.view(-1, *[1] * (x.ndim - 1)))

    return {name: mix(x) for name, x in inputs.items()}, mix(targets)
