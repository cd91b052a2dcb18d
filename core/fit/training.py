"""The training of a network on a person's own texts."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import chain
from math import ceil, sqrt
from pathlib import Path
from typing import Self

import torch
from torch import Tensor, nn

from core.datasets import Split
from core.fit import data as own
from core.fit.columns import Columns
from core.fit.routes import ROUTES, Sizes
from core.fit.states import store_pieces, store_words
from core.inputs.minilm import D_PIECE
from core.inputs.readers import StatesReader, TransformerReader
from core.inputs.text import as_typed
from core.inputs.transformers import Backbone, backbone
from core.models import EMSST, EMSSTConfig
from core.models.words import ReadsWords
from core.training.loop import Prepared
from core.training.losses import LENGTH_LOSSES, Loss, sum_of_losses
from core.training.recipes.batches import similar_length_batches
from core.training.recipes.training import Training, TrainingJob, mix_up
from core.training.recipes.words import WordTraining
from core.training.schedules import OneCycle, Schedule
from core.training.word_vectors import init_projection

D_WORD = 128  # components of a word's vector
MAX_REPEATS = 5  # times that a text of a rare class is used per epoch


@dataclass(frozen=True, kw_only=True)
class OwnTraining(Training):
    """A training on the texts of a file, whose path takes the place of the corpus's folder, or on given texts.

    Args:
        routing: a key of ``ROUTES``.
        encoder: as ``encoder_of`` returns it.
        text, label: columns of the file.
        n_classes: number of labels.
        max_texts: as in ``core.fit.data.read``.
        given: the texts if they are not in a file.
        progress: whether bars show how far the training is.
    """

    routing: str
    encoder: str
    text: str
    label: str
    n_classes: int
    max_texts: int = own.MAX_TEXTS
    batch: int = 32
    given: own.OwnData | None = None
    progress: bool = True

    @property
    def kind(self) -> str:
        """The kind of the network."""
        return ROUTES[self.routing].kind

    def own_data(self, data: Path) -> own.OwnData:
        """The given texts, or those of a file, divided. Errors as in ``core.fit.data.read``."""
        if self.given is not None:
            return self.given
        return own.read(data, Columns(self.text, self.label), self.max_texts)

    def data_sha256(self, data: Path) -> str:
        return self.own_data(data).sha256

    def fitted(self, n: int, epochs: int | None = None) -> Self:
        """The training for n texts, with a number of epochs if it is given.

        The rate rises during at most a tenth of all steps: a few hundred texts would otherwise be over before.

        Raises:
            ValueError: epochs is below 1.
        """
        schedule = self.schedule if epochs is None else self.schedule.fitted(epochs)
        n_steps = ceil(n / self.batch) * schedule.epochs
        return replace(self, schedule=replace(schedule, warmup=min(schedule.warmup, n_steps // 10)))

    def splits(self, data: Path) -> tuple[Split, Split, Split]:
        texts = self.own_data(data)
        return balanced(texts.train), texts.dev, texts.test


def repeats_of(split: Split) -> dict[int, int]:
    """The number of times that a text of each class is used per epoch."""
    counts = Counter(split.labels)
    largest = max(counts.values())
    return {k: min(MAX_REPEATS, round(sqrt(largest / n))) for k, n in counts.items()}


def balanced(split: Split) -> Split:
    """The split with the texts of rare classes repeated, as often as the square root of how much rarer they are."""
    repeats = repeats_of(split)
    if max(repeats.values()) == 1:
        return split
    return split.take(chain.from_iterable([k] * repeats[label] for k, label in enumerate(split.labels)))


@dataclass(frozen=True, kw_only=True)
class OwnWordTraining(OwnTraining, WordTraining):
    """The training of a network over word vectors that are trained, or over the states of a frozen transformer."""

    schedule: Schedule = field(
        default_factory=lambda: Schedule(epochs=12, lr=1e-3, warmup=50, decay=0.99, evaluations=1, patience=4)
    )

    batches = staticmethod(similar_length_batches)

    @property
    def reads_transformer(self) -> bool:
        """Whether the words' vectors come from a transformer."""
        return self.encoder != ROUTES[self.routing].own_encoder

    def network(self, n_words: int, d_piece: int = D_PIECE) -> ReadsWords:
        make = ROUTES[self.routing].make
        if make is None:
            raise ValueError(f"{self.routing} has no network over word vectors")
        return make(Sizes(n_words, self.n_classes, D_WORD, d_piece, self.reads_transformer))

    def loss(self) -> Loss:
        return sum_of_losses("margin+focal", LENGTH_LOSSES) if ROUTES[self.routing].lengths else super().loss()

    def start(self, split: Split, device: torch.device, data: Path, cache: Path) -> TrainingJob:
        if not self.reads_transformer:
            return super().start(split, device, data, cache)
        texts = self.own_data(data)
        reader = StatesReader.of(self.encoder, device, layers_read(backbone(self.encoder, str(device))))
        stored = store_words(
            reader,
            [*texts.train.words, *texts.dev.words, *texts.test.words],
            file_of_states(cache.parent, self.encoder),
            self.progress,
        )
        d_piece = stored.store.backbone.n_layers * stored.store.backbone.d_hidden
        model = self.network(len(reader.vocabulary), d_piece)
        init_projection(model, stored.read(split.words[:512])["unknown"].cpu())
        model.from_pieces.requires_grad_(True)
        targets, lengths = torch.tensor(split.labels), torch.tensor([len(words) for words in split.words])

        def prepare(batch: Tensor) -> Prepared:
            return stored.read([split.words[k] for k in batch.tolist()]), targets[batch].to(device)

        return TrainingJob(
            model=model.to(device),
            reader=reader,
            epoch_batches=lambda epoch: similar_length_batches(lengths, self.batch, self.seed + epoch),
            prepare=prepare,
            loss=self.loss(),
            dev_reader=stored,
        )


