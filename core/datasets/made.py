"""Artificial texts for which the best accuracy of every window is known: "key" comes before "lock", or after it.

Both words are in every text, so only a window that holds both can tell the classes apart.
"""

import random
from pathlib import Path

from core.datasets.corpus import Corpus
from core.datasets.split import Split, check_asked

CLASSES = ("key first", "lock first")
CUES = ("key", "lock")
FILLERS = ("the", "a", "old", "house", "by", "river", "was", "quiet", "that", "day", "and", "we", "saw", "no", "one")
FARTHEST = 6  # words from one to the other
N = {"train": 1500, "test": 500}
LENGTHS = (20, 26)


def texts(folder: Path | None, split: str, n_classes: int = 2) -> Split:
    """The same texts at every call; no folder is read. Distances 1 to ``FARTHEST`` are equally likely.

    Raises:
        ValueError: no such split or number of classes.
    """
    check_asked(split, n_classes, CLASSES)
    draw = random.Random(split)
    words, labels = [], []
    for _ in range(N[split]):
        label, distance = draw.randrange(2), draw.randint(1, FARTHEST)
        text = draw.choices(FILLERS, k=draw.randint(*LENGTHS))
        # Far enough from both ends that they give no hint.
        first = draw.randrange(FARTHEST, len(text) - FARTHEST - distance)
        text[first], text[first + distance] = CUES[::-1] if label else CUES
        words.append(text)
        labels.append(label)
    return Split(words, labels, CLASSES)


def at_best(window: int) -> float:
    """The best accuracy with windows of so many words: certain where one holds both words, a guess elsewhere."""
    certain = min(FARTHEST, max(0, window - 1)) / FARTHEST
    return certain + (1 - certain) / 2


CORPUS = Corpus(name="made", title="made texts", subject="word order", classes=(CLASSES,), read=texts)
