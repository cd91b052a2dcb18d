"""A recipe: how one checkpoint is made, and what its model card says."""

from dataclasses import dataclass
from pathlib import Path

from core.training.card import Card, read_card
from core.training.recipes.training import Training


@dataclass(frozen=True)
class Recipe:
    """How one checkpoint is made.

    Args:
        name: the checkpoint's; its card is cards/NAME.md.
        full: the training of the shipped checkpoint, or of the paper where it asks for a GPU.
        short: a training that a CPU finishes in an hour or two, where there is one.
    """

    name: str
    full: Training
    short: Training | None = None

    def training(self, short: bool = False) -> Training:
        """The training of a form.

        Raises:
            ValueError: there is no short form.
        """
        if not short:
            return self.full
        if self.short is None:
            raise ValueError(f"{self.name} has no short form")
        return self.short

    def card(self, data: Path, short: bool = False) -> Card:
        """The card of a form that is trained on the data in a folder."""
        training = self.training(short)
        rendered = training.rendered_by(data)
        name = self.name + "-rendered" * bool(rendered) + "-short" * short
        return read_card(name, vars(training) | {"rendered": rendered})
