"""What the families share: texts cut to the words that a run reads, steps stacked into arrays, lines of a summary."""

from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import ndarray

from core.inputs.text import Word, as_read, sentences, tokenize

if TYPE_CHECKING:
    import torch

    import core.checkpoint

LONGEST_TEXT = 400  # words that a run reads; SST's longest sentence has 56
LONGEST_DOCUMENT, MAX_SENTENCES = 2000, 200  # words and sentences of a text that is read sentence by sentence
LARGEST = 5  # inputs that a line of a summary names


def run_fields(checkpoint: "core.checkpoint.Checkpoint") -> dict[str, Any]:
    """The fields of a trace that say which network ran where."""
    return {
        "model": checkpoint.name,
        "task": checkpoint.task,
        "device": str(checkpoint.device),
        "weights": checkpoint.sha256,
        "classes": list(checkpoint.classes),
    }


def token_fields(tokens: list[Word]) -> dict[str, Any]:
    """The fields of a trace that say which words were read."""
    return {"tokens": [w.text for w in tokens], "spans": [(w.start, w.end) for w in tokens]}


def read_words(checkpoint: "core.checkpoint.Checkpoint", text: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The arguments of a network over word vectors, and the fields of its trace that a text fills."""
    words, notices = cut_words(text)
    encoded = checkpoint.encode([[w.text for w in words]])
    known = (encoded["words"][0] < len(checkpoint.reader.vocabulary)).cpu().numpy()
    return encoded, run_fields(checkpoint) | token_fields(words) | {"known": known, "notices": notices}


def cut_words(text: str) -> tuple[list[Word], list[str]]:
    """The words of a text that a run reads, HTML's line breaks left out, and a notice where it does not read all.

    Raises:
        ValueError: there is no word in the text.
    """
    return _at_most(LONGEST_TEXT, tokenize(as_read(text)), "words")


def cut_sentences(text: str) -> tuple[list[list[Word]], list[str]]:
    """The words of each sentence that a run reads, and a notice where it does not read all; errors as above."""
    every, notices = _at_most(MAX_SENTENCES, sentences(text), "sentences")
    numbered = ((s, word) for s, sentence in enumerate(every) for word in sentence)
    words, narrower = _at_most(LONGEST_DOCUMENT, numbered, "words")
    return [[word for _, word in sentence] for _, sentence in groupby(words, key=itemgetter(0))], narrower or notices


def _at_most(n: int, units: Iterator[Any], what: str) -> tuple[list[Any], list[str]]:
    kept = list(islice(units, n + 1))
    if not kept:
        raise ValueError("There is no word in this text. Type a sentence.")
    if len(kept) > n:
        return kept[:n], [f"Only the first {n:,} {what} were read: a run takes no more."]
    return kept, []


def joined(steps: Iterable[Any], name: str) -> "torch.Tensor":
    """A quantity of every step of one sample, [t, ...]."""
    import torch

    return torch.cat([getattr(step, name) for step in steps])


def stacked(steps: Iterable[Any], *names: str) -> dict[str, ndarray]:
    """Quantities of every step of one sample as arrays; the components of a capsule become one axis."""
    arrays = {name: to_array(joined(steps, name)) for name in names}
    return {name: a.reshape(*a.shape[:2], -1) if a.ndim == 4 else a for name, a in arrays.items()}


def to_array(tensor: "torch.Tensor") -> ndarray:
    return tensor.float().cpu().numpy()


def largest(names: list[str], values: ndarray, form: str) -> str:
    """The names of the largest values with these, by absolute value."""
    order = np.argsort(-abs(values), kind="stable")[:LARGEST]
    return ", ".join(f"{names[i]} {values[i]:{form}}" for i in order)
