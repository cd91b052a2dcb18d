"""The texts of a sweep's trainings, read once a process."""

from functools import lru_cache
from pathlib import Path

from core.datasets import Split, read_split
from core.training.recipes.words import cut, held_out


def samples(
    whole: tuple[Split, Split, Split], most: int | None, tested: int | None = None
) -> tuple[Split, Split, Split]:
    """Of the splits: ``most`` training texts and ``tested`` test texts, and a tenth as many of dev; all where None."""
    train, dev, test = whole
    if tested is not None:
        dev, test = dev.evenly(tested // 10), test.evenly(tested)
    return train if most is None else train.evenly(most), dev, test


@lru_cache(maxsize=2)
def splits(
    corpus: str, folder: Path, n_classes: int, longest: int, has_test: bool = True
) -> tuple[Split, Split, Split]:
    """Training texts up to so many words, every tenth of them held out to choose weights on, and the official test
    split; of a corpus that has none here, training texts are held out for that too.

    Raises:
        ValueError: the folder does not hold the corpus.
    """
    given = read_split(corpus, folder, "train", n_classes)
    if has_test:
        test = read_split(corpus, folder, "test", n_classes)
    else:
        given, test = held_out(given)
    train, dev = held_out(given)
    return cut(train, longest), dev, test
