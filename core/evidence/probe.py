"""One text, or pair of pictures, as a network sees it: its rankings of the parts, and its answer without some of them.

A part is deleted in two ways that differ. Masked, it takes part in nothing more, but what the network read around it
still carries it. Removed, the network reads another text or other pictures.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float, UInt8
from numpy import ndarray
from torch import Tensor

from core.checkpoint import Checkpoint
from core.inputs.text import as_typed
from core.traces.base import to_array

AT_ONCE = 2048  # words in a batch
LEAST = 20  # texts in it, however long they are: a GRU takes a fifth longer with ten at a time

Sample = list[Any] | str | UInt8[ndarray, "2 y x"]  # words, sentences of words, a text as it is typed, or a pair
Answer = Callable[[Bool[ndarray, "m n"]], Float[ndarray, "m k"]]


@dataclass(frozen=True, eq=False)
class Probe:
    """A sample, and a network's answers to some of its parts.

    Args:
        parts: that are ranked and deleted: words, sentences for a network that routes these, or places of pictures.
        p: class probabilities of the whole text.
        rankings: scores of the parts for the class with the largest p, by the name of the ranking.
        masked, removed: the class probabilities with only the parts left that are True, each row of a mask by itself.
    """

    parts: list[str]
    p: Float[ndarray, " k"]
    rankings: dict[str, Float[ndarray, " n"]]
    masked: Answer
    removed: Answer

    @property
    def answer(self) -> int:
        """The class that the network answers."""
        return int(self.p.argmax())


def batched(checkpoint: Checkpoint, answer: Callable[[Tensor], Tensor], least: int = LEAST) -> Answer:
    """``answer`` on arrays: each distinct mask is run once, masks with equally many words together, in batches.

    Args:
        least: masks in a batch, however long they are.
    """

    def run(masks: Bool[ndarray, "m n"]) -> Float[ndarray, "m k"]:
        distinct, places = np.unique(masks, axis=0, return_inverse=True)
        order = distinct.sum(1).argsort(kind="stable")
        left = torch.from_numpy(distinct[order]).to(checkpoint.device)
        batches = left.split(max(least, AT_ONCE // masks.shape[1]))
        with torch.inference_mode():
            p = np.concatenate([to_array(answer(batch)) for batch in batches])
        return p[order.argsort()[places.ravel()]]

    return run


def typed(words: list[str] | str) -> str:
    """A text as people type it, from its words or as it is."""
    return words if isinstance(words, str) else as_typed(words)
