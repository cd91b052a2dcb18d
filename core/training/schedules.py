"""Schedules of the optimizer's rate and momentum during training."""

import math
from dataclasses import dataclass, replace
from typing import Any, Self

import torch
from torch import nn


@dataclass(frozen=True)
class Schedule:
    """AdamW with warm-up to ``lr``, then cosine decay to 0 over all epochs, and an exponential average of the weights.

    With a perturbation each batch is used twice, the second time with the word vectors moved by this distance along
    the loss gradient (adversarial training: Miyato, Dai, Goodfellow 2017, eq. 5-6, here for all words in a batch
    together).
    """

    epochs: int
    lr: float
    warmup: int = 200  # steps
    weight_decay: float = 0.0
    clip: float = 5.0
    perturbation: float = 0.0  # distance by which word vectors are moved; 0 for no adversarial training
    decay: float = 0.999  # decay of the weight average per step
    evaluations: int = 2  # evaluations on the dev split per epoch
    chosen_after: int = 0  # first epochs, whose weights are never chosen
    patience: int = 0  # epochs without better weights after which a training stops; 0 for none
    kept: tuple[float, ...] = ()  # shares of the training after which weights are kept, each at the next evaluation

    def __post_init__(self):
        if self.epochs < 1:
            raise ValueError(f"epochs is {self.epochs}, wanted at least 1")
        if self.chosen_after >= self.epochs:
            raise ValueError(f"chosen_after is {self.chosen_after}, wanted less than the {self.epochs} epochs")

    @property
    def may_choose(self) -> bool:
        """Whether there is more than one evaluation on the dev split to choose weights from."""
        return (self.epochs - self.chosen_after) * self.evaluations > 1

    def fitted(self, epochs: int) -> Self:
        """The same schedule over another number of epochs, with ``warmup`` unchanged.

        Raises:
            ValueError: epochs is below 1.
        """
        return replace(self, epochs=epochs, chosen_after=self.chosen_after * epochs // self.epochs)

    def optimizer(self, trained: list[nn.Parameter]) -> torch.optim.Optimizer:
        """Make an optimizer for these parameters."""
        return torch.optim.AdamW(trained, weight_decay=self.weight_decay, fused=True)

    def settings(self, step: int, total: int) -> dict[str, Any]:
        """The optimizer's settings at a step, counted from 1 to total."""
        return {"lr": self.lr * min(1.0, step / max(1, self.warmup)) * _cosine(step / total)}


@dataclass(frozen=True)
class OneCycle(Schedule):
    """RAdam with one cycle of the learning rate and of beta1 (Heinsen 2019, section 4).

    During the first ``rise`` share of all steps, the rate rises linearly from ``lr_least`` to ``lr``, and beta1 falls
    from ``beta1_most`` to ``beta1_least``. After that both return along a cosine.
    """

    lr_least: float = 1e-5
    rise: float = 0.1
    beta1_most: float = 0.999
    beta1_least: float = 0.8991

    def optimizer(self, trained: list[nn.Parameter]) -> torch.optim.Optimizer:
        return torch.optim.RAdam(trained, weight_decay=self.weight_decay)

    def settings(self, step: int, total: int) -> dict[str, Any]:
        progress = step / total
        up = progress / self.rise if progress < self.rise else _cosine((progress - self.rise) / (1 - self.rise))
        beta1 = self.beta1_most - (self.beta1_most - self.beta1_least) * up
        return {"lr": self.lr_least + (self.lr - self.lr_least) * up, "betas": (beta1, 0.999)}


@dataclass(frozen=True)
class StepDecay(Schedule):
    """Adam with L2 regularization and a rate that falls by a factor after some steps (Gong et al. 2018, table 2).

    Here ``weight_decay`` is the weight of the L2 term in the loss, half the sum of squares, and there is no warm-up.
    """

    factor: float = 0.9
    every: int = 500  # steps

    def optimizer(self, trained: list[nn.Parameter]) -> torch.optim.Optimizer:
        return torch.optim.Adam(trained, weight_decay=self.weight_decay, fused=True)

    def settings(self, step: int, total: int) -> dict[str, Any]:
        return {"lr": self.lr * self.factor ** (step // self.every)}


@dataclass(frozen=True)
class Adadelta(Schedule):
    """Adadelta at a fixed rate (Zeiler 2012), as in Guo 2017 and Wang 2018."""

    def optimizer(self, trained: list[nn.Parameter]) -> torch.optim.Optimizer:
        return torch.optim.Adadelta(trained, rho=0.95, eps=1e-6, weight_decay=self.weight_decay)

    def settings(self, step: int, total: int) -> dict[str, Any]:
        return {"lr": self.lr}


def _cosine(progress: float) -> float:
    """Half a cosine wave, which falls from 1 to 0 as progress rises from 0 to 1."""
    return 0.5 * (1 + math.cos(math.pi * progress))
