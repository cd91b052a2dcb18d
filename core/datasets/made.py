"""Made texts of which it is known what a window can find out: one word comes some words before another, or after it.

Both words are in every text, so that what words there are says nothing, and only a window that holds both can tell.
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
    """The same texts whenever asked; there is no folder to read. Distances 1 to ``FARTHEST`` are equally likely.

    Raises:
        ValueError: no such split or number of classes.
    """
    check_asked(split, n_classes, CLASSES)
    draw = random.Random(split)
    words, labels = [], []
    for _ in range(N[split]):
        label, distance = draw.randrange(2), draw.randint(1, FARTHEST)
        text = draw.choices(FILLERS, k=draw.randint(*LENGTHS))
        first = draw.randrange(FARTHEST, len(text) - FARTHEST - distance)  # neither end tells: it is too far away
        text[first], text[first + distance] = CUES[::-1] if label else CUES
        words.append(text)
        labels.append(label)
    return Split(words, labels, CLASSES)


def at_best(window: int) -> float:
    """The accuracy of who sees every run of so many words and guesses where none holds both."""
    seen = min(FARTHEST, max(0, window - 1)) / FARTHEST
    return seen + (1 - seen) / 2


CORPUS = Corpus(name="made", title="made texts", subject="word order", classes=(CLASSES,), read=texts)
