"""AG's News (Zhang, Zhao, LeCun 2015): the topic of a news item, from its title and its first lines."""

from pathlib import Path

from core.datasets import labelled_csv
from core.datasets.split import Split

CLASSES = ("World", "Sports", "Business", "Sci/Tech")
FILES = {"train": ("train.csv", "train.sample.csv"), "test": ("test.csv",)}
SHA256 = {"test.csv": "521465c2428ed7f02f8d6db6ffdd4b5447c1c701962353eb2c40d548c3c85699"}


def texts(folder: Path, split: str, n_classes: int = 4) -> Split:
    """News items with their topic.

    Args:
        folder: holds train.csv, or a sample of it as train.sample.csv, and test.csv.
        split: train or test.

    Raises:
        ValueError: no such split or number of classes, or the folder does not hold it.
    """
    if split not in FILES or n_classes != len(CLASSES):
        raise ValueError(f"split is {split!r} in {n_classes} classes, wanted train or test in {len(CLASSES)}")
    return labelled_csv.read(folder, FILES[split], CLASSES)
