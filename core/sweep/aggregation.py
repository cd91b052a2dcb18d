"""What an aggregation of the BiLSTM's states is worth, under one encoder and head (Gong et al. 2018, table 3)."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import ClassVar

from core.datasets import Split
from core.inputs.transformers import D_PIECE
from core.models import DRAgg, DRAggConfig, Pooled, PooledConfig
from core.sweep.sweep import Row, Sweep
from core.sweep.table import train_and_test
from core.sweep.texts import samples, splits
from core.training.loop import Schedule
from core.training.recipes.words import TextRecipe

D = 100  # components of a BiLSTM's direction and of a capsule, instead of the paper's 200
ROUTED = {"standard": "output", "reversed": "input"}
AGGREGATIONS = ("max", "mean", "attentive", *ROUTED)


@dataclass(frozen=True)
class Corpus:
    """paper: its accuracies in table 3, in the order of ``AGGREGATIONS``, where it has this corpus. most: training
    texts that are used. tested: test texts that are, and a tenth as many to choose weights on; all where None.
    """

    name: str
    n_classes: int
    epochs: int
    paper: tuple[float, ...] = ()
    most: int | None = None
    tested: int | None = None


CORPORA = {
    "sst5": Corpus("sst", 5, 3, (0.480, 0.462, 0.482, 0.505, 0.493)),
    "sst2": Corpus("sst", 2, 3, (0.870, 0.852, 0.864, 0.876, 0.872)),
    "imdb": Corpus("imdb", 2, 3, most=5000, tested=5000),  # the paper's has ten classes
}


@dataclass(frozen=True)
class Case:
    """One training. n_iters and n_capsules: of a routing, 0 where nothing is routed."""

    corpus: str
    aggregation: str
    n_iters: int
    n_capsules: int
    seed: int


def cases(seeds: int) -> Iterator[Case]:
    """Every aggregation on every corpus; a seed is whole before the next begins."""
    for seed, corpus, aggregation in product(range(seeds), CORPORA, AGGREGATIONS):
        yield Case(corpus, aggregation, *((3, 5) if aggregation in ROUTED else (0, 0)), seed)


def measure(case: Case, data: Path, device: str = "cpu", scratch: Path | None = None) -> Row:
    """Train and test one network; the row of its table."""
    corpus = CORPORA[case.corpus]
    theirs = corpus.paper[AGGREGATIONS.index(case.aggregation)] if corpus.paper else None
    return asdict(case) | {"paper": theirs, "d": D} | train_and_test(recipe(case), data / corpus.name, device, scratch)


def recipe(case: Case) -> "AggregationRecipe":
    """A small network's, on sentences and not on their phrases, as the paper has it."""
    corpus = CORPORA[case.corpus]
    return AggregationRecipe(
        name="swept",
        corpus=corpus.name,
        about="",
        n_classes=corpus.n_classes,
        paper=None,
        source="",
        data="",
        longest=200,
        least=1 if corpus.most is None else 4,
        aggregation=case.aggregation,
        n_iters=case.n_iters,
        n_capsules=case.n_capsules,
        most=corpus.most,
        tested=corpus.tested,
        seed=case.seed,
        batch=64,
        schedule=Schedule(epochs=corpus.epochs, lr=2e-3, warmup=100, evaluations=1),
    )


@dataclass(frozen=True, kw_only=True)
class AggregationRecipe(TextRecipe):
    """On so many texts at most."""

    aggregation: str
    n_iters: int
    n_capsules: int
    most: int | None
    tested: int | None
    dropout: float = 0.2  # of so short a training; with .5 max pooling hardly learns from reviews

    kind: ClassVar[str] = "dragg"
    task: ClassVar[str] = ""

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

    def splits(self, folder: Path) -> tuple[Split, Split, Split]:
        return samples(splits(self.corpus, folder, self.n_classes, self.longest), self.most, self.tested)


SWEEP = Sweep(
    name="aggregation",
    help="DR-AGG beside pooling and self-attention, on SST-5, SST-2 and IMDB",
    description=__doc__,
    case=Case,
    cases=cases,
    measure=measure,
)
