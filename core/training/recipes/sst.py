"""Trainings of the sentence models on all labelled phrases in the Stanford Sentiment Treebank."""

from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import ClassVar

import torch
from torch import Tensor, nn

from core.analysis.routing import Normalize
from core.datasets import Split, imdb, sst
from core.edits import Couplings
from core.inputs.minilm import D_PIECE, MINILM
from core.inputs.readers import TransformerReader
from core.inputs.text import as_typed
from core.models import AGT, EMSST, AGTConfig, DRAgg, DRAggConfig, EMSSTConfig
from core.traces.agt import AGTTrace
from core.traces.dragg import DRAggTrace
from core.traces.em import EMTextTrace
from core.training.hidden import HiddenStates
from core.training.loop import Prepared
from core.training.recipes.batches import similar_length_batches
from core.training.recipes.training import Training, TrainingJob, mix_up
from core.training.recipes.words import WordTraining
from core.training.schedules import OneCycle, Schedule
from core.training.teachers import sample_sentences, soft_labels

EQUAL_COUPLINGS = (Couplings("first"),)  # couplings of the first iteration, before any agreement, in all iterations


@dataclass(frozen=True, kw_only=True)
class SSTTraining(Training):
    """The training of a network on every labelled phrase in the Stanford Sentiment Treebank.

    Args:
        n_classes: 5 or 2.
        sentence_weight: number of times that a whole sentence is used per epoch; other phrases are used once.
    """

    corpus: str = "sst"
    n_classes: int
    sentence_weight: int = 3

    def splits(self, data: Path) -> tuple[Split, Split, Split]:
        train = self.training_split(data)
        dev, test = (sst.sentences(data, split, self.n_classes) for split in ("dev", "test"))
        return train, dev, test

    def training_split(self, data: Path) -> Split:
        """All phrases, with whole sentences repeated."""
        phrases = sst.phrases(data, "train", self.n_classes)
        sentences = sst.sentences(data, "train", self.n_classes)
        n_repeats = self.sentence_weight - 1
        words, labels = sentences.words * n_repeats, sentences.labels * n_repeats
        return Split(phrases.words + words, phrases.labels + labels, phrases.classes)


@dataclass(frozen=True, kw_only=True)
class RoutedTraining(SSTTraining, WordTraining):
    """The training of a network that may route.

    Args:
        equal_epochs: number of first epochs in which couplings stay equal. Otherwise a capsule that takes more words in
            the first batches learns more, until it takes nearly all words and others are dead.
    """

    equal_epochs: int = 0

    def start(self, split: Split, device: torch.device, data: Path, cache: Path) -> TrainingJob:
        job = super().start(split, device, data, cache)

        def epoch_batches(epoch: int) -> list[tuple[bool, Tensor]]:
            return [(epoch < self.equal_epochs, batch) for batch in job.epoch_batches(epoch)]

        def prepare(batch: tuple[bool, Tensor]) -> Prepared:
            inputs, targets = job.prepare(batch[1])
            return inputs | ({"edits": EQUAL_COUPLINGS} if batch[0] else {}), targets

        return replace(job, epoch_batches=epoch_batches, prepare=prepare)


@dataclass(frozen=True, kw_only=True)
class DRAggTraining(RoutedTraining):
    """The training of DR-AGG.

    Args:
        normalize, n_capsules: as in ``DRAggConfig``.
    """

    normalize: Normalize
    n_capsules: int = DRAggConfig.n_capsules
    schedule: Schedule = field(default_factory=lambda: Schedule(epochs=4, lr=7e-4, perturbation=5.0))
    batch: int = 64
    dropout: float = 0.3

    kind: ClassVar[str] = DRAggTrace.kind

    def network(self, n_words: int) -> DRAgg:
        config = DRAggConfig(
            n_words=n_words,
            n_classes=self.n_classes,
            normalize=self.normalize,
            n_capsules=self.n_capsules,
            d_word=DRAggConfig.d_word + self.d_other,
            dropout_word=self.dropout,
            dropout_encoding=self.dropout,
            d_piece=D_PIECE,
        )
        return DRAgg(config)


