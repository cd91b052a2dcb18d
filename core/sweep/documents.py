"""Accuracy of DR-AGG on the ratings of long reviews, flat and by sentence (Gong et al. 2018, section 4 and table 3)."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from core.datasets import Split, imdb
from core.sweep.samples import take_sample
from core.sweep.sweep import Row, Sweep
from core.training.recipes.documents import DocumentTraining, FlatTraining
from core.training.schedules import Schedule

MAX_TRAIN, MAX_WORDS = 10_000, 320  # reviews, and words of a training review
READINGS = ("flat", "by sentence")


@dataclass(frozen=True)
class DocumentsCase:
    """One training.

    Args:
        reading: "by sentence" if sentences are routed, and then what came of them; "flat" if all words are routed once.
    """

    reading: str
    seed: int

    @property
    def corpus(self) -> str:
        """The corpus, whose name also says how it is read."""
        return "imdb_documents" if self.reading == "by sentence" else "imdb"


def cases(seeds: int) -> Iterator[DocumentsCase]:
    """Yield both ways of reading, seed by seed."""
    for seed, reading in product(range(seeds), READINGS):
        yield DocumentsCase(reading, seed)


def columns(case: DocumentsCase) -> Row:
    """The corpus and the number of training reviews."""
    return {"corpus": "imdb", "n_classes": len(imdb.RATINGS), "max_train": MAX_TRAIN}


def training(case: DocumentsCase) -> FlatTraining:
    """The training of a case."""
    kind = SampledDocuments if case.reading == "by sentence" else SampledReviews
    return kind(
        corpus=case.corpus,
        n_classes=len(imdb.RATINGS),
        d_cooccurrence=0,
        max_words=MAX_WORDS,
        min_count=8,
        seed=case.seed,
        schedule=Schedule(epochs=4, lr=1e-3, perturbation=10.0, evaluations=1),
    )


@dataclass(frozen=True, kw_only=True)
class SampledReviews(FlatTraining):
    """DR-AGG over all words, on a sample of the reviews."""

    def splits(self, data: Path) -> tuple[Split, Split, Split]:
        return take_sample(super().splits(data), MAX_TRAIN)


@dataclass(frozen=True, kw_only=True)
class SampledDocuments(DocumentTraining):
    """DR-AGG sentence by sentence, on a sample of the reviews."""

    def splits(self, data: Path) -> tuple[Split, Split, Split]:
        return take_sample(super().splits(data), MAX_TRAIN)


SWEEP = Sweep(
    name="documents",
    help="DR-AGG on the eight ratings of IMDB's reviews, flat and by sentence",
    description=__doc__,
    case=DocumentsCase,
    cases=cases,
    training=training,
    columns=columns,
    corpus="imdb",
    fixed={"max_train": MAX_TRAIN},
)
