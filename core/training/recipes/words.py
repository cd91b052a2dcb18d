"""What the recipes of networks over word vectors have in common."""

from abc import abstractmethod
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import torch
from torch import Tensor

from core.backbones import word_vectors
from core.datasets import Split
from core.models.words import ReadsWords
from core.readers import WordReader
from core.text import Vocabulary, normalize
from core.training.loop import Prepared
from core.training.recipes.base import Job, Recipe
from core.training.recipes.batches import same_length_batches
from core.training.vectors import start_from_pieces


@dataclass(frozen=True, kw_only=True)
class WordRecipe(Recipe):
    """A network over word vectors that start from MiniLM's word pieces.

    least: how often a word stands in the training texts to have a vector of its own.
    """

    least: int = 1

    reads: ClassVar[str] = (
        "Words outside its vocabulary start from the mean of their MiniLM word pieces and were never trained."
    )

    @abstractmethod
    def network(self, n_words: int) -> ReadsWords:
        """An untrained network of so many words."""

    def start(self, split: Split, device: torch.device, scratch: Path) -> Job:
        times = Counter(normalize(word) for words in split.words for word in words)
        vocabulary = Vocabulary(sorted(word for word, n in times.items() if n >= self.least))
        model, reader = self.model(vocabulary).to(device), WordReader(vocabulary)
        lengths, labels = torch.tensor([len(words) for words in split.words]), torch.tensor(split.labels)

        def prepare(batch: Tensor) -> Prepared:
            inputs = reader.encode([split.words[k] for k in batch.tolist()])
            on_device = {name: value if value is None else value.to(device) for name, value in inputs.items()}
            return on_device, labels[batch].to(device)

        return Job(
            model=model,
            reader=reader,
            epoch_batches=lambda epoch: self.batches(lengths, self.seed + epoch),
            prepare=prepare,
            attacked=model.embedding.weight,
        )

    def model(self, vocabulary: Vocabulary) -> ReadsWords:
        """An untrained model whose word vectors are where they start from: those of MiniLM's word pieces."""
        model = self.network(len(vocabulary))
        start_from_pieces(model, word_vectors(vocabulary.words))
        return model

    def batches(self, lengths: Tensor, seed: int) -> list[Tensor]:
        """The batches of an epoch."""
        return same_length_batches(lengths, self.batch, seed)
