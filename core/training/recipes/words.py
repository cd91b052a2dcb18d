"""What the recipes of networks over word vectors have in common."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import torch
from torch import Tensor, nn

from core.backbones import word_vectors
from core.datasets import CORPORA, Split, official
from core.models.words import ReadsWords
from core.readers import WordReader
from core.text import Vocabulary, normalize
from core.training.loop import Prepared
from core.training.losses import Loss
from core.training.recipes.base import Job, Recipe
from core.training.recipes.batches import same_length_batches
from core.training.vectors import company, start_from_both, start_from_pieces

HELD_OUT = 10  # every tenth sample of the training split is kept to choose weights on
TEXTS = {"imdb": "IMDB's reviews", "ag_news": "AG's News", "dbpedia": "DBpedia's abstracts"}


@dataclass(frozen=True, kw_only=True)
class WordRecipe(Recipe):
    """A network over word vectors that start from MiniLM's word pieces, and from the company that words keep.

    least: how often a word stands in the training texts to have a vector of its own.
    d_company: components of a word's start that say in which company texts use it; none unless given.
    company_in: those texts, as (corpus, split); their labels are not looked at.
    root: the folder with a folder a corpus, which the recipe finds beside its own data.
    """

    least: int = 1
    d_company: int = 0
    company_in: tuple[tuple[str, str], ...] = ()
    root: Path = field(default=Path(), repr=False)  # a run goes on where the data were moved meanwhile

    reader: ClassVar[type[WordReader]] = WordReader
    # With padding the gradient through an LSTM is quadratic in the number of words on a CPU.
    batches: ClassVar[Callable[[Tensor, int, int], list[Tensor]]] = staticmethod(same_length_batches)
    instead: ClassVar[str] = " instead of GloVe"  # of the paper's
    reads: ClassVar[str] = (
        "Words outside its vocabulary start from the mean of their MiniLM word pieces and were never trained."
    )

    @property
    def starts(self) -> str:
        """A sentence for the card."""
        where = " and ".join(dict.fromkeys(TEXTS[corpus] for corpus, _ in self.company_in))
        company = f" and from the company that words keep in {where}" if self.d_company else ""
        return f"Word vectors start from MiniLM's word pieces{company}{self.instead}."

    def on(self, folder: Path) -> "Recipe":
        return replace(self, root=folder.absolute().parent)

    @abstractmethod
    def network(self, n_words: int) -> ReadsWords:
        """An untrained network of so many words."""

    def start(self, split: Split, device: torch.device, scratch: Path) -> Job:
        times = Counter(normalize(word) for sample in split.words for word in self.words(sample))
        vocabulary = Vocabulary(sorted(word for word, n in times.items() if n >= self.least))
        model, reader = self.model(vocabulary).to(device), self.reader(vocabulary)
        samples, targets = self.learned(split, device)
        lengths = torch.tensor([len(self.words(sample)) for sample in samples])

        def prepare(batch: Tensor) -> Prepared:
            inputs = reader.encode([samples[k] for k in batch.tolist()])
            on_device = {name: value if value is None else value.to(device) for name, value in inputs.items()}
            return on_device, targets[batch].to(device)

        return Job(
            model=model,
            reader=reader,
            epoch_batches=lambda epoch: self.batches(lengths, self.batch, self.seed + epoch),
            prepare=prepare,
            attacked=self.attacked(model),
            loss=self.loss(),
            settle=self.settle(vocabulary),
        )

    def learned(self, split: Split, device: torch.device) -> tuple[list, Tensor]:
        """The samples of an epoch, and of each its class or the probabilities of its classes."""
        return split.words, torch.tensor(split.labels)

    def words(self, sample: list) -> list[str]:
        """All of a sample's."""
        return sample

    def model(self, vocabulary: Vocabulary) -> ReadsWords:
        """An untrained model whose word vectors are where they start from."""
        model, pieces = self.network(len(vocabulary)), word_vectors(vocabulary.words)
        if self.d_company:
            start_from_both(model, pieces, self.company(vocabulary))
        else:
            start_from_pieces(model, pieces)
        return model

    def company(self, vocabulary: Vocabulary) -> Tensor:
        """Vectors of the words by their company."""
        return _company(self.root, self.company_in, tuple(vocabulary.words), self.d_company)

    def attacked(self, model: ReadsWords) -> nn.Parameter:
        """What an adversary moves."""
        return model.embedding.weight

    def loss(self) -> Loss:
        return nn.functional.cross_entropy

    def settle(self, vocabulary: Vocabulary) -> Callable[[ReadsWords], None]:
        """What is done with a model before it is evaluated."""
        return lambda model: None


@dataclass(frozen=True, kw_only=True)
class TextRecipe(WordRecipe):
    """On whole texts of a corpus without a dev split: every tenth training text is held out for that.

    corpus, about: which texts, and what is told of them.
    longest: words of a training text that are read; a longer one is cut there.
    """

    corpus: str
    about: str
    n_classes: int
    source: str
    data: str
    n_paper: int | None = None
    longest: int = 400

    def splits(self, folder: Path) -> tuple[Split, Split, Split]:
        given, test = (official(self.corpus, folder, split, self.n_classes) for split in ("train", "test"))
        train, dev = held_out(given)
        return cut(train, self.longest), dev, test


def held_out(split: Split) -> tuple[Split, Split]:
    """The split without every tenth sample, and those."""
    out = range(0, len(split), HELD_OUT)
    return split.take(k for k in range(len(split)) if k not in out), split.take(out)


def cut(split: Split, longest: int) -> Split:
    """The texts up to so many words."""
    return Split([words[:longest] for words in split.words], split.labels, split.classes)


@lru_cache(maxsize=1)
def _company(root: Path, texts: tuple[tuple[str, str], ...], words: tuple[str, ...], d: int) -> Tensor:
    """Vectors of the words by their company in these texts; minutes, where they are long."""
    read = (text for corpus, split in texts for text in CORPORA[corpus](root / corpus, split).words)
    return company([[normalize(word) for word in text] for text in read], words, d)
