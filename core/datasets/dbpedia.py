"""DBpedia (Zhang, Zhao, LeCun 2015): abstracts of encyclopedia articles, by the kind of their subject."""

from pathlib import Path

from core.datasets import labelled_csv
from core.datasets.corpus import Corpus, File
from core.datasets.split import Split, check_asked

CLASSES = (
    "Company", "EducationalInstitution", "Artist", "Athlete", "OfficeHolder", "MeanOfTransportation", "Building",
    "NaturalPlace", "Village", "Animal", "Plant", "Album", "Film", "WrittenWork",
)  # fmt: skip
FILES = {  # a sample of the training split; the whole release is much larger
    "train.sample.csv.gz": File(1_612_708, "d12060012a7ff0e6ff580786d4ecc15a15fa5eb9b8b509d63a807ef641c123e0"),
}
NAMES = {"train": ("train.csv", "train.sample.csv"), "test": ("test.csv",)}


def texts(folder: Path, split: str, n_classes: int = 14) -> Split:
    """Read abstracts with their kind.

    Args:
        folder: holds train.csv, or a sample of it as train.sample.csv, and test.csv; each may be gzipped.
        split: train or test.
        n_classes: 14.

    Raises:
        ValueError: there is no such split or number of classes, or the folder does not hold it.
    """
    check_asked(split, n_classes, CLASSES)
    return labelled_csv.read(folder, NAMES[split], CLASSES)


CORPUS = Corpus(
    name="dbpedia",
    title="DBpedia",
    subject="topic",
    classes=(CLASSES,),
    read=texts,
    files=FILES,
    has_test=False,
)
