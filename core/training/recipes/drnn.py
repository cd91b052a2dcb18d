"""Recipes of disconnected recurrent networks, and of their twins, on whole texts."""

from dataclasses import dataclass, field
from typing import ClassVar

from core.inputs.transformers import D_PIECE
from core.models import DRNN, DRNNConfig
from core.training.loop import Schedule
from core.training.recipes.batches import like_length_batches
from core.training.recipes.words import TextRecipe


@dataclass(frozen=True, kw_only=True)
class DRNNRecipe(TextRecipe):
    """DRNN's. d: components of hidden states and of the layers after them."""

    window: int = DRNNConfig.window
    unit: str = "gru"
    pooling: str = "max"
    d: int = 150
    least: int = 2
    d_company: int = 216
    schedule: Schedule = field(default_factory=lambda: Schedule(epochs=6, lr=1.5e-3, adversary=10.0))
    batch: int = 64
    dropout: float = 0.5
    dropout_hidden: float = 0.1

    kind: ClassVar[str] = "drnn"
    batches: ClassVar = staticmethod(like_length_batches)
    purpose: ClassVar[str] = (
        "**What it is for.** To show how many words in a row a decision takes, on English texts of this kind. "
        "**What it is not for.**\nOther languages, other kinds of text or decisions about people."
    )

    @property
    def task(self) -> str:
        return f"{self.about}, windows of {self.window} words"

    @property
    def departs(self) -> str:
        harder = " and an adversarial step on the word vectors" if self.schedule.adversary else ""
        return (
            f"{self.starts} Trained by AdamW with cosine decay, averaged weights{harder}, in batches of {self.batch}, "
            f"with {self.d} components instead of 300; the paper has Adadelta and batches of 128. Training texts are "
            f"cut after {self.longest} words."
        )

    def network(self, n_words: int) -> DRNN:
        config = DRNNConfig(
            n_words=n_words,
            n_classes=self.n_classes,
            window=self.window,
            unit=self.unit,
            pooling=self.pooling,
            d_word=D_PIECE + self.d_company,
            d_hidden=self.d,
            d_mlp=self.d,
            d_piece=D_PIECE,
            dropout=self.dropout,
            dropout_hidden=self.dropout_hidden,
        )
        return DRNN(config)
