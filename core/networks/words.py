"""Code shared by all networks over word vectors: gradients of the vectors, and runs without some words."""

import copy
from typing import Any

import torch
from torch import Tensor

from core.checkpoint import Checkpoint
from core.inputs.readers import WordReader
from core.models.words import ReadsWords
from core.networks.base import Differentiable, Model, Network, Record
from core.networks.probe import Answer, batched, kept


class WordNetwork(Network[Model, WordReader, Record]):
    """A network that reads the words of a text by their vectors."""

    reader = WordReader

    def differentiable(self, checkpoint: Checkpoint[Any, WordReader], words: list[str]) -> Differentiable | None:
        """The scores as a function of the word vectors; None for a network without ``ReadsWords``."""
        if not isinstance(checkpoint.model, ReadsWords):
            return None
        model, inputs = checkpoint.model, checkpoint.inputs([words])
        with torch.no_grad():
            x = model.embed(inputs["words"], inputs["unknown"])

        def score(vectors: Tensor) -> Tensor:
            reads_vectors = copy.copy(model)  # shallow, because other threads may be running the network
            reads_vectors.embed = lambda *_: vectors
            return reads_vectors(inputs["words"].expand(len(vectors), -1), unknown=inputs["unknown"])

        return Differentiable(x, score, lambda attributed: attributed.sum(-1))


def removed(checkpoint: Checkpoint[Any, WordReader], words: list[str]) -> Answer:
    """The answer to the text without some of its words."""
    return batched(checkpoint, lambda mask: checkpoint.model(**checkpoint.inputs(kept(words, mask))).softmax(-1))
