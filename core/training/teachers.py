"""Sentences that nobody labelled, and what trained networks say of them: more to learn from (Hinton et al. 2015)."""

import random
from collections.abc import Iterable, Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from core import zoo
from core.datasets import Split

SHORTEST, LONGEST = 3, 40  # words of a sentence


def sentences_of(documents: Iterable[list[list[str]]], n: int, seed: int) -> list[list[str]]:
    """So many sentences of the documents at random, or all that are neither shorter nor longer than these."""
    fitting = [words for sentences in documents for words in sentences if SHORTEST <= len(words) <= LONGEST]
    return random.Random(seed).sample(fitting, min(n, len(fitting)))


@torch.inference_mode()
def soft_labels(
    names: Sequence[str], sentences: list[list[str]], classes: tuple[str, ...], device: torch.device
) -> Float[Tensor, "s classes"]:
    """What checkpoints take for the probabilities of each sentence's classes, in the mean of the checkpoints.

    Raises:
        ValueError: there is no such checkpoint, or it tells other classes apart.
    """
    numbered = Split(sentences, list(range(len(sentences))), classes)  # a sentence's label is its number
    probabilities = torch.zeros(len(sentences), len(classes))
    for name in names:
        teacher = zoo.load(name, device.type)
        if teacher.classes != classes:
            raise ValueError(f"{name} tells {teacher.classes} apart, wanted {classes}")
        for words, numbers in numbered.batches(256):
            probabilities[numbers] += teacher.model(**teacher.encode(words)).softmax(-1).cpu()
    return probabilities / len(names)
