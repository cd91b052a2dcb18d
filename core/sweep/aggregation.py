"""Accuracy by the aggregation of the BiLSTM's states, with the same encoder and head (Gong et al. 2018, table 3)."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import ClassVar

from core.datasets import Split
from core.inputs.transformers import D_PIECE
from core.models import DRAgg, DRAggConfig, Pooled, PooledConfig
from core.sweep.samples import Sample, read_splits, take_sample
from core.sweep.sweep import Row, Sweep, name_of
from core.sweep.table import train_and_test
from core.training.loop import Schedule
from core.training.recipes.words import TextTraining

D = 100  # components of each direction of the BiLSTM and of a capsule, instead of the paper's 200
ROUTED = {"standard": "output", "reversed": "input"}  # the ``normalize`` of each routing
AGGREGATIONS = ("max", "mean", "attentive", *ROUTED)


SAMPLES = {
    "sst5": Sample("sst", 5, epochs=3),
    "sst2": Sample("sst", 2, epochs=3),
    "imdb": Sample("imdb", 2, epochs=3, max_train=5000, max_test=5000),
}
PAPER = {  # accuracies in table 3, in the order of AGGREGATIONS; its IMDB has ten classes
    "sst5": (0.480, 0.462, 0.482, 0.505, 0.493),
    "sst2": (0.870, 0.852, 0.864, 0.876, 0.872),
}


@dataclass(frozen=True)
class Case:
    """One training.

    Args:
        corpus: a key of ``SAMPLES``.
        n_iters, n_capsules: of a routing; 0 for a network without routing.
    """

    corpus: str
    aggregation: str
    n_iters: int
    n_capsules: int
    seed: int


def cases(seeds: int) -> Iterator[Case]:
    """Every aggregation on every corpus; all cases of a seed come before the next seed."""
    for seed, corpus, aggregation in product(range(seeds), SAMPLES, AGGREGATIONS):
        yield Case(corpus, aggregation, *((3, 5) if aggregation in ROUTED else (0, 0)), seed)


def measure(case: Case, data: Path, device: str = "cpu", scratch: Path | None = None) -> Row:
    """Train and test the network of a case, and return its row of the table."""
    corpus = SAMPLES[case.corpus].corpus
    paper = PAPER[case.corpus][AGGREGATIONS.index(case.aggregation)] if case.corpus in PAPER else None
    results = train_and_test(training(case), data / corpus, name_of(case), device, scratch)
    return asdict(case) | {"paper": paper, "d": D} | results


def training(case: Case) -> "AggregationTraining":
    """The training of a case: a small network, on sentences without their phrases as in the paper."""
    sample = SAMPLES[case.corpus]
    return AggregationTraining(
        corpus=sample.corpus,
        n_classes=sample.n_classes,
        max_words=200,
        min_count=1 if sample.max_train is None else 4,
        aggregation=case.aggregation,
        n_iters=case.n_iters,
        n_capsules=case.n_capsules,
        max_train=sample.max_train,
        max_test=sample.max_test,
        seed=case.seed,
        batch=64,
        schedule=Schedule(epochs=sample.epochs, lr=2e-3, warmup=100, evaluations=1),
    )


@dataclass(frozen=True, kw_only=True)
class AggregationTraining(TextTraining):
    """DR-AGG or a baseline with pooling, trained on a sample of the texts."""

    aggregation: str
    n_iters: int
    n_capsules: int
    max_train: int | None
    max_test: int | None
    dropout: float = 0.2  # lower as the training is short; with .5, max pooling hardly learns on reviews

    kind: ClassVar[str] = "dragg"

    def network(self, n_words: int) -> DRAgg | Pooled:
        sizes = {
            "d_word": D_PIECE,
            "d_hidden": D,
            "d_piece": D_PIECE,
            "dropout_word": self.dropout,
            "dropout_encoding": self.dropout,
        }
        if self.aggregation not in ROUTED:
            return Pooled(PooledConfig(n_words, self.n_classes, self.aggregation, **sizes))
        routing = {"n_iters": self.n_iters, "n_capsules": self.n_capsules, "d_capsule": D}
        return DRAgg(DRAggConfig(n_words, self.n_classes, ROUTED[self.aggregation], **routing, **sizes))

    def splits(self, data: Path) -> tuple[Split, Split, Split]:
        return take_sample(
            read_splits(self.corpus, data, self.n_classes, self.max_words), self.max_train, self.max_test
        )


SWEEP = Sweep(
    name="aggregation",
    help="DR-AGG beside pooling and self-attention, on SST-5, SST-2 and IMDB",
    description=__doc__,
    case=Case,
    cases=cases,
    measure=measure,
)
