"""TREC questions (Li, Roth 2002), labelled by the kind of answer that they ask for."""

from pathlib import Path

from core.datasets.corpus import Corpus, File
from core.datasets.split import Split, check_request

CLASSES = ("description", "entity", "abbreviation", "human", "location", "number")
NAMES = {"train": "TREC.train.all", "test": "TREC.test.all"}
FILES = {
    "TREC.train.all": File(292_402, "c8183fd8c2a5cc4a9a1c56548d7c6410a8b71ed7843df9ef1f0a05cd7cf2fb3e"),
    "TREC.test.all": File(19_479, "92a6a3cede5678b447ef5f1d7ec474134fcda211e6590e6fa627b4a2c68e4566"),
}


def questions(folder: Path, split: str, n_classes: int = 6) -> Split:
    """Read questions with their coarse answer class.

    Args:
        folder: folder with TREC.train.all and TREC.test.all. A line has a label 0 to 5 and a question.
        split: train or test.
        n_classes: 6.

    Raises:
        ValueError: there is no such split or number of classes, the folder lacks it, or a line is malformed.
    """
    check_request(split, n_classes, CLASSES)
    path = folder / NAMES[split]
    if not path.is_file():
        raise ValueError(f"{folder} holds no {path.name}")
    words, labels = [], []
    for number, line in enumerate(path.read_text(encoding="latin-1").splitlines(), 1):
        label, *question = line.split() or [""]
        if label not in {str(k) for k in range(len(CLASSES))} or not question:
            raise ValueError(f"{path}, line {number}: wanted a label 0 to {len(CLASSES) - 1} and a question")
        words.append(question)
        labels.append(int(label))
    return Split(words, labels, CLASSES)


CORPUS = Corpus(
    name="trec",
    title="TREC",
    subject="topic",
    classes=(CLASSES,),
    read=questions,
    files=FILES,
    url="https://raw.githubusercontent.com/harvardnlp/sent-conv-torch/master/data/",
    samples="questions",
    called="topics",
    hub="CogComp/trec",
    terms="names no licence: cite its paper",
)
