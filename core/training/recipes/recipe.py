"""A recipe: the training of a checkpoint, and its model card."""

from dataclasses import dataclass, replace
from pathlib import Path

from core.training.card import Card, read_card
from core.training.recipes.training import Training


@dataclass(frozen=True)
class Recipe:
    """The recipe of a checkpoint.

    Args:
        name: of the checkpoint and of its card, cards/NAME.md.
        full: the training of the shipped checkpoint, or the paper's if that needs a GPU.
        short: a training of an hour or two on a CPU, where there is one.
        on_all: train anew, once the dev split has chosen when to stop, on all samples, that split's too.
    """

    name: str
    full: Training
    short: Training | None = None
    on_all: bool = False

    def training(self, short: bool = False, epochs: int | None = None) -> Training:
        """The full or the short training, its schedule fitted to another number of epochs if that is given.

        Raises:
            ValueError: there is no short form, or the schedule cannot have so few epochs.
        """
        training = self.short if short else self.full
        if training is None:
            raise ValueError(f"{self.name} has no short form")
        if epochs is None:
            return training
        return replace(training, schedule=replace(training.schedule, epochs=epochs))

    def command(self, short: bool = False, epochs: int | None = None) -> str:
        """The command that makes the checkpoint."""
        fitted = "" if epochs is None else f" --epochs {epochs}"
        return f"python -m core.training {self.name} --data DIR" + " --short" * short + fitted

    def card(self, data: Path, short: bool = False, epochs: int | None = None) -> Card:
        """The card for the full or the short training on the data in a folder. Arguments as in ``training``."""
        training = self.training(short, epochs)
        rendered = training.rendered_by(data)
        name = self.name + "-rendered" * bool(rendered) + "-short" * short
        return read_card(name, vars(training) | {"rendered": rendered})
