"""A recipe: the training of a checkpoint, and its model card."""

from dataclasses import dataclass
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

    def training(self, short: bool = False) -> Training:
        """The full or the short training.

        Raises:
            ValueError: there is no short form.
        """
        if not short:
            return self.full
        if self.short is None:
            raise ValueError(f"{self.name} has no short form")
        return self.short

    def command(self, short: bool = False) -> str:
        """The command that makes the checkpoint."""
        return f"python -m core.training {self.name} --data DIR" + " --short" * short

    def card(self, data: Path, short: bool = False) -> Card:
        """The card for the full or the short training on the data in a folder."""
        training = self.training(short)
        rendered = training.rendered_by(data)
        name = self.name + "-rendered" * bool(rendered) + "-short" * short
        return read_card(name, vars(training) | {"rendered": rendered})
