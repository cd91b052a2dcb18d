"""Code shared by all networks over word vectors: reading one of many texts, and gradients of the vectors."""

import copy

import numpy as np
import torch
from torch import Tensor

from core.checkpoint import Checkpoint
from core.inputs.readers import WordReader
from core.inputs.text import Word
from core.models.words import ReadsWords
from core.networks.base import Differentiable, Network, Reading
from core.networks.probe import Answer, batched, kept
from core.networks.reading import cut_words, known_fields


class WordNetwork(Network):
    """A network that reads the words of a text by their vectors."""

    reader = WordReader

    def read(self, checkpoint: Checkpoint, text: str) -> Reading:
        words, notices = cut_words(text)
        return Reading([word.text for word in words], len(words), notices_of(checkpoint, words, notices))

    def differentiable(self, checkpoint: Checkpoint, words: list[str]) -> Differentiable | None:
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


def notices_of(checkpoint: Checkpoint, words: list[Word], notices: list[str]) -> tuple[str, ...]:
    """The notices of a trace of these words, with one more if the network knows few of them."""
    vocabulary = checkpoint.reader.vocabulary
    ids, _ = vocabulary.ids_of([word.text for word in words])
    return tuple(known_fields(words, np.array(ids) < len(vocabulary), notices)["notices"])


def removed(checkpoint: Checkpoint, words: list[str]) -> Answer:
    """The answer to the text without some of its words."""
    return batched(checkpoint, lambda mask: checkpoint.model(**checkpoint.inputs(kept(words, mask))).softmax(-1))
