"""Accuracy by the aggregation of the BiLSTM's states, with the same encoder and head (Gong et al. 2018, table 3)."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import ClassVar, cast

from core.analysis.routing import Normalize
from core.datasets import Split, sst
from core.inputs.minilm import D_PIECE
from core.models import DRAgg, DRAggConfig, Pooled, PooledConfig
from core.models.pooled import Pooling
from core.papers import AGGREGATION_ACCURACY, AGGREGATIONS
from core.sweep.sweep import Row, Sweep
from core.traces.dragg import DRAggTrace
from core.training.recipes.sst import RoutedTraining
from core.training.schedules import Schedule, StepDecay

D = 200  # components of each direction of the BiLSTM and of a capsule, as in the paper's table 2
N_CLASSES = {"sst5": 5, "sst2": 2}
DROPOUT = {"sst5": 0.2, "sst2": 0.5}  # the paper's table 2
# Without and with GloVe's vectors. The latter is the paper's (table 2), at a rate that needs fewer epochs.
SCHEDULES = {
    False: Schedule(epochs=10, lr=1e-3, warmup=100, evaluations=1),
    True: StepDecay(epochs=30, lr=5e-4, weight_decay=2e-5, factor=0.95, every=500, evaluations=1, patience=7),
}
ROUTED: dict[str, Normalize] = {"standard": "output", "reversed": "input"}  # the ``normalize`` of each routing


@dataclass(frozen=True)
class AggregationCase:
    """One training.

    Args:
        corpus: a key of ``N_CLASSES``.
        n_iters, n_capsules: numbers of iterations and capsules of a routing; 0 for a network without routing.
        glove: whether word vectors start from GloVe's, too, and training stops as in the paper.
        equal_epochs: as in ``RoutedTraining``.
    """

    corpus: str
    aggregation: str
    n_iters: int
    n_capsules: int
    seed: int
    glove: bool = False
    equal_epochs: int = 0


def cases(seeds: int) -> Iterator[AggregationCase]:
    """Yield every aggregation on both sets of classes, without and with GloVe's vectors, seed by seed.

    At the end, standard routing whose couplings stay equal in the first epoch.
    """
    for glove, seed, corpus, aggregation in product((False, True), range(seeds), N_CLASSES, AGGREGATIONS):
        n_iters, n_capsules = (3, 5) if aggregation in ROUTED else (0, 0)  # as in the paper
        yield AggregationCase(corpus, aggregation, n_iters, n_capsules, seed, glove)
    for seed, corpus in product(range(seeds), N_CLASSES):
        yield AggregationCase(corpus, "standard", 3, 5, seed, glove=True, equal_epochs=1)


def columns(case: AggregationCase) -> Row:
    """The accuracy in the paper, and the size of the network."""
    return {"paper": AGGREGATION_ACCURACY[case.corpus][case.aggregation], "d": D}


def training(case: AggregationCase) -> "AggregationTraining":
    """The training of a case."""
    return AggregationTraining(
        n_classes=N_CLASSES[case.corpus],
        dropout=DROPOUT[case.corpus],
        aggregation=case.aggregation,
        n_iters=case.n_iters,
        n_capsules=case.n_capsules,
        seed=case.seed,
        batch=64,
        schedule=SCHEDULES[case.glove],
        glove=case.glove,
        equal_epochs=case.equal_epochs,
    )


@dataclass(frozen=True, kw_only=True)
class AggregationTraining(RoutedTraining):
    """DR-AGG or a pooling baseline, trained only on whole sentences, as in the paper."""

    aggregation: str
    n_iters: int
    n_capsules: int
    dropout: float

    kind: ClassVar[str] = DRAggTrace.kind

    def training_split(self, data: Path) -> Split:
        return sst.sentences(data, "train", self.n_classes)

    def network(self, n_words: int) -> DRAgg | Pooled:
        sizes = {
            "d_word": D_PIECE + self.d_other,
            "d_hidden": D,
            "d_piece": D_PIECE,
            "dropout_word": self.dropout,
            "dropout_encoding": self.dropout,
        }
        if self.aggregation not in ROUTED:
            return Pooled(PooledConfig(n_words, self.n_classes, cast(Pooling, self.aggregation), **sizes))
        routing = {"n_iters": self.n_iters, "n_capsules": self.n_capsules, "d_capsule": D}
        return DRAgg(DRAggConfig(n_words, self.n_classes, ROUTED[self.aggregation], **routing, **sizes))


SWEEP = Sweep(
    name="aggregation",
    help="DR-AGG compared with pooling and self-attention, on SST-5 and SST-2",
    description=__doc__,
    case=AggregationCase,
    cases=cases,
    training=training,
    columns=columns,
    corpus="sst",
    fixed={"d": D},
)
