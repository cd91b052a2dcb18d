"""Reads texts: cuts them to a run's limits, replaces words, and fills the fields of a trace that depend on the text."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

import numpy as np
from numpy import ndarray

from core.checkpoint import Checkpoint
from core.edits import Edit, ReplaceWord
from core.inputs.readers import WordReader
from core.inputs.text import Word, beginning, replace_breaks, sentences, tokenize
from core.sentences.words import is_punctuation

MAX_WORDS = 400  # words that a run reads; SST's longest sentence has 56
MOSTLY = 0.5  # a text with at least this share of unknown words is mostly unknown
MAX_DOCUMENT_WORDS, MAX_SENTENCES = 2000, 200  # words and sentences of a text that is read sentence by sentence


def run_fields(checkpoint: Checkpoint) -> dict[str, Any]:
    """The fields of a trace for the network and the device."""
    return {
        "model": checkpoint.name,
        "task": checkpoint.task,
        "device": str(checkpoint.device),
        "weights": checkpoint.sha256,
        "classes": list(checkpoint.classes),
    }


def token_fields(tokens: list[Word]) -> dict[str, Any]:
    """The fields of a trace for the words."""
    return {"tokens": [w.text for w in tokens], "spans": [(w.start, w.end) for w in tokens]}


def read_words(
    checkpoint: Checkpoint[Any, WordReader], text: str, edits: Sequence[Edit] = ()
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read a text for a network over word vectors.

    Args:
        edits: edits of the run; only those that replace words are applied here.

    Returns:
        The arguments of the network, and the fields of its trace that depend only on the checkpoint and the text.

    Raises:
        ValueError: the text has no word, or lacks a word that an edit replaces.
    """
    inputs, (about,) = read_texts(checkpoint, [text], edits)
    return inputs, about


def read_texts(
    checkpoint: Checkpoint[Any, WordReader], texts: Sequence[str], edits: Sequence[Edit] = ()
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Read many texts for a network over word vectors, as ``read_words`` reads one."""
    cut = [cut_words(replace_words(text, edits, lambda text: cut_words(text)[0])) for text in texts]
    inputs = checkpoint.inputs([[word.text for word in words] for words, _ in cut])
    known = checkpoint.reader.is_known(inputs["words"]).cpu().numpy()
    return inputs, [
        run_fields(checkpoint) | token_fields(words) | known_fields(words, known[b, : len(words)].copy(), notices)
        for b, (words, notices) in enumerate(cut)
    ]


def read_documents(
    checkpoint: Checkpoint, texts: Sequence[str], edits: Sequence[Edit] = ()
) -> tuple[dict[str, Any], list[list[list[Word]]], list[dict[str, Any]]]:
    """Read many texts sentence by sentence.

    Returns:
        The arguments of the network, the words of each sentence of each text, and the fields of each trace.
    """

    def words_of(text: str) -> list[Word]:
        return [word for sentence in cut_sentences(text)[0] for word in sentence]

    cut = [cut_sentences(replace_words(text, edits, words_of)) for text in texts]
    inputs = checkpoint.inputs([[[word.text for word in sentence] for sentence in document] for document, _ in cut])
    known_rows = iter(checkpoint.reader.is_known(inputs["words"]).cpu().numpy())  # a row per sentence
    about = []
    for document, notices in cut:
        words = [word for sentence in document for word in sentence]
        known = np.concatenate([next(known_rows)[: len(sentence)] for sentence in document])
        about.append(run_fields(checkpoint) | token_fields(words) | known_fields(words, known, notices))
    return inputs, [document for document, _ in cut], about


def known_fields(words: list[Word], known: ndarray, notices: list[str]) -> dict[str, Any]:
    """The fields of a trace for the known words and the notices, with one more notice if most words are unknown.

    Punctuation is not counted: every network knows it.
    """
    counted = [is_known for word, is_known in zip(words, known, strict=True) if not is_punctuation(word.text)]
    unknown = counted.count(False)
    if unknown and unknown >= MOSTLY * len(counted):
        how_many = f"{unknown:,} of {len(counted):,} words are" if len(counted) > 1 else "The only word is"
        notices = [*notices, f"{how_many} unknown to this network: its answer means little."]
    return {"known": known, "notices": notices}


def replace_words(text: str, edits: Iterable[Edit], words_of: Callable[[str], list[Word]]) -> str:
    """Replace words in a text, one edit after the other.

    Args:
        words_of: function that splits a text into words.

    Raises:
        ValueError: there is no such word.
    """
    for edit in edits:
        if isinstance(edit, ReplaceWord):
            words = words_of(text)
            edit.check(i=len(words))
            text = text[: words[edit.i].start] + edit.text + text[words[edit.i].end :]
    return text


def cut_words(text: str) -> tuple[list[Word], list[str]]:
    """The first ``MAX_WORDS`` words of a text, without HTML's line breaks, and a notice if there are more.

    Raises:
        ValueError: the text has no word.
    """
    return _first(MAX_WORDS, tokenize(replace_breaks(text)), "words")


def cut_sentences(text: str) -> tuple[list[list[Word]], list[str]]:
    """The words of the first ``MAX_SENTENCES`` sentences, up to ``MAX_DOCUMENT_WORDS`` in all, and a notice if there
    are more. Errors as in ``cut_words``.
    """
    read = beginning(text, MAX_DOCUMENT_WORDS + 1)
    first_sentences, sentence_notices = _first(MAX_SENTENCES, sentences(read), "sentences")
    numbered = ((s, word) for s, sentence in enumerate(first_sentences) for word in sentence)
    words, word_notices = _first(MAX_DOCUMENT_WORDS, numbered, "words")
    cut = [[word for _, word in sentence] for _, sentence in groupby(words, key=itemgetter(0))]
    return cut, word_notices or sentence_notices


def _first(n: int, items: Iterator[Any], plural: str) -> tuple[list[Any], list[str]]:
    """The first n items, and a notice if there are more, which calls them ``plural``."""
    first = list(islice(items, n + 1))
    if not first:
        raise ValueError("There is no word in this text. Type a sentence.")
    if len(first) > n:
        return first[:n], [f"Only the first {n:,} {plural} were read, which is the limit."]
    return first, []
