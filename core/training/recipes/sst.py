"""Recipes of the sentence models: every labelled phrase of the Stanford Sentiment Treebank."""

from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import ClassVar

import torch
from torch import Tensor, nn

from core.datasets import Split, imdb, sst
from core.inputs.readers import TransformerReader
from core.inputs.text import as_typed
from core.inputs.transformers import D_PIECE, MINILM
from core.models import AGT, EMSST, AGTConfig, DRAgg, DRAggConfig, EMSSTConfig
from core.training.hidden import HiddenStates
from core.training.loop import OneCycle, Prepared, Schedule
from core.training.recipes.base import Job, Recipe, mixed
from core.training.recipes.batches import like_length_batches
from core.training.recipes.words import WordRecipe
from core.training.teachers import sentences_of, soft_labels

ROUTINGS = {"output": "standard", "input": "reversed"}


@dataclass(frozen=True, kw_only=True)
class SSTRecipe(Recipe):
    """A network on every labelled phrase of the Stanford Sentiment Treebank.

    sentence_weight: how often a whole sentence stands in an epoch, where a phrase stands once.
    """

    n_classes: int
    sentence_weight: int = 3

    corpus: ClassVar[str] = "sst"
    data: ClassVar[str] = "every labelled phrase of the Stanford Sentiment Treebank's training trees"
    purpose: ClassVar[str] = (
        "**What it is for.** To show how routing settles on one sentence of an English film review. "
        "**What it is not for.**\nOther languages, other subjects or decisions about people: it knows the treebank's "
        "reviews and nothing else."
    )

    def splits(self, folder: Path) -> tuple[Split, Split, Split]:
        measured = (sst.sentences(folder, split, self.n_classes) for split in ("dev", "test"))
        return self.training_split(folder), *measured

    def training_split(self, folder: Path) -> Split:
        phrases = sst.phrases(folder, "train", self.n_classes)
        sentences = sst.sentences(folder, "train", self.n_classes)
        more = self.sentence_weight - 1
        return Split(phrases.words + sentences.words * more, phrases.labels + sentences.labels * more, phrases.classes)


@dataclass(frozen=True, kw_only=True)
class DRAggRecipe(WordRecipe, SSTRecipe):
    """DR-AGG's."""

    normalize: str
    schedule: Schedule = field(default_factory=lambda: Schedule(epochs=4, lr=7e-4, adversary=5.0))
    batch: int = 64
    dropout: float = 0.3

    kind: ClassVar[str] = "dragg"
    source: ClassVar[str] = "Gong et al. 2018, table 3"
    departs: ClassVar[str] = (
        "Word vectors start from MiniLM's word pieces instead of GloVe. Trained by AdamW with cosine decay, averaged "
        "weights and a small adversarial step on the word vectors; the paper has Adam with step decay and L2."
    )

    @property
    def task(self) -> str:
        return f"sentiment of a sentence in {self.n_classes} classes, {ROUTINGS[self.normalize]} dynamic routing"

    def network(self, n_words: int) -> DRAgg:
        config = DRAggConfig(
            n_words=n_words,
            n_classes=self.n_classes,
            normalize=self.normalize,
            dropout_word=self.dropout,
            dropout_encoding=self.dropout,
            d_piece=D_PIECE,
        )
        return DRAgg(config)


