"""Datasets in their official layouts, one module per corpus.

Texts are read as a Split, pairs of pictures as a ViewSubset. Both have a length, ``classes``, ``first(n)`` and
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
BY_SENTENCE = "_documents"  # suffix of the corpus name in a checkpoint that reads texts sentence by sentence

__all__ = ["CORPORA", "Corpus", "Split", "ViewSubset", "corpus_of", "data_root", "folder_of"]
__all__ += ["is_here", "read_split", "read_texts"]


def corpus_of(name: str) -> Corpus | None:
    """The corpus that a checkpoint names, with or without ``BY_SENTENCE``; None if it is unknown."""
    return CORPORA.get(name.removesuffix(BY_SENTENCE))


def folder_of(corpus: str) -> Path:
    """The folder of a corpus under the data root."""
    return data_root() / corpus.removesuffix(BY_SENTENCE)


def is_here(corpus: Corpus) -> bool:
    """Whether a corpus has its files under the data root, or needs none."""
    folder = data_root() / corpus.name
    return not corpus.files or (folder.is_dir() and any(folder.iterdir()))


def read_split(corpus: str, folder: Path, split: str, n_classes: int | None = None) -> Split | ViewSubset:
    """Read an official split of a corpus.

    Args:
        corpus: a key of ``CORPORA``, or "imdb_documents" for IMDB's reviews as lists of sentences.
        folder: folder with the corpus as released.
        split: "train" or "test", and "dev" if there is one.
        n_classes: number of classes, for a corpus with several sets of them; its default if None.

    Raises:
        ValueError: there is no such corpus, split or number of classes, or the folder lacks it.
    """
    name = corpus.removesuffix(BY_SENTENCE)
    if name not in CORPORA or (name != corpus and name != imdb.CORPUS.name):
        raise ValueError(f"There is no corpus {corpus!r} that this program can read, only {', '.join(CORPORA)}.")
    record = CORPORA[name]
    options = {"by_sentence": True} if name != corpus else {}
    return record.read(folder, split, len(record.classes[0]) if n_classes is None else n_classes, **options)


def read_texts(corpus: str, folder: Path, split: str, n_classes: int | None = None) -> Split:
    """``read_split`` for a corpus of texts; ValueError for one of pictures."""
    texts = read_split(corpus, folder, split, n_classes)
    if not isinstance(texts, Split):
        raise ValueError(f"{corpus} holds pictures, wanted a corpus of texts")
    return texts
