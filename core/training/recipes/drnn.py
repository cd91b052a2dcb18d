"""Recipes of disconnected recurrent networks, and of their twins, on whole texts."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from torch import Tensor

from core.backbones import D_PIECE
from core.datasets import Split, official
from core.models import DRNN, DRNNConfig
from core.training.loop import Schedule
from core.training.recipes.batches import like_length_batches
from core.training.recipes.words import WordRecipe

HELD_OUT = 10  # every tenth sample of the training split is kept to choose weights on


@dataclass(frozen=True, kw_only=True)
class DRNNRecipe(WordRecipe):
    """DRNN's.

    corpus, about: which texts, and what is told of them.
    longest: words of a training text that are read; a longer one is cut there.
    d: components of hidden states and of the layers after them.
    """

    corpus: str
    about: str
    n_classes: int
    source: str
    data: str
    n_paper: int | None = None
    window: int = DRNNConfig.window
    unit: str = "gru"
    pooling: str = "max"
    d: int = 150
    longest: int = 400
    least: int = 2
    d_company: int = 216
    schedule: Schedule = field(default_factory=lambda: Schedule(epochs=6, lr=1.5e-3, adversary=10.0))
    batch: int = 64
    dropout: float = 0.5
    dropout_hidden: float = 0.1

    kind: ClassVar[str] = "drnn"
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

    def splits(self, folder: Path) -> tuple[Split, Split, Split]:
        given, test = (official(self.corpus, folder, split, self.n_classes) for split in ("train", "test"))
        train, dev = held_out(given)
        return cut(train, self.longest), dev, test

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

    def batches(self, lengths: Tensor, seed: int) -> list[Tensor]:
        return like_length_batches(lengths, self.batch, seed)


def held_out(split: Split) -> tuple[Split, Split]:
    """The split without every tenth sample, and those."""
    out = range(0, len(split), HELD_OUT)
    return split.take(k for k in range(len(split)) if k not in out), split.take(out)


def cut(split: Split, longest: int) -> Split:
    """The texts up to so many words."""
    return Split([words[:longest] for words in split.words], split.labels, split.classes)
