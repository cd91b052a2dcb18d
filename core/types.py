"""Axis letters, and the mask of real inputs with its check.

Every axis letter has one meaning in all einsums and shape annotations:

    b  batch            i  input capsule (a token, for text)    j  output capsule
    n  position         h  component of an output capsule       d  component of an input
    c  row of a capsule that is a matrix, c x d in, c x h out (the covector space of EM routing)
    u  unknown word     t  step: routing iteration (T of them)  k  class, output of a second routing
    l  layer            w  window, in words                     m  component of a hidden state
    a  layer with attention                                     g  layer with a gate
    q  codebook         e  codeword                             s  sentence of a document
    y  pixel, down      x  pixel, across                        v  word of a vocabulary

In a trace over layers or windows, t is the layer or the window.
"""

from collections.abc import Sequence

import torch
from jaxtyping import Bool
from torch import Tensor

Mask = Bool[Tensor, "b i"] | None  # True for real inputs, False for padding; None if all are real


def check_mask(
    mask: Tensor, shape: Sequence[int], *, trailing: bool = True, nonempty: bool = True, soft: bool = False
) -> None:
    """Raise ValueError unless this is a mask with this shape.

    Args:
        mask: mask [b, i], True for real inputs.
        shape: sizes b and i.
        trailing: whether padding must be at the end of each row.
        nonempty: whether each row must have a real input.
        soft: whether the mask must hold numbers from 0 to 1 instead of booleans; trailing and nonempty are then
            ignored.
    """
    fits = tuple(mask.shape) == tuple(shape)
    if soft:
        wanted = f"{list(shape)} of numbers from 0 to 1"
        fits = fits and bool(((mask >= 0) & (mask <= 1)).all())
    else:
        demands = ["a real input in every row"] * nonempty + ["padding at the end only"] * trailing
        wanted = f"{list(shape)} of torch.bool" + (f" with {' and '.join(demands)}" if demands else "")
        fits = fits and mask.dtype == torch.bool
        fits = fits and not (nonempty and not mask.any(1).all())
        fits = fits and not (trailing and (mask[:, 1:] & ~mask[:, :-1]).any())
    if not fits:
        raise ValueError(f"mask has shape {list(mask.shape)} and dtype {mask.dtype}, wanted {wanted}")
