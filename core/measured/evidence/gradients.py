"""Integrated gradients: a general method to rank the parts of a sample, with which other rankings are compared."""

from collections.abc import Callable

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray
from torch import Tensor

from core.device import without_denormals
from core.networks.arrays import to_array
from core.networks.base import Differentiable

GRADIENT_STEPS = 16


def integrated_gradients(scores: Differentiable, answer: int) -> Float[ndarray, " n"]:
    """Integrated gradients of a class's score for each part: word, sentence or place.

    The path begins at 0, or at the mean grey for pixels, and has ``GRADIENT_STEPS`` steps.

    Source: Sundararajan, Taly, Yan 2017, equation 1.
    """
    with without_denormals() as thread:
        attributed = thread.submit(integrate, scores.score, scores.x, answer).result()
    return scores.by_part(to_array(attributed))


def integrate(score: Callable[[Tensor], Tensor], x: Float[Tensor, "1 ..."], answer: int) -> Float[Tensor, "..."]:
    """x times the integral of the gradient of a class's score from 0 to x, by Gauss-Legendre quadrature."""
    points, weights = (torch.as_tensor(values).to(x) for values in np.polynomial.legendre.leggauss(GRADIENT_STEPS))
    along_path = (-1, *(1 for _ in x.shape[1:]))  # the path is the first axis
    path = ((1 + points) / 2).view(along_path) * x
    with torch.backends.cudnn.flags(enabled=False):  # cuDNN's recurrent layers have gradients only in training mode
        (gradients,) = torch.autograd.grad(score(path.requires_grad_())[:, answer].sum(), path)
    return (weights.view(along_path) / 2 * gradients).sum(0) * x[0]