@dataclass(frozen=True, kw_only=True)
class AGTTraining(SSTTraining, WordTraining):
    """The training of AGT.

    Args:
        n_layers, n_attending, gate_bias, temperature, aligned: as in ``AGTConfig``.
        teachers: checkpoints whose class probabilities for sentences from IMDB's reviews are additional targets.
        taught: number of such sentences per labelled sample.
    """

    n_classes: int = 5
    n_layers: int = AGTConfig.n_layers
    n_attending: int = AGTConfig.n_attending
    gate_bias: float = AGTConfig.gate_bias
    temperature: float = AGTConfig.temperature
    aligned: float = AGTConfig.aligned
    d_cooccurrence: int = 216
    cooccurrence_in: tuple[tuple[str, str], ...] = (("imdb", "train"), ("imdb", "test"))
    teachers: tuple[str, ...] = ()
    taught: float = 1.5
    sentence_weight: int = 8
    schedule: Schedule = field(default_factory=lambda: Schedule(epochs=1, lr=7e-4, perturbation=15.0, evaluations=4))
    batch: int = 100
    dropout: float = 0.3

    kind: ClassVar[str] = AGTTrace.kind

    def samples_and_targets(self, split: Split, device: torch.device, root: Path) -> tuple[list, Tensor]:
        samples, labels = super().samples_and_targets(split, device, root)
        if not self.teachers:
            return samples, labels
        reviews = [imdb.reviews(root / "imdb", half, by_sentence=True).words for half in imdb.SPLITS]
        sentences = sample_sentences(chain(*reviews), int(self.taught * len(split)), self.seed)
        targets = soft_labels(self.teachers, sentences, split.classes, device)
        return samples + sentences, torch.cat([nn.functional.one_hot(labels, self.n_classes).float(), targets])

    def network(self, n_words: int) -> AGT:
        config = AGTConfig(
            n_words=n_words,
            n_classes=self.n_classes,
            n_layers=self.n_layers,
            n_attending=self.n_attending,
            gate_bias=self.gate_bias,
            temperature=self.temperature,
            aligned=self.aligned,
            d_word=D_PIECE + self.d_other,
            d_piece=D_PIECE,
            dropout=self.dropout,
        )
        return AGT(config)


@dataclass(frozen=True, kw_only=True)
class EMTraining(SSTTraining):
    """The training of two EM routings over a frozen transformer.

    Args:
        backbone, layers: name of the transformer, and numbers of its layers that are read; None for all.
        mixup: parameter of mixup: samples in a batch are mixed in pairs, with shares drawn from Beta(mixup, mixup).
        d_detect: as in ``EMSSTConfig``.
    """

    backbone: str = MINILM
    layers: tuple[int, ...] | None = None
    schedule: Schedule = field(default_factory=lambda: OneCycle(epochs=3, lr=2e-3))
    batch: int = 32
    mixup: float = 0.2
    d_detect: int = 256

    kind: ClassVar[str] = EMTextTrace.kind

    def start(self, split: Split, device: torch.device, data: Path, cache: Path) -> TrainingJob:
        reader = TransformerReader(self.backbone, device, self.layers)
        backbone = reader.backbone
        texts = [as_typed(words) for words in split.words]
        number = {text: k for k, text in enumerate(dict.fromkeys(texts))}  # sentences occur several times
        pieces = backbone.cut(list(number))
        states = HiddenStates(backbone, pieces, cache)
        numbers = torch.tensor([number[text] for text in texts])  # of each sample's text among the distinct ones
        lengths = torch.tensor([len(p) for p in pieces])[numbers]
        targets = nn.functional.one_hot(torch.tensor(split.labels), self.n_classes).float()

        def prepare(batch: Tensor) -> Prepared:
            return mix_up(states.batch(numbers[batch].tolist()), targets[batch].to(device), self.mixup)

        config = EMSSTConfig(backbone.n_layers, backbone.d_hidden, self.n_classes, d_detect=self.d_detect)
        return TrainingJob(
            model=EMSST(config).to(device),
            reader=reader,
            epoch_batches=lambda epoch: similar_length_batches(lengths, self.batch, self.seed + epoch),
            prepare=prepare,
            close=states.close,
        )
