"""Recipes of dynamic routing aggregation on long texts: sentence by sentence, or all words at once."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import ClassVar

from core.datasets import Split, read_split
from core.inputs.readers import DocumentReader
from core.inputs.transformers import D_PIECE
from core.models import DocumentDRAgg, DRAgg, DRAggConfig
from core.training.loop import Schedule
from core.training.recipes.batches import like_length_batches
from core.training.recipes.words import TextRecipe, held_out


@dataclass(frozen=True, kw_only=True)
class FlatRecipe(TextRecipe):
    """DR-AGG over all words of a text."""

    d: int = 100
    d_company: int = 116
    schedule: Schedule = field(default_factory=lambda: Schedule(epochs=3, lr=1e-3, adversary=10.0))
    batch: int = 32
    dropout: float = 0.4

    kind: ClassVar[str] = "dragg"
    architecture: ClassVar[type[DRAgg]] = DRAgg
    purpose: ClassVar[str] = (
        "**What it is for.** To show how routing settles on one English film review. **What it is not for.**\nOther "
        "languages, other subjects or decisions about people."
    )

    @property
    def task(self) -> str:
        return f"{self.about}, standard dynamic routing"

    @property
    def departs(self) -> str:
        return (
            f"{self.starts} Capsules have {self.d} components and a BiLSTM {self.d} a direction, half the paper's. "
            "Trained by AdamW with cosine decay, averaged weights and an adversarial step on the word vectors; the "
            f"paper has Adam with step decay and L2. A training text is cut after {self.longest} words; words that "
            f"stand in fewer than {self.least} of them are taken for unknown."
        )

    def network(self, n_words: int) -> DRAgg:
        config = DRAggConfig(
            n_words=n_words,
            n_classes=self.n_classes,
            d_capsule=self.d,
            d_word=D_PIECE + self.d_company,
            d_hidden=self.d,
            d_piece=D_PIECE,
            dropout_word=self.dropout,
            dropout_encoding=self.dropout,
        )
        return self.architecture(config)


@dataclass(frozen=True, kw_only=True)
class DocumentRecipe(FlatRecipe):
    """DR-AGG in two levels, over documents that come as sentences."""

    kind: ClassVar[str] = "dragg-documents"
    reader: ClassVar[type[DocumentReader]] = DocumentReader
    batches: ClassVar = staticmethod(like_length_batches)
    architecture: ClassVar[type[DRAgg]] = DocumentDRAgg

    @property
    def task(self) -> str:
        return f"{self.about}, hierarchical dynamic routing"

    def words(self, sample: list) -> list[str]:
        return list(chain.from_iterable(sample))

    def splits(self, folder: Path) -> tuple[Split, Split, Split]:
        given, test = (read_split(self.corpus, folder, split, self.n_classes) for split in ("train", "test"))
        train, dev = held_out(given)
        return Split([list(first(text, self.longest)) for text in train.words], train.labels, train.classes), dev, test


def first(sentences: list[list[str]], longest: int) -> Iterator[list[str]]:
    """The sentences up to so many words."""
    for words in sentences:
        if longest > 0:
            yield words[:longest]
        longest -= len(words)
