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

    Source: Sundararajan, Taly, Yan 2017, equation 1.
    """
    x, score, sum_over = GRADIENTS[checkpoint.kind](checkpoint, sample)
    with without_denormals() as thread:
        attributed = thread.submit(integrate, score, x, answer).result()
    return sum_over(to_array(attributed))


def integrate(score: Callable[[Tensor], Tensor], x: Float[Tensor, "1 ..."], answer: int) -> Float[Tensor, "..."]:
    """x times the integral of the gradient of a class's score from 0 to x, by Gauss-Legendre quadrature."""
    points, weights = (torch.as_tensor(values).to(x) for values in np.polynomial.legendre.leggauss(GRADIENT_STEPS))
    each = (-1, *(1 for _ in x.shape[1:]))  # along the first axis
    path = ((1 + points) / 2).view(each) * x
    (gradients,) = torch.autograd.grad(score(path.requires_grad_())[:, answer].sum(), path)
    return (weights.view(each) / 2 * gradients).sum(0) * x[0]


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
