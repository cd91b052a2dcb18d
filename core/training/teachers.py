"""Soft labels for unlabelled sentences, from trained networks (distillation: Hinton et al. 2015)."""

import random
from collections.abc import Iterable, Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from core import zoo
from core.datasets import Split

MIN_WORDS, MAX_WORDS = 3, 40  # in a sentence


def sample_sentences(documents: Iterable[list[list[str]]], n: int, seed: int) -> list[list[str]]:
    """n random sentences of 3 to 40 words from documents, or all such sentences if there are fewer."""
    candidates = [words for sentences in documents for words in sentences if MIN_WORDS <= len(words) <= MAX_WORDS]
    return random.Random(seed).sample(candidates, min(n, len(candidates)))


@torch.inference_mode()
def soft_labels(
    names: Sequence[str], sentences: list[list[str]], classes: tuple[str, ...], device: torch.device
) -> Float[Tensor, "s classes"]:
    """The mean over checkpoints of their class probabilities for each sentence.

    Raises:
        ValueError: a checkpoint does not exist or has other classes.
    """
    numbered = Split(sentences, list(range(len(sentences))), classes)  # each label is the sentence's index
    probabilities = torch.zeros(len(sentences), len(classes))
    for name in names:
        teacher = zoo.load(name, device.type)
        if teacher.classes != classes:
            raise ValueError(f"{name} has the classes {teacher.classes}, wanted {classes}")
        for words, numbers in numbered.batches(256):
            probabilities[numbers] += teacher.model(**teacher.inputs(words)).softmax(-1).cpu()
    return probabilities / len(names)
