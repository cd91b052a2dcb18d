"""Quantities of the steps of a run, as arrays."""

from collections.abc import Iterable
from typing import Any

import torch
from numpy import ndarray
from torch import Tensor


def concat_steps(steps: Iterable[Any], name: str) -> Tensor:
    """One quantity of every step of a run on one sample, [t, ...]."""
    return torch.cat([getattr(step, name) for step in steps])


def arrays_of(steps: Iterable[Any], *names: str) -> dict[str, ndarray]:
    """Quantities of every step of a run on one sample, as arrays [t, ...]; the c x h of a capsule become one axis."""
    arrays = {name: to_array(concat_steps(steps, name)) for name in names}
    return {name: a.reshape(*a.shape[:2], -1) if a.ndim == 4 else a for name, a in arrays.items()}


def to_array(tensor: Tensor) -> ndarray:
    """The tensor as a float32 array in CPU memory."""
    return tensor.float().cpu().numpy()