@dataclass(frozen=True, kw_only=True)
class OwnEMTraining(OwnTraining):
    """The training of two EM routings over a frozen transformer.

    Args:
        mixup: as in ``EMTraining``.
    """

    schedule: Schedule = field(default_factory=lambda: OneCycle(epochs=6, lr=2e-3, evaluations=1, decay=0.99))
    mixup: float = 0.2

    def start(self, split: Split, device: torch.device, data: Path, cache: Path) -> TrainingJob:
        texts = self.own_data(data)
        reader = TransformerReader(self.encoder, device, layers_read(backbone(self.encoder, str(device))))
        whole = [as_typed(words) for words in (*texts.train.words, *texts.dev.words, *texts.test.words)]
        stored = store_pieces(reader, whole, file_of_states(cache.parent, self.encoder, "pieces"), self.progress)
        targets = nn.functional.one_hot(torch.tensor(split.labels), self.n_classes).float()
        lengths = torch.tensor([len(words) for words in split.words])

        def prepare(batch: Tensor) -> Prepared:
            inputs = stored.read([split.words[k] for k in batch.tolist()])
            return mix_up(inputs, targets[batch].to(device), self.mixup)

        read = reader.backbone
        config = EMSSTConfig(read.n_layers, read.d_hidden, self.n_classes, n_parts=32)
        return TrainingJob(
            model=EMSST(config).to(device),
            reader=reader,
            epoch_batches=lambda epoch: similar_length_batches(lengths, self.batch, self.seed + epoch),
            prepare=prepare,
            dev_reader=stored,
        )


def training_of(routing: str, encoder: str, data: own.OwnData, corpus: str, seed: int = 0) -> OwnTraining:
    """The training of a routing over an encoder on the texts of a file; arguments as in ``OwnTraining``."""
    make: Callable[..., OwnTraining] = OwnWordTraining if ROUTES[routing].make else OwnEMTraining
    return make(
        corpus=corpus,
        routing=routing,
        encoder=encoder,
        text=data.columns.text,
        label=data.columns.label,
        n_classes=len(data.classes),
        seed=seed,
    )


def layers_read(transformer: Backbone) -> tuple[int, ...]:
    """The layers of a transformer that are read: the first, the middle and the last."""
    last = max(transformer.layers)
    return tuple(sorted({0, last // 2, last}))


def file_of_states(folder: Path, encoder: str, of: str = "words") -> Path:
    """The file of a transformer's states, which all trainings on a file of texts share."""
    return folder / f"{Path(encoder).name}-{of}.hidden"