@dataclass(frozen=True, kw_only=True)
class AGTRecipe(WordRecipe, SSTRecipe):
    """AGT's.

    n_attending: how many of its layers look at the words.
    teachers: checkpoints whose answers it learns besides, on sentences of IMDB's reviews.
    taught: how many of these a labelled sample.
    """

    n_classes: int = 5
    n_attending: int = AGTConfig.n_attending
    d_company: int = 216
    company_in: tuple[tuple[str, str], ...] = (("imdb", "train"), ("imdb", "test"))
    teachers: tuple[str, ...] = ("dragg-sst5", "dragg-reversed-sst5")
    taught: float = 1.5
    sentence_weight: int = 8
    schedule: Schedule = field(default_factory=lambda: Schedule(epochs=1, lr=7e-4, adversary=15.0, evaluations=4))
    batch: int = 100
    dropout: float = 0.3

    kind: ClassVar[str] = "agt"
    source: ClassVar[str] = "Guo 2017, section 3"
    purpose: ClassVar[str] = SSTRecipe.purpose.replace("how routing settles on one", "how layers compose one")

    def learned(self, split: Split, device: torch.device) -> tuple[list, Tensor]:
        samples, labels = super().learned(split, device)
        if not self.teachers:
            return samples, labels
        reviews = [imdb.reviews(self.root / "imdb", half, by_sentence=True).words for half in imdb.SPLITS]
        sentences = sentences_of(chain(*reviews), int(self.taught * len(split)), self.seed)
        said = soft_labels(self.teachers, sentences, split.classes, device)
        return samples + sentences, torch.cat([nn.functional.one_hot(labels, self.n_classes).float(), said])

    @property
    def data(self) -> str:
        if not self.teachers:
            return SSTRecipe.data
        said = f"with what {' and '.join(self.teachers)} say of them"
        return f"{SSTRecipe.data}, and {self.taught} times as many sentences of IMDB's reviews {said}"

    @property
    def departs(self) -> str:
        besides = " It learns from other networks besides, the paper's from labels alone." if self.teachers else ""
        return (
            f"{self.starts}{besides} Trained by AdamW with cosine decay, averaged weights and an adversarial step on "
            f"the word vectors, in batches of {self.batch} samples of which whole sentences stand in an epoch "
            f"{self.sentence_weight} times, with dropout {self.dropout}; the paper has Adadelta, batches of 50 and "
            "dropout 0.2."
        )

    @property
    def task(self) -> str:
        which = "15" if self.n_attending == AGTConfig.n_layers else f"the first {self.n_attending} of 15"
        taught = ", from labels and DR-AGG's answers" if self.teachers else ""
        return f"sentiment of a sentence in {self.n_classes} classes, attention in {which} layers{taught}"

    def network(self, n_words: int) -> AGT:
        config = AGTConfig(
            n_words=n_words,
            n_classes=self.n_classes,
            n_attending=self.n_attending,
            d_word=D_PIECE + self.d_company,
            d_piece=D_PIECE,
            dropout=self.dropout,
        )
        return AGT(config)


@dataclass(frozen=True, kw_only=True)
class EMRecipe(SSTRecipe):
    """Two EM routings over a frozen transformer.

    mixup: samples of a batch are mixed in pairs, by shares drawn from Beta(mixup, mixup).
    """

    backbone: str = MINILM
    schedule: Schedule = field(default_factory=lambda: OneCycle(epochs=3, lr=2e-3))
    batch: int = 32
    mixup: float = 0.2
    d_detect: int = 256
    source: str

    kind: ClassVar[str] = "em-sst"
    departs: ClassVar[str] = (
        "Over all-MiniLM-L6-v2 (7 layers of 384) instead of GPT-2 large (37 of 1,280): a part of text has 256 "
        "components instead of 64, which gives the narrower transformer's network as many parameters as the paper's. "
        "The peak learning rate is 0.002 instead of 0.0005, batches have 32 samples, whole sentences stand in an epoch "
        "three times, and the weights are averaged and chosen on the dev split."
    )
    reads: ClassVar[str] = "Its transformer is not part of it and stays as it was pretrained."

    @property
    def task(self) -> str:
        return f"sentiment of a sentence in {self.n_classes} classes, EM routing over {self.backbone}"

    def start(self, split: Split, device: torch.device, scratch: Path) -> Job:
        reader = TransformerReader(self.backbone, device)
        backbone = reader.backbone
        texts = [as_typed(words) for words in split.words]
        number = {text: k for k, text in enumerate(dict.fromkeys(texts))}  # sentences stand there more than once
        pieces = backbone.cut(list(number))
        states = HiddenStates(backbone, pieces, scratch / f"{self.name}.hidden")
        of_sample = torch.tensor([number[text] for text in texts])
        lengths = torch.tensor([len(p) for p in pieces])[of_sample]
        targets = nn.functional.one_hot(torch.tensor(split.labels), self.n_classes).float()

        def prepare(batch: Tensor) -> Prepared:
            return mixed(states.batch(of_sample[batch].tolist()), targets[batch].to(device), self.mixup)

        config = EMSSTConfig(backbone.n_layers, backbone.d_hidden, self.n_classes, d_detect=self.d_detect)
        return Job(
            model=EMSST(config).to(device),
            reader=reader,
            epoch_batches=lambda epoch: like_length_batches(lengths, self.batch, self.seed + epoch),
            prepare=prepare,
            close=states.close,
        )
