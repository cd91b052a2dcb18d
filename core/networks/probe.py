"""A probe of one text or pair of pictures: the network's rankings of its parts, and its answer without some of them.

There are two ways to delete a part. A masked part is ignored after reading, but its neighbours, which were read with
it, still carry some of it. If a part is removed, the network reads a different text or different pictures.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float, Int, UInt8
from numpy import ndarray
from torch import Tensor

from core.checkpoint import Checkpoint
from core.inputs.text import as_typed
from core.networks.arrays import to_array

MAX_BATCH_WORDS = 2048  # words in a batch
MIN_TEXTS = 20  # texts in a batch, however long: a GRU takes a fifth longer with batches of ten

Sample = list[Any] | str | UInt8[ndarray, "2 y x"]  # words, sentences of words, a text as typed, or a pair of pictures
Tell = Callable[[float], None]  # function to call with the finished share
Runs = Callable[[Bool[ndarray, "m n"]], Iterator[tuple[Int[ndarray, " r"], Float[ndarray, "r k"]]]]


class Answer:
    """A network's class probabilities with some parts of a sample deleted. Each distinct mask is run only once."""

    def __init__(self, run: Runs):
        """Remember the function; nothing runs yet.

        Args:
            run: function that yields, batch by batch, the indices of masks and their probabilities.
        """
        self._run = run
        self._kept: dict[bytes, Float[ndarray, " k"]] = {}

    def __call__(self, masks: Bool[ndarray, "m n"], tell: Tell | None = None) -> Float[ndarray, "m k"]:
        """The class probabilities for each mask, which is True at the parts that are left.

        An error that ``tell`` raises ends the runs; the finished ones are kept.
        """
        keys = [row.tobytes() for row in np.packbits(masks, axis=1)]
        missing = {key: number for number, key in enumerate(keys) if key not in self._kept}
        numbers = np.fromiter(missing.values(), int)
        sizes = masks[numbers].sum(1)
        left = sizes.sum()
        for rows, probabilities in self._run(masks[numbers]) if missing else ():
            self._kept |= zip((keys[number] for number in numbers[rows]), probabilities, strict=True)
            left -= sizes[rows].sum()
            if tell:
                tell(1 - float(left / masks.sum()))
        return np.stack([self._kept[key] for key in keys])


@dataclass(frozen=True, eq=False)
class Probe:
    """A sample, the network's rankings of its parts, and its answers without some of them.

    Args:
        parts: names of the parts: words, sentences for a network that routes these, or places of pictures.
        p: class probabilities of the whole sample.
        rankings: scores of the parts for the class with the largest p, by the name of the ranking.
        masked, removed: class probabilities without some of the parts, for each way to delete them.
    """

    parts: list[str]
    p: Float[ndarray, " k"]
    rankings: dict[str, Float[ndarray, " n"]]
    masked: Answer
    removed: Answer

    @property
    def answer(self) -> int:
        """The index of the most probable class."""
        return int(self.p.argmax())


def batched(
    checkpoint: Checkpoint, answer: Callable[[Tensor], Tensor], at_once: int = MAX_BATCH_WORDS, least: int = MIN_TEXTS
) -> Answer:
    """Make an ``Answer`` that runs masks in batches, in the order of the number of words that they leave.

    Args:
        answer: function from a batch of masks to class probabilities.
        at_once: words in a batch.
        least: masks in a batch, however long they are.
    """

    def run(masks: Bool[ndarray, "m n"]) -> Iterator[tuple[ndarray, ndarray]]:
        order = masks.sum(1).argsort(kind="stable")
        size = max(least, at_once // masks.shape[1])
        for start in range(0, len(order), size):
            rows = order[start : start + size]
            with torch.inference_mode():
                probabilities = to_array(answer(torch.from_numpy(masks[rows]).to(checkpoint.device)))
            yield rows, probabilities

    return Answer(run)


def typed(words: list[str] | str) -> str:
    """A text as people type it, joined from its words if needed."""
    return words if isinstance(words, str) else as_typed(words)


def kept(words: list[Any], mask: Bool[Tensor, "m n"]) -> list[list[Any]]:
    """The words that each row of a mask leaves."""
    return [[word for word, is_left in zip(words, row, strict=True) if is_left] for row in mask.tolist()]
