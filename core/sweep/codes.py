"""Accuracy of CCCaps with CWC and CC, whose codes start at random as in the paper (Ren, Lu 2022, table 6)."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from core.inputs.text import Vocabulary
from core.models import CCCaps
from core.models.cccaps import Embedding
from core.papers import capsules_accuracy
from core.sweep import capsules
from core.sweep.sweep import Row, Sweep

CORPUS = "ag_news"
EMBEDDINGS: tuple[Embedding, ...] = ("cwc", "cc")


@dataclass(frozen=True, kw_only=True)
class RandomCodesTraining(capsules.CapsulesTraining):
    """The training of CCCaps whose codes and codebooks start at random, not near pretrained vectors."""

    def model(self, vocabulary: Vocabulary, root: Path) -> CCCaps:
        return self.network(len(vocabulary))


@dataclass(frozen=True)
class CodesCase:
    """One training.

    Args:
        embedding: one of ``EMBEDDINGS``.
    """

    embedding: str
    seed: int


def cases(seeds: int) -> Iterator[CodesCase]:
    """Yield both kinds of codes, seed by seed."""
    for seed, embedding in product(range(seeds), EMBEDDINGS):
        yield CodesCase(embedding, seed)


def columns(case: CodesCase) -> Row:
    """A column for the accuracy in the paper."""
    return {"paper": capsules_accuracy(CORPUS, case.embedding, "kmeans", capsules.PAPERS_LOSS)}


def training(case: CodesCase) -> RandomCodesTraining:
    """The training of a case: that of the same network in table 6, with random codes."""
    table_6 = capsules.training(capsules.CapsuleCase(CORPUS, case.embedding, "kmeans", capsules.PAPERS_LOSS, case.seed))
    return RandomCodesTraining(**vars(table_6))


SWEEP = Sweep(
    name="codes",
    help="CWC and CC whose codes start at random",
    description=__doc__,
    case=CodesCase,
    cases=cases,
    training=training,
    columns=columns,
    corpus=CORPUS,
)
