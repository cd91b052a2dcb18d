"""How the network of pictures ranks the places of a pair, and what it answers when places are deleted."""

from collections.abc import Callable

import numpy as np
import torch
from jaxtyping import Float, Int, UInt8
from numpy import ndarray
from torch import Tensor

from core.checkpoint import Checkpoint
from core.evidence.probe import Probe, batched
from core.models.em_smallnorb import FIRST, STEP, grid
from core.run import explain


def probe_pair(checkpoint: Checkpoint, pair: UInt8[ndarray, "2 y x"]) -> Probe:
    """A pair of pictures: a place ranks by the credit, through both routings, of what is detected there.

    Masked, what is detected at a place takes part in nothing. Removed, the pixels nearest to its centre have the mean
    grey of their picture.
    """
    model = checkpoint.model
    images = checkpoint.inputs(pair[None])["images"]
    scores, capsules = model.capsules(images)
    size = rows, columns = grid(*pair.shape[1:])
    nearest = torch.from_numpy(nearest_place(pair.shape[1:], size)).to(images.device)
    grey = images.mean((2, 3), keepdim=True)

    def masked(mask: Tensor) -> Tensor:
        of_inputs = mask.repeat_interleave(model.config.n_detected, 1)
        kept = scores.masked_fill(~of_inputs, -torch.inf)
        *_, last = model.route(kept, capsules.expand(len(mask), -1, -1, -1))
        return last.to_classes.scores.softmax(-1)

    def removed(mask: Tensor) -> Tensor:
        return model(torch.where(mask[:, nearest][:, None], images, grey)).softmax(-1)

    trace = explain(checkpoint, pair).by_place()
    p = trace.class_probabilities
    names = [f"row {row}, column {column}" for row in range(1, rows + 1) for column in range(1, columns + 1)]
    rankings = {"credit": trace.credit_by_place[-1, :, :, p.argmax()].ravel()}
    return Probe(names, p, rankings, batched(checkpoint, masked), batched(checkpoint, removed))


def nearest_place(pixels: tuple[int, ...], size: tuple[int, int]) -> Int[ndarray, "y x"]:
    """The number of the place whose centre is nearest to each pixel; places are numbered row by row."""
    row, column = (
        np.clip((np.arange(n) - FIRST + STEP // 2) // STEP, 0, count - 1) for n, count in zip(pixels, size, strict=True)
    )
    return row[:, None] * size[1] + column


def vary_pixels(checkpoint: Checkpoint, pair: UInt8[ndarray, "2 y x"]) -> tuple[Tensor, Callable, Callable]:
    """What pixels differ from their picture's mean grey, the class scores as their function, and sums by place."""
    images = checkpoint.inputs(pair[None])["images"].clone()
    grey = images.mean((2, 3), keepdim=True)
    size = grid(*pair.shape[1:])
    nearest = nearest_place(pair.shape[1:], size)

    def sum_over(attributed: Float[ndarray, "2 y x"]) -> Float[ndarray, " n"]:
        return np.bincount(nearest.ravel(), attributed.sum(0).ravel(), minlength=size[0] * size[1])

    return images - grey, lambda differences: checkpoint.model(differences + grey), sum_over
