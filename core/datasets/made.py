"""Artificial texts, classified by whether "key" comes before "lock". The best accuracy is known for every window.

Both words occur in every text, so only a window that contains both can distinguish the classes.
"""

import random
from pathlib import Path

from core.datasets.corpus import Corpus
from core.datasets.split import Split, check_request

CLASSES = ("key first", "lock first")
CUES = ("key", "lock")
FILLERS = ("the", "a", "old", "house", "by", "river", "was", "quiet", "that", "day", "and", "we", "saw", "no", "one")
MAX_DISTANCE = 6  # in words
N_TEXTS = {"train": 1500, "test": 500}
LENGTHS = (20, 26)  # shortest and longest text, in words


def texts(folder: Path | None, split: str, n_classes: int = 2) -> Split:
    """Make the texts, which are the same in every call. Distances 1 to ``MAX_DISTANCE`` are equally likely.

    Args:
        folder: not used.
        split: train or test.
        n_classes: 2.

    Raises:
        ValueError: there is no such split or number of classes.
    """
    check_request(split, n_classes, CLASSES)
    draw = random.Random(split)
    words, labels = [], []
    for _ in range(N_TEXTS[split]):
        label, distance = draw.randrange(2), draw.randint(1, MAX_DISTANCE)
        text: list[str] = draw.choices(FILLERS, k=draw.randint(*LENGTHS))
        # Far enough from both ends of the text, so that the ends give no hint.
        first = draw.randrange(MAX_DISTANCE, len(text) - MAX_DISTANCE - distance)
        text[first], text[first + distance] = CUES[::-1] if label else CUES
        words.append(text)
        labels.append(label)
    return Split(words, labels, CLASSES)


def best_accuracy(window: int) -> float:
    """The best accuracy with a window of this many words: every text that shows both cues in one window is certain."""
    share = min(MAX_DISTANCE, max(0, window - 1)) / MAX_DISTANCE  # of the texts, with both words in one window
    return share + (1 - share) / 2


CORPUS = Corpus(name="made", title="made texts", subject="word order", classes=(CLASSES,), read=texts)
