"""A recipe: the training of a checkpoint, and its model card."""

from dataclasses import dataclass, replace
from pathlib import Path

from core.datasets import BY_SENTENCE, CORPORA
from core.manifest import name_with_seed
from core.training.card import Card, read_card
from core.training.recipes.training import Training


@dataclass(frozen=True)
class Form:
    """A form of a recipe.

    Args:
        short: whether to use the recipe's short training instead of its full one.
        epochs: number of epochs to fit the schedule to; the training's own number if None.
        seed: seed of another training by the same recipe; the recipe's own if None.
    """

    short: bool = False
    epochs: int | None = None
    seed: int | None = None

    def __str__(self) -> str:
        """The form as metrics.json records it: "full", "short", or for example "full 6-epoch"."""
        fitted = "" if self.epochs is None else f" {self.epochs}-epoch"
        return ("short" if self.short else "full") + fitted

    @property
    def options(self) -> list[str]:
        """The options of ``core.training`` that ask for this form."""
        given = {"--epochs": self.epochs, "--seed": self.seed}
        numbers = [part for option, value in given.items() if value is not None for part in (option, str(value))]
        return ["--short"] * self.short + numbers

    @property
    def suffix(self) -> str:
        """A suffix that distinguishes the form's files, such as "-short" or "-6-epochs"."""
        return "-short" * self.short + ("" if self.epochs is None else f"-{self.epochs}-epochs")


FULL = Form()


@dataclass(frozen=True)
class Recipe:
    """The recipe of a checkpoint.

    Args:
        name: name of the checkpoint, unless a form has a seed of its own, and of its card, NAME.md.
        full: training of the shipped checkpoint, or the paper's training if that needs a GPU.
        short: training of an hour or two on a CPU; None if there is none.
        on_all: whether to retrain on all samples including the dev split, after this split has chosen when to stop.
        cards: folder of the card; that of the shipped cards if None.
    """

    name: str
    full: Training
    short: Training | None = None
    on_all: bool = False
    cards: Path | None = None

    def checkpoint(self, form: Form = FULL) -> str:
        """The name of a form's checkpoint, such as "em-sst5", or "em-sst5-seed-1" for another seed."""
        return self.name if form.seed is None else name_with_seed(self.name, form.seed)

    def training(self, form: Form = FULL) -> Training:
        """The training for a form.

        Raises:
            ValueError: there is no short form, the number of epochs is below 1, or the seed is below 0.
        """
        training = self.short if form.short else self.full
        if training is None:
            raise ValueError(f"{self.name} has no short form")
        if form.seed is not None:
            if form.seed < 0:
                raise ValueError(f"the seed is {form.seed}, wanted at least 0")
            training = training.seeded(form.seed)
        return training if form.epochs is None else training.fitted(form.epochs)

    def command(self, form: Form = FULL) -> str:
        """The command that makes the checkpoint."""
        return " ".join(["python -m core.training", self.name, "--data DIR", *form.options])

    def card(self, data: Path, form: Form = FULL) -> Card:
        """The card for a form on the data in a folder. Errors as in ``training``."""
        training = self.training(form)
        rendered = training.rendered_by(data)
        name = self.name + "-rendered" * bool(rendered) + "-short" * form.short
        card = read_card(name, vars(training) | {"rendered": rendered} | _about(training), self.cards)
        if form.epochs is None:
            return card
        usual = self.training(replace(form, epochs=None)).schedule.epochs
        fitted = f"**Another length.** Epochs, to which the schedule is fitted: {form.epochs} instead of {usual}."
        return replace(card, text=f"{fitted}\n\n{card.text}")


def _about(training: Training) -> dict[str, str]:
    """The title and the subject of the corpus that a training reads."""
    corpus = CORPORA[training.corpus.removesuffix(BY_SENTENCE)]
    return {"title": corpus.title, "subject": corpus.subject}
