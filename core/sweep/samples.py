"""The texts of a sweep's trainings: samples of corpora, read once by each process."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.datasets import CORPORA, Split, read_split
from core.training.recipes.words import cut, hold_out


@dataclass(frozen=True)
class Sample:
    """Texts of a corpus, and how long a small network is trained on them.

    Args:
        corpus: a key of ``core.datasets.CORPORA``.
        max_train: training texts at most; all where None.
        max_test: test texts at most, and a tenth as many to choose weights on; all where None.
    """

    corpus: str
    n_classes: int
    epochs: int
    max_train: int | None = None
    max_test: int | None = None


def sampled(
    splits: tuple[Split, Split, Split], max_train: int | None, max_test: int | None = None
) -> tuple[Split, Split, Split]:
    """The train, dev and test split with at most so many texts, taken evenly from each as in ``Sample``."""
    train, dev, test = splits
    if max_test is not None:
        dev, test = dev.evenly(max_test // 10), test.evenly(max_test)
    return train if max_train is None else train.evenly(max_train), dev, test


@lru_cache(maxsize=2)
def read_splits(corpus: str, folder: Path, n_classes: int, max_words: int) -> tuple[Split, Split, Split]:
    """The train, dev and test split of a corpus; training texts are cut after ``max_words``.

    Every tenth training text is held out as the dev split. Where a corpus has no official test split here, training
    texts are held out for that as well.

    Raises:
        ValueError: the folder does not hold the corpus.
    """
    labelled = read_split(corpus, folder, "train", n_classes)
    if CORPORA[corpus].has_test:
        test = read_split(corpus, folder, "test", n_classes)
    else:
        labelled, test = hold_out(labelled)
    train, dev = hold_out(labelled)
    return cut(train, max_words), dev, test
