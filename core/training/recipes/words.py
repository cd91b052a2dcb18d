"""Base classes for the training of networks over word vectors."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import torch
from torch import Tensor, nn

from core.datasets import Split, read_texts
from core.inputs.minilm import word_vectors
from core.inputs.readers import MAX_LETTERS, WordReader
from core.inputs.text import Vocabulary, normalize
from core.models.words import ReadsWords
from core.training.cooccurrence import cooccurrence_vectors
from core.training.glove import D_GLOVE, glove_vectors
from core.training.loop import Prepared
from core.training.losses import Loss
from core.training.recipes.batches import same_length_batches
from core.training.recipes.training import Training, TrainingJob
from core.training.word_vectors import init_from_all, init_from_pieces

HELD_OUT = 10  # every tenth training sample is held out to choose weights on


@dataclass(frozen=True, kw_only=True)
class WordTraining(Training):
    """The training of a network over word vectors that start from MiniLM's word pieces, co-occurrence counts and GloVe.

    Args:
        min_count: occurrences in the training texts that a word needs to be in the vocabulary.
        d_cooccurrence: number of components of the initial word vectors that come from co-occurrence counts.
        cooccurrence_in: texts for these counts, as (corpus, split); their labels are not used.
        glove: whether GloVe's vectors are further components. They need an optional package, in training only.
    """

    min_count: int = 1
    d_cooccurrence: int = 0
    cooccurrence_in: tuple[tuple[str, str], ...] = ()
    glove: bool = False

    reader: ClassVar[type[WordReader]] = WordReader
    # With padding, the gradient of an LSTM takes time quadratic in the number of words on a CPU.
    batches: ClassVar[Callable[[Tensor, int, int], list[Tensor]]] = staticmethod(same_length_batches)

    @abstractmethod
    def network(self, n_words: int) -> ReadsWords:
        """An untrained network with a vocabulary of this size."""

    def corpora(self, data: Path) -> list[str]:
        counted = [corpus for corpus, _ in self.cooccurrence_in] if self.d_cooccurrence else []
        return list(dict.fromkeys([*super().corpora(data), *counted]))

    def start(self, split: Split, device: torch.device, data: Path, cache: Path) -> TrainingJob:
        counts = Counter(normalize(word) for sample in split.words for word in self.words(sample))
        known = (word for word, n in counts.items() if n >= self.min_count and len(word) <= MAX_LETTERS)
        vocabulary = Vocabulary(sorted(known))
        root = data.absolute().parent  # holds one folder per corpus; ``data`` is the folder of this corpus
        model, reader = self.model(vocabulary, root).to(device), self.reader(vocabulary)
        samples, targets = self.samples_and_targets(split, device, root)
        lengths = torch.tensor([len(self.words(sample)) for sample in samples])

        def prepare(batch: Tensor) -> Prepared:
            inputs = reader.read([samples[k] for k in batch.tolist()])
            on_device = {name: value if value is None else value.to(device) for name, value in inputs.items()}
            return on_device, targets[batch].to(device)

        return TrainingJob(
            model=model,
            reader=reader,
            epoch_batches=lambda epoch: self.batches(lengths, self.batch, self.seed + epoch),
            prepare=prepare,
            perturbed=self.perturbed(model),
            loss=self.loss(),
            before_evaluation=self.before_evaluation(vocabulary),
        )

    def samples_and_targets(self, split: Split, device: torch.device, root: Path) -> tuple[list, Tensor]:
        """The samples of an epoch, and their targets: classes [n] or class probabilities [n, classes].

        Args:
            split: samples to train on.
            device: device to train on.
            root: folder that holds one folder per corpus.
        """
        return split.words, torch.tensor(split.labels)

    def words(self, sample: list) -> list[str]:
        """All words of a sample."""
        return sample

    def model(self, vocabulary: Vocabulary, root: Path) -> ReadsWords:
        """An untrained model with initial word vectors; ``root`` as in ``samples_and_targets``."""
        model, pieces = self.network(len(vocabulary)), word_vectors(vocabulary.words)
        if others := self.other_vectors(vocabulary, root):
            init_from_all(model, pieces, others)
        else:
            init_from_pieces(model, pieces)
        return model

    @property
    def d_other(self) -> int:
        """The number of components of a word vector that do not come from word pieces."""
        return self.d_cooccurrence + D_GLOVE * self.glove

    def other_vectors(self, vocabulary: Vocabulary, root: Path) -> list[Tensor]:
        """Co-occurrence and GloVe vectors of a vocabulary, if asked for; ``root`` as in ``samples_and_targets``."""
        counted = [self.cooccurrence(vocabulary, root)] if self.d_cooccurrence else []
        return counted + ([glove_vectors(vocabulary.words)] if self.glove else [])

    def cooccurrence(self, vocabulary: Vocabulary, root: Path) -> Tensor:
        """Co-occurrence vectors of the words of a vocabulary; ``root`` as in ``samples_and_targets``."""
        return _cooccurrence(root, self.cooccurrence_in, tuple(vocabulary.words), self.d_cooccurrence)

    def perturbed(self, model: ReadsWords) -> Tensor:
        """The parameter that adversarial training perturbs."""
        return model.embedding.weight

    def loss(self) -> Loss:
        """The loss, a function of the model's output and the targets."""
        return nn.functional.cross_entropy

    def before_evaluation(self, vocabulary: Vocabulary) -> Callable[[ReadsWords], None]:
        """Make a function that sets untrained weights. It is called with the model before each evaluation."""
        return lambda model: None


@dataclass(frozen=True, kw_only=True)
class TextTraining(WordTraining):
    """Training on whole texts of a corpus without a dev split, for which every tenth training text is held out.

    Args:
        n_classes: number of classes to read the corpus with.
        max_words: maximal number of words in a training text; longer ones are cut.
    """

    n_classes: int
    max_words: int = 400

    def splits(self, data: Path) -> tuple[Split, Split, Split]:
        labelled, test = (read_texts(self.corpus, data, split, self.n_classes) for split in ("train", "test"))
        train, dev = hold_out(labelled)
        return self.cut(train), dev, test

    def joined(self, train: Split, dev: Split) -> Split:
        dev = self.cut(dev)
        return Split([*train.words, *dev.words], [*train.labels, *dev.labels], train.classes)

    def cut(self, split: Split) -> Split:
        """The split with each text cut after ``max_words`` words."""
        return cut(split, self.max_words)


def hold_out(split: Split) -> tuple[Split, Split]:
    """Divide a split into samples to train on, and every tenth sample, which is held out."""
    held_out = range(0, len(split), HELD_OUT)
    return split.take(k for k in range(len(split)) if k not in held_out), split.take(held_out)


def cut(split: Split, max_words: int) -> Split:
    """The split with each text cut after ``max_words`` words."""
    return Split([words[:max_words] for words in split.words], split.labels, split.classes)


@lru_cache(maxsize=1)
def _cooccurrence(root: Path, splits: tuple[tuple[str, str], ...], words: tuple[str, ...], d: int) -> Tensor:
    """Co-occurrence vectors of words, from the texts of these splits. This takes minutes for long texts."""
    texts = (text for corpus, split in splits for text in read_texts(corpus, root / corpus, split).words)
    return cooccurrence_vectors([[normalize(word) for word in text] for text in texts], words, d)
