"""Datasets in their official layouts, one corpus a file: texts as a Split, pairs of pictures as a ViewSubset.

Both have a length, ``classes``, ``first(n)`` and ``batches()``.
"""

from pathlib import Path

from core.datasets import ag_news, dbpedia, imdb, made, sst, trec
from core.datasets.split import Split, data_root
from core.datasets.views import ViewSubset, read_split

CORPORA = {
    "sst": sst.sentences,
    "imdb": imdb.reviews,
    "imdb_documents": imdb.documents,
    "ag_news": ag_news.texts,
    "trec": trec.questions,
    "dbpedia": dbpedia.texts,
    "made": made.texts,
    "smallnorb": lambda folder, split, n_classes: read_split(folder, split),
}

SAME_FILES = {"imdb_documents": "imdb"}  # read in another way

__all__ = ["CORPORA", "Split", "ViewSubset", "data_root", "folder_of", "official"]


def folder_of(corpus: str) -> Path:
    """Where a corpus lies under the data root."""
    return data_root() / SAME_FILES.get(corpus, corpus)


def official(corpus: str, folder: Path, split: str, n_classes: int) -> Split | ViewSubset:
    """The samples on which a corpus is officially evaluated.

    Raises:
        ValueError: no such corpus or split, or the folder does not hold it.
    """
    if corpus not in CORPORA:
        raise ValueError(f"There is no corpus {corpus!r} that this program can read, only {', '.join(CORPORA)}.")
    return CORPORA[corpus](folder, split, n_classes)
