"""The samples of a text corpus, and the folder of all corpora."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.files import cache_folder


@dataclass(frozen=True)
class Split:
    """One split of a text corpus.

    Args:
        words: words of each sample, as written; for documents a list of sentences, each a list of words.
        labels: class of each sample, as an index into ``classes``.
        classes: names of the classes.
    """

    words: list[Any]
    labels: list[int]
    classes: tuple[str, ...]

    def __post_init__(self):
        if len(self.words) != len(self.labels):
            raise ValueError(f"words has {len(self.words)} samples and labels has {len(self.labels)}, wanted as many")

    def __len__(self) -> int:
        return len(self.labels)

    def first(self, n: int) -> "Split":
        """The first n samples, n at least 1."""
        if n < 1:
            raise ValueError(f"the number of samples is {n}, wanted at least 1")
        return self.take(range(min(n, len(self))))

    def evenly(self, n: int) -> "Split":
        """Evenly spaced samples, n of them, or all if there are fewer."""
        return self if n >= len(self) else self.take(len(self) * k // n for k in range(n))

    def take(self, numbers: Iterable[int]) -> "Split":
        """The samples with these indices, in this order."""
        chosen = list(numbers)
        return Split([self.words[k] for k in chosen], [self.labels[k] for k in chosen], self.classes)

    @property
    def order(self) -> list[int]:
        """The indices of the samples in the order of ``batches``: by length, so that batches need little padding."""
        return sorted(range(len(self)), key=lambda k: len(self.words[k]))

    def batches(self, size: int = 64) -> Iterator[tuple[list[Any], list[int]]]:
        """Yield words and labels of all samples, in the order of ``order``."""
        order = self.order
        for start in range(0, len(self), size):
            chosen = order[start : start + size]
            yield [self.words[k] for k in chosen], [self.labels[k] for k in chosen]


def check_request(split: str, n_classes: int, classes: tuple[str, ...]) -> None:
    """Raise ValueError unless the split is train or test and n_classes is the length of ``classes``."""
    if split not in ("train", "test") or n_classes != len(classes):
        raise ValueError(f"split is {split!r} in {n_classes} classes, wanted train or test in {len(classes)}")


def data_root() -> Path:
    """The folder that holds one folder per corpus: ROUTESCOPE_DATA, or one in the user's cache directory."""
    return Path(os.environ.get("ROUTESCOPE_DATA") or cache_folder())
