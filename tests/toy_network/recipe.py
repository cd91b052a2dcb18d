"""The network's recipe: its settings for training."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from core.inputs.minilm import D_PIECE
from core.training.recipes.recipe import Recipe
from core.training.recipes.words import TextTraining
from core.training.schedules import Schedule
from tests.toy_network.model import Sum, SumConfig
from tests.toy_network.trace import SumTrace


@dataclass(frozen=True, kw_only=True)
class SumTraining(TextTraining):
    """The settings for training the network."""

    corpus: str = "made"
    n_classes: int = 2
    schedule: Schedule = field(default_factory=lambda: Schedule(epochs=1, lr=4e-3, warmup=20))
    batch: int = 64

    kind: ClassVar[str] = SumTrace.kind

    def network(self, n_words: int) -> Sum:
        """An untrained network."""
        return Sum(SumConfig(n_words, self.n_classes, d_word=D_PIECE, d_piece=D_PIECE))


RECIPE = Recipe("toy", SumTraining(), cards=Path(__file__).parent)
