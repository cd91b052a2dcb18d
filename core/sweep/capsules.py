"""Accuracy of CCCaps by word vectors, class capsules, routing and loss (Ren, Lu 2022, tables 4 to 6)."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path

from core.sweep.papers import LOSSES, NETWORKS, PLAIN, of_capsules
from core.sweep.sweep import Row, Sweep, name_of
from core.sweep.table import train_and_test
from core.training.recipes import RECIPES
from core.training.recipes.cccaps import CCCapsTraining

BASE: CCCapsTraining = RECIPES["cccaps-ag"].full
PAPERS_LOSS = BASE.loss_of


@dataclass(frozen=True)
class Case:
    """One training.

    Args:
        loss: as in ``CCCapsTraining.loss_of``.
    """

    embedding: str
    routing: str
    loss: str
    seed: int


def cases(seeds: int) -> Iterator[Case]:
    """The networks of tables 5 and 6 with the paper's loss, then the losses of table 4.

    Table 4 is about the network of table 6's first row: plain word vectors and a linear layer.
    """
    for seed, (embedding, routing) in product(range(seeds), NETWORKS):
        yield Case(embedding, routing, PAPERS_LOSS, seed)
    for seed, loss in product(range(seeds), LOSSES):
        yield Case(*PLAIN, loss, seed)


def measure(case: Case, data: Path, device: str = "cpu", scratch: Path | None = None) -> Row:
    """Train and test the network of a case, and return its row of the table."""
    paper = of_capsules(case.embedding, case.routing, case.loss)
    results = train_and_test(training(case), data / BASE.corpus, name_of(case), device, scratch)
    return asdict(case) | {"paper": paper} | results


def training(case: Case) -> CCCapsTraining:
    """The training of a case: as for the shipped network, with the settings of the case."""
    return replace(BASE, embedding=case.embedding, routing=case.routing, loss_of=case.loss, seed=case.seed)


SWEEP = Sweep(
    name="capsules",
    help="CCCaps by embedding, routing and loss, on AG's News",
    description=__doc__,
    case=Case,
    cases=cases,
    measure=measure,
)
