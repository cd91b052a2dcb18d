"""AG's News (Zhang, Zhao, LeCun 2015): news items, their title and first lines, by topic."""

from pathlib import Path

from core.datasets import labelled_csv
from core.datasets.corpus import Corpus, File
from core.datasets.split import Split, check_asked

CLASSES = ("World", "Sports", "Business", "Sci/Tech")
NAMES = {"train": ("train.csv", "train.sample.csv"), "test": ("test.csv",)}
FILES = {
    "train.csv": File(29_470_338, "76a0a2d2f92b286371fe4d4044640910a04a803fdd2538e0f3f29a5c6f6b672e"),
    "test.csv": File(1_857_427, "521465c2428ed7f02f8d6db6ffdd4b5447c1c701962353eb2c40d548c3c85699"),
}


def texts(folder: Path, split: str, n_classes: int = 4) -> Split:
    """Read news items with their topic.

    Args:
        folder: holds train.csv, or a sample of it as train.sample.csv, and test.csv.
        split: train or test.
        n_classes: 4.

    Raises:
        ValueError: there is no such split or number of classes, or the folder does not hold it.
    """
    check_asked(split, n_classes, CLASSES)
    return labelled_csv.read(folder, NAMES[split], CLASSES)


CORPUS = Corpus(
    name="ag_news",
    title="AG's News",
    subject="topic",
    classes=(CLASSES,),
    read=texts,
    files=FILES,
    url="https://raw.githubusercontent.com/mhjabreel/CharCnn_Keras/master/data/ag_news_csv/",
)
