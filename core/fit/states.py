"""States of a frozen transformer for all texts of a file, computed once and read by every training on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.inputs.readers import StatesReader, TransformerReader, as_words
from core.inputs.transformers import Pieces
from core.inputs.word_states import WordStates
from core.training.hidden import HiddenStates

Words = Sequence[str]


@dataclass(frozen=True, eq=False)
class StoredStates(StatesReader):
    """A ``StatesReader`` that finds the states of known texts in a file.

    Args:
        store: states of the known texts.
        numbers: number of each known text in the store, by its words.
    """

    store: HiddenStates
    numbers: dict[tuple[str, ...], int]

    def read(self, sentences: list[list[str]]) -> dict[str, Any]:
        numbers = [self.numbers.get(tuple(words)) for words in sentences]
        known = [number for number in numbers if number is not None]
        if len(known) < len(sentences):
            return super().read(sentences)
        return as_words(**self.store.batch(known))


@dataclass(frozen=True, eq=False)
class StoredPieces(TransformerReader):
    """A ``TransformerReader`` that finds the states of known texts in a file. Attributes as in ``StoredStates``."""

    store: HiddenStates | None = None
    numbers: dict[Pieces, int] | None = None

    def states(self, batch: list[Pieces]) -> dict[str, Any]:
        numbers = [(self.numbers or {}).get(pieces) for pieces in batch]
        known = [number for number in numbers if number is not None]
        if self.store is None or len(known) < len(batch):
            return super().states(batch)
        return self.store.batch(known)


def store_words(reader: StatesReader, texts: Sequence[Words], file: Path, progress: bool = True) -> StoredStates:
    """Compute the states of texts word by word, or find them in a file of an earlier training.

    Args:
        reader: reader of the transformer's layers.
        texts: words of each text.
        file: file of the states.
        progress: whether a bar shows the batches.
    """
    different = list(dict.fromkeys(tuple(words) for words in texts))
    store = HiddenStates(WordStates(reader.states.backbone), different, file, progress)
    return StoredStates(reader.vocabulary, reader.states, store, {words: k for k, words in enumerate(different)})


def store_pieces(reader: TransformerReader, texts: Sequence[str], file: Path, progress: bool = True) -> StoredPieces:
    """``store_words`` for a network that reads every piece of a text."""
    different = list(dict.fromkeys(reader.backbone.cut(list(texts))))
    store = HiddenStates(reader.backbone, different, file, progress)
    numbers = {pieces: k for k, pieces in enumerate(different)}
    return StoredPieces(reader.name, reader.device, reader.layers, store, numbers)
