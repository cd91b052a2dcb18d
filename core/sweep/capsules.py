"""Accuracy of CCCaps by word vectors, class capsules, routing and loss (Ren, Lu 2022, tables 4 to 6)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from core.datasets import CORPORA, Split
from core.papers import CAPSULES_ACCURACY, DBPEDIA_ACCURACY, LOSS_ACCURACY, PLAIN, capsules_accuracy
from core.sweep.samples import read_splits
from core.sweep.sweep import Row, Sweep
from core.training.recipes.cccaps import CCCapsTraining
from core.training.schedules import Schedule

PAPERS_LOSS = "margin+focal"
N_CLASSES = {"ag_news": 4, "dbpedia": 14}
COUNTED = {  # texts for co-occurrence counts; not DBpedia's own for DBpedia, whose test texts are taken from them
    "ag_news": (("ag_news", "train"), ("dbpedia", "train")),
    "dbpedia": (("ag_news", "train"),),
}


@dataclass(frozen=True, kw_only=True)
class CapsulesTraining(CCCapsTraining):
    """CCCaps or a baseline. If the corpus has no test split, one is held out of the training texts."""

    def splits(self, data: Path) -> tuple[Split, Split, Split]:
        return read_splits(self.corpus, data, self.n_classes, self.max_words)


BASE = CapsulesTraining(corpus="ag_news", n_classes=4, schedule=Schedule(epochs=4, lr=1e-3))


@dataclass(frozen=True)
class CapsuleCase:
    """One training.

    Args:
        corpus: a key of ``N_CLASSES``.
        loss: as in ``CCCapsTraining.loss_of``.
    """

    corpus: str
    embedding: str
    routing: str
    loss: str
    seed: int


def cases(seeds: int) -> Iterator[CapsuleCase]:
    """Yield the cases of tables 4 to 6 on AG's News, and of table 5 on DBpedia.

    Tables 5 and 6 compare networks with the paper's loss. Table 4 compares losses for the network in the first row of
    table 6: plain word vectors and a linear layer.
    """
    for seed, (embedding, routing) in product(range(seeds), CAPSULES_ACCURACY):
        yield CapsuleCase("ag_news", embedding, routing, PAPERS_LOSS, seed)
    for seed, (embedding, routing) in product(range(seeds), DBPEDIA_ACCURACY):
        yield CapsuleCase("dbpedia", embedding, routing, PAPERS_LOSS, seed)
    for seed, loss in product(range(seeds), LOSS_ACCURACY):
        yield CapsuleCase("ag_news", *PLAIN, loss, seed)


def columns(case: CapsuleCase) -> Row:
    """Columns for the corpus's test split (True if it has one) and the accuracy in the paper."""
    paper = capsules_accuracy(case.corpus, case.embedding, case.routing, case.loss)
    return {"official_test": CORPORA[case.corpus].has_test, "paper": paper}


def training(case: CapsuleCase) -> CapsulesTraining:
    """The training of a case."""
    return replace(
        BASE,
        corpus=case.corpus,
        n_classes=N_CLASSES[case.corpus],
        cooccurrence_in=COUNTED[case.corpus],
        embedding=case.embedding,
        routing=case.routing,
        loss_of=case.loss,
        seed=case.seed,
    )


SWEEP = Sweep(
    name="capsules",
    help="CCCaps by embedding, routing and loss, on AG's News and DBpedia",
    description=__doc__,
    case=CapsuleCase,
    cases=cases,
    training=training,
    columns=columns,
)
