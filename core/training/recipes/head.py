"""The short training of an EM head over any frozen transformer, only on the treebank's whole sentences."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from core.datasets import Split, sst
from core.training.card import Card
from core.training.recipes.recipe import FULL, Form, Recipe
from core.training.recipes.sst import EMTraining
from core.training.schedules import OneCycle, Schedule


@dataclass(frozen=True, kw_only=True)
class HeadTraining(EMTraining):
    """The training of two EM routings on whole sentences, which are a fifteenth of all phrases."""

    schedule: Schedule = field(default_factory=lambda: OneCycle(epochs=2, lr=2e-3, evaluations=5))
    d_detect: int = 64

    def training_split(self, data: Path) -> Split:
        return sst.sentences(data, "train", self.n_classes)


@dataclass(frozen=True)
class HeadRecipe(Recipe):
    """The recipe of a head, whose card is ``TEXT``."""

    def command(self, form: Form = FULL) -> str:
        training = cast(HeadTraining, self.training(form))
        options = [f"--name {self.name} --classes {training.n_classes} --data DIR", *form.options]
        return " ".join(["python -m core.training.head", Path(training.backbone).name, *options])

    def card(self, data: Path, form: Form = FULL) -> Card:
        """The card, which names the transformer by its folder."""
        training = cast(HeadTraining, self.training(form))
        backbone = Path(training.backbone).name
        return Card(
            task=f"sentiment of a sentence in {training.n_classes} classes, EM routing over {backbone}",
            data="the whole sentences of the Stanford Sentiment Treebank's training trees",
            source="Heinsen 2019, table 3, over GPT-2 large",
            text=TEXT.format(backbone=backbone, epochs=training.schedule.epochs, sizes="{sizes}"),
        )


TEXT = """**Where it departs from the paper.** It reads {backbone} instead of GPT-2 large. Its training is short: only
whole sentences, for {epochs} epochs, while the paper uses every labelled phrase. Its accuracy shows how far a quick
head gets, not what the transformer can do.

{sizes}

**What it is for.** To see which layers and words of your own transformer make up a score. **What it is not
for.** Do not use it for other languages, for other subjects, or for decisions about people.
"""
