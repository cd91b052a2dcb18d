"""Datasets in their official layouts, one corpus a file.

Texts are read into a Split, pairs of pictures into a ViewSubset. Both have a length, ``classes``, ``first(n)`` and
``batches()``.
"""

from pathlib import Path

from core.datasets import ag_news, dbpedia, imdb, made, smallnorb, sst, trec
from core.datasets.corpus import Corpus
from core.datasets.smallnorb import ViewSubset
from core.datasets.split import Split, data_root

CORPORA: dict[str, Corpus] = {
    module.CORPUS.name: module.CORPUS for module in (sst, imdb, ag_news, trec, dbpedia, made, smallnorb)
}
BY_SENTENCE = "_documents"  # ends the corpus name of a checkpoint that reads texts sentence by sentence

__all__ = ["CORPORA", "Corpus", "Split", "ViewSubset", "data_root", "folder_of", "read_split"]


def folder_of(corpus: str) -> Path:
    """Where a corpus lies under the data root."""
    return data_root() / corpus.removesuffix(BY_SENTENCE)


def read_split(corpus: str, folder: Path, split: str, n_classes: int | None = None) -> Split | ViewSubset:
    """The samples on which a corpus is officially evaluated, or which are officially trained on.

    Args:
        corpus: its name, as a checkpoint says it; "imdb_documents" are IMDB's reviews sentence by sentence.
        folder: holds the corpus as released.
        n_classes: as many as the corpus has unless given.

    Raises:
        ValueError: no such corpus, split or number of classes, or the folder does not hold it.
    """
    name = corpus.removesuffix(BY_SENTENCE)
    if name not in CORPORA or (name != corpus and name != imdb.CORPUS.name):
        raise ValueError(f"There is no corpus {corpus!r} that this program can read, only {', '.join(CORPORA)}.")
    record = CORPORA[name]
    options = {"by_sentence": True} if name != corpus else {}
    return record.read(folder, split, len(record.classes[0]) if n_classes is None else n_classes, **options)
