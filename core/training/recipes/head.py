"""The short training of an EM head over any frozen transformer: on the treebank's whole sentences alone."""

from dataclasses import dataclass, field
from pathlib import Path

from core.datasets import Split, sst
from core.training.card import Card, read_card
from core.training.loop import OneCycle, Schedule
from core.training.recipes.recipe import Recipe
from core.training.recipes.sst import EMTraining


@dataclass(frozen=True, kw_only=True)
class HeadTraining(EMTraining):
    """Two EM routings over a transformer, trained on whole sentences: a fifteenth of the phrases in them."""

    schedule: Schedule = field(default_factory=lambda: OneCycle(epochs=2, lr=2e-3, evaluations=5))
    d_detect: int = 64

    def training_split(self, data: Path) -> Split:
        return sst.sentences(data, "train", self.n_classes)


@dataclass(frozen=True)
class HeadRecipe(Recipe):
    """The recipe of a head, whose card is cards/em-head.md."""

    def card(self, data: Path, short: bool = False) -> Card:
        """The card; the transformer is called by the name of its folder."""
        training = self.training(short)
        return read_card("em-head", vars(training) | {"backbone": Path(training.backbone).name})
