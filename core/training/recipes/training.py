"""The base class of all trainings, and mixup."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import torch
from torch import Tensor, nn

from core.datasets import BY_SENTENCE, Split, ViewSubset
from core.inputs.readers import Reader
from core.training.loop import Forward, Prepared, run_model
from core.training.losses import Loss
from core.training.schedules import Schedule


@dataclass(frozen=True)
class TrainingJob:
    """Everything that the training loop needs.

    Args:
        model: untrained model.
        reader: reader of the samples.
        epoch_batches: function that returns the batches of epoch e.
        prepare: function that converts a batch to arguments of the model and targets.
        perturbed: word vectors that adversarial training perturbs.
        loss: function of the model's output and the targets; it is also the dev split's loss.
        forward: as in ``core.training.loop.fit``.
        before_evaluation: function that sets weights that are not trained; called with the model before each
            evaluation.
        close: function that deletes large files; called when the checkpoint is saved.
        dev_reader: faster reader of the dev split during training; ``reader`` if None.
    """

    model: nn.Module
    reader: Reader
    epoch_batches: Callable[[int], Sequence[Any]]
    prepare: Callable[[Any], Prepared]
    perturbed: Tensor | None = None
    loss: Loss = nn.functional.cross_entropy
    forward: Forward = run_model
    before_evaluation: Callable[[Any], None] = lambda model: None
    close: Callable[[], None] = lambda: None
    dev_reader: Reader | None = None


@dataclass(frozen=True, kw_only=True)
class Training(ABC):
    """All settings that determine the trained weights. Every field can be stored as JSON.

    Args:
        corpus: as in ``core.datasets.read_split``.
        schedule: optimizer, learning rate and number of epochs.
        batch: number of samples per batch.
        seed: seed of all random choices.
        further: a training that goes on from the weights of this one, if there is one.
    """

    corpus: str
    schedule: Schedule
    batch: int
    seed: int = 0
    further: "Training | None" = None

    kind: ClassVar[str]  # a key of core.networks.NETWORKS

    @abstractmethod
    def splits(self, data: Path) -> tuple[Split | ViewSubset, Split | ViewSubset, Split | ViewSubset]:
        """The samples to train on, to choose weights on, and to test on.

        Raises:
            ValueError: the folder ``data`` lacks one of them.
        """

    @abstractmethod
    def start(self, split: Split | ViewSubset, device: torch.device, data: Path, cache: Path) -> TrainingJob:
        """Make an untrained model and its batches.

        Args:
            split: samples to train on.
            device: device to train on.
            data: folder of the corpus, next to the folders of other corpora.
            cache: file for results that are computed once and are too large for memory.
        """

    def joined(self, train: Split | ViewSubset, dev: Split | ViewSubset) -> Split:
        """Join both splits into samples to train on.

        Raises:
            ValueError: the corpus has an official dev split, which must not be trained on.
        """
        raise ValueError(f"{self.corpus} has a dev split of its own, which is not for training")

    def fitted(self, epochs: int) -> Self:
        """The same training over another number of epochs; what goes on from it changes in proportion.

        Raises:
            ValueError: epochs is below 1.
        """
        further = self.further
        if further is not None:
            further = further.fitted(max(1, further.schedule.epochs * epochs // self.schedule.epochs))
        return replace(self, schedule=self.schedule.fitted(epochs), further=further)

    def seeded(self, seed: int) -> Self:
        """The same training with another seed."""
        further = None if self.further is None else self.further.seeded(seed)
        return replace(self, seed=seed, further=further)

    def begins_with(self) -> str:
        """The sha256 of the weights that the training starts from; "" for random ones."""
        return ""

    def rendered_by(self, data: Path) -> str:
        """The program and seed that rendered the data, in words; "" for released data."""
        return ""

    def data_sha256(self, data: Path) -> str:
        """The sha256 of the data, which an interrupted training must find again; "" for released data."""
        return ""

    def corpora(self, data: Path) -> list[str]:
        """The names of the datasets that the network learns from; none for data that this program renders."""
        return [] if self.rendered_by(data) else [self.corpus.removesuffix(BY_SENTENCE)]


def mix_up(inputs: dict[str, Tensor], targets: Tensor, alpha: float) -> Prepared:
    """Mixup: average each sample with another one in its batch, with the same weights for inputs and targets.

    Args:
        inputs: arguments of the model, [b, ..] each.
        targets: class probabilities [b, classes].
        alpha: the weights are drawn from Beta(alpha, alpha), on the CPU.

    Source: Zhang et al. 2018.
    """
    share = torch.distributions.Beta(alpha, alpha).sample((len(targets),)).to(targets)
    partner = torch.randperm(len(targets)).to(targets.device)

    def mix(x: Tensor) -> Tensor:
        return torch.lerp(x[partner], x, share.view(-1, *[1] * (x.ndim - 1)))

    return {name: mix(x) for name, x in inputs.items()}, mix(targets)
