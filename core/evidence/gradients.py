"""Integrated gradients: a ranking of the parts of a sample from outside the picture, to compare the picture's with."""

import copy
from collections.abc import Callable

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray
from torch import Tensor

from core.checkpoint import Checkpoint
from core.device import without_denormals
from core.evidence.places import vary_pixels
from core.evidence.probe import Sample, typed
from core.traces.base import to_array
from core.traces.em_inputs import read_pieces

GRADIENT_STEPS = 16


def integrated_gradients(checkpoint: Checkpoint, sample: Sample, answer: int) -> Float[ndarray, " n"]:
    """Integrated gradients of a class's score by the vectors of words or sentences, hidden states or pixels.

    Their path begins at 0, of pixels at the mean grey, and has ``GRADIENT_STEPS`` steps.

    Source: Sundararajan, Taly, Yan 2017, by Captum.
    """
    from captum.attr import IntegratedGradients  # takes a second to import

    x, score, sum_over = GRADIENTS[checkpoint.kind](checkpoint, sample)

    def attribute() -> Tensor:
        return IntegratedGradients(score).attribute(x, torch.zeros_like(x), target=answer, n_steps=GRADIENT_STEPS)

    with without_denormals() as thread:
        attributed = thread.submit(attribute).result()
    return sum_over(to_array(attributed.detach()[0]))


def _by_vectors(checkpoint: Checkpoint, words: list[str]) -> tuple[Tensor, Callable, Callable]:
    """The word vectors of a text, the class scores as their function, and the sum over a vector's components."""
    model, inputs = checkpoint.model, checkpoint.inputs([words])
    with torch.no_grad():
        x = model.embed(inputs["words"], inputs["unknown"])

    def score(vectors: Tensor) -> Tensor:
        reads_vectors = copy.copy(model)  # a view of it: other threads may run the network meanwhile
        reads_vectors.embed = lambda *_: vectors
        return reads_vectors(inputs["words"].expand(len(vectors), -1), unknown=inputs["unknown"])

    return x, score, lambda attributed: attributed.sum(-1)


def _by_states(checkpoint: Checkpoint, words: list[str] | str) -> tuple[Tensor, Callable, Callable]:
    """The same with the transformer's hidden states, summed by word."""
    pieces, tokens, token_of, _ = read_pieces(checkpoint.reader, typed(words))
    states = checkpoint.reader.states([pieces])["hidden"]

    def sum_over(attributed: ndarray) -> ndarray:
        return np.bincount(token_of, attributed.sum((1, 2)), minlength=len(tokens))

    return states.clone(), checkpoint.model, sum_over


def _by_sentences(checkpoint: Checkpoint, sentences: list[list[str]]) -> tuple[Tensor, Callable, Callable]:
    """The same with the vectors of a document's sentences."""
    model, inputs = checkpoint.model, checkpoint.inputs([sentences])
    with torch.no_grad():
        x = model.sentences(inputs["words"], inputs["mask"], inputs["unknown"])

    def score(vectors: Tensor) -> Tensor:
        *_, last = model.document_steps(vectors.flatten(0, 1), inputs["counts"].expand(len(vectors)))
        return model.classify(last.capsules)

    return x[None], score, lambda attributed: attributed.sum(-1)


GRADIENTS = {
    "dragg": _by_vectors,
    "dragg-documents": _by_sentences,
    "cccaps": _by_vectors,
    "agt": _by_vectors,
    "drnn": _by_vectors,
    "em-sst": _by_states,
    "em-smallnorb": vary_pixels,
}
