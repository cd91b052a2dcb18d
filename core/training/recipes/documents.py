"""Trainings of DR-AGG on long texts, sentence by sentence or with all words at once."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import ClassVar

from core.datasets import Split
from core.inputs.minilm import D_PIECE
from core.inputs.readers import DocumentReader
from core.models import DocumentDRAgg, DRAgg, DRAggConfig
from core.traces.dragg import DocumentTrace, DRAggTrace
from core.training.recipes.batches import similar_length_batches
from core.training.recipes.words import TextTraining
from core.training.schedules import Schedule


@dataclass(frozen=True, kw_only=True)
class FlatTraining(TextTraining):
    """The training of DR-AGG over all words of a text.

    Args:
        d: components of a capsule, and of each direction of the BiLSTM.
        dropout: dropout of word vectors and of the encoding.
    """

    d: int = 100
    d_cooccurrence: int = 116
    schedule: Schedule = field(default_factory=lambda: Schedule(epochs=3, lr=1e-3, perturbation=10.0))
    batch: int = 32
    dropout: float = 0.4

    kind: ClassVar[str] = DRAggTrace.kind
    architecture: ClassVar[type[DRAgg]] = DRAgg

    def network(self, n_words: int) -> DRAgg:
        config = DRAggConfig(
            n_words=n_words,
            n_classes=self.n_classes,
            d_capsule=self.d,
            d_word=D_PIECE + self.d_other,
            d_hidden=self.d,
            d_piece=D_PIECE,
            dropout_word=self.dropout,
            dropout_encoding=self.dropout,
        )
        return self.architecture(config)


@dataclass(frozen=True, kw_only=True)
class DocumentTraining(FlatTraining):
    """The training of DR-AGG with two routings, on documents that are lists of sentences."""

    kind: ClassVar[str] = DocumentTrace.kind
    reader: ClassVar[type[DocumentReader]] = DocumentReader
    batches: ClassVar = staticmethod(similar_length_batches)
    architecture: ClassVar[type[DRAgg]] = DocumentDRAgg

    def words(self, sample: list) -> list[str]:
        return list(chain.from_iterable(sample))

    def cut(self, split: Split) -> Split:
        return Split([list(first_words(text, self.max_words)) for text in split.words], split.labels, split.classes)


def first_words(sentences: list[list[str]], n: int) -> Iterator[list[str]]:
    """Yield the sentences up to the n-th word; the last one is cut there."""
    for words in sentences:
        if n > 0:
            yield words[:n]
        n -= len(words)
