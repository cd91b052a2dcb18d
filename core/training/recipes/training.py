"""The base of all trainings, and mixup, which several use."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import torch
from torch import Tensor, nn

from core.datasets import Split, ViewSubset
from core.inputs.readers import Reader
from core.training.loop import Prepared, Schedule
from core.training.losses import Loss


@dataclass(frozen=True)
class Job:
    """A training made ready: an untrained model, the reader of its samples, and its batches.

    Args:
        epoch_batches: the batches of epoch e.
        prepare: turns a batch into arguments of the model and targets.
        perturbed: the word vectors that adversarial training perturbs.
        before_evaluation: sets what is not trained; called with the model before each evaluation.
        close: called when all is saved.
    """

    model: nn.Module
    reader: Reader
    epoch_batches: Callable[[int], Sequence[Any]]
    prepare: Callable[[Any], Prepared]
    perturbed: nn.Parameter | None = None
    loss: Loss = nn.functional.cross_entropy
    before_evaluation: Callable[[nn.Module], None] = lambda model: None
    close: Callable[[], None] = lambda: None


@dataclass(frozen=True, kw_only=True)
class Training(ABC):
    """All settings that decide which weights a training ends with. JSON can hold every field.

    Args:
        corpus: which dataset, a key of ``core.datasets.CORPORA``.
        batch: samples in a batch.
    """

    corpus: str
    schedule: Schedule
    batch: int
    seed: int = 0

    kind: ClassVar[str]  # which network, as in config.json

    @abstractmethod
    def splits(self, data: Path) -> tuple[Split | ViewSubset, Split | ViewSubset, Split | ViewSubset]:
        """The samples to train on, to choose weights on, and to test on.

        Raises:
            ValueError: the folder ``data`` lacks one of them.
        """

    @abstractmethod
    def start(self, split: Split | ViewSubset, device: torch.device, data: Path, cache: Path) -> Job:
        """Make an untrained model and its batches.

        Args:
            split: the samples to train on.
            data: the folder of the corpus; other corpora are looked for beside it.
            cache: a file for what is computed once and is too large for memory.
        """

    def rendered_by(self, data: Path) -> str:
        """How the pictures in the folder were rendered; "" where the data are as released."""
        return ""


def mixed(inputs: dict[str, Tensor], targets: Tensor, alpha: float) -> Prepared:
    """Mixup: each sample joined with another of its batch, inputs and targets in one proportion.

    Args:
        inputs: [b, ..] each.
        targets: [b, classes].
        alpha: the shares are drawn from Beta(alpha, alpha), on the CPU.

    Source: Zhang et al. 2018.
    """
    share = torch.distributions.Beta(alpha, alpha).sample((len(targets),)).to(targets)
    other = torch.randperm(len(targets)).to(targets.device)

    def mix(x: Tensor) -> Tensor:
        return torch.lerp(x[other], x, share.view(-1, *[1] * (x.ndim - 1)))

    return {name: mix(x) for name, x in inputs.items()}, mix(targets)
