"""The texts on which a sweep trains: samples of corpora, read once per process."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.datasets import CORPORA, Split, read_texts
from core.training.recipes.words import cut, hold_out


@dataclass(frozen=True)
class CorpusSample:
    """A sample of a corpus, and the number of epochs of training on it.

    Args:
        corpus: a key of ``core.datasets.CORPORA``.
        n_classes: number of classes to read the corpus with.
        epochs: number of epochs.
        max_train: maximal number of training texts; all if None.
        max_test: maximal number of test texts; the dev split gets at most a tenth of it. All texts if None.
    """

    corpus: str
    n_classes: int
    epochs: int
    max_train: int | None = None
    max_test: int | None = None


def take_sample(
    splits: tuple[Split, Split, Split], max_train: int | None, max_test: int | None = None
) -> tuple[Split, Split, Split]:
    """Reduce the train, dev and test split to the numbers of texts in a ``CorpusSample``, evenly spaced."""
    train, dev, test = splits
    if max_test is not None:
        dev, test = dev.evenly(max_test // 10), test.evenly(max_test)
    return train if max_train is None else train.evenly(max_train), dev, test


@lru_cache(maxsize=2)
def read_splits(corpus: str, folder: Path, n_classes: int, max_words: int) -> tuple[Split, Split, Split]:
    """Read the train, dev and test split of a corpus, with training texts truncated to ``max_words``.

    Every tenth training text is held out as the dev split. If the corpus has no official test split among its files,
    training texts are held out for the test split as well.

    Raises:
        ValueError: the folder does not hold the corpus.
    """
    labelled = read_texts(corpus, folder, "train", n_classes)
    if CORPORA[corpus].has_test:
        test = read_texts(corpus, folder, "test", n_classes)
    else:
        labelled, test = hold_out(labelled)
    train, dev = hold_out(labelled)
    return cut(train, max_words), dev, test
