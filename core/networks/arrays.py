"""Converts the quantities of a run's steps to arrays."""

from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray
from torch import Tensor

from core.quantities import Quantities

Recorded = TypeVar("Recorded", bound=Quantities)


def stack_steps(steps: Iterable[Any], name: str) -> Tensor:
    """One quantity of every step of a batch, [b, t, ...]."""
    return torch.stack([getattr(step, name) for step in steps], 1)


def record_routing(
    kind: type[Recorded], steps: Sequence[Any], lengths: Sequence[int], **more: ndarray
) -> list[Recorded]:
    """Record the routing of each sample of a batch, without padding; the axes c and h of a capsule become one.

    Args:
        kind: class of the records; its fields are named like the quantities of the steps.
        steps: steps of the batch.
        lengths: number of real inputs of each sample.
        more: quantities [b, t, ...] that the steps do not have.
    """
    axes = {f.name: f.metadata["axes"] for f in fields(kind)}
    arrays = {name: more[name] if name in more else to_array(stack_steps(steps, name)) for name in axes}
    arrays = {name: a.reshape(*a.shape[:3], -1) if a.ndim == 5 else a for name, a in arrays.items()}
    return [
        kind(**{name: _without_padding(a[b], axes[name], n) for name, a in arrays.items()})
        for b, n in enumerate(lengths)
    ]


def _without_padding(array: ndarray, axes: tuple[str, ...], n: int) -> ndarray:
    """Copy the part of a sample's array that is not padding: a view would keep the whole batch in memory."""
    return np.array(array[:, :n] if axes[1] == "i" else array)


def stack_values(values: list[Tensor]) -> Float[ndarray, "b t k"]:
    """Stack the values [b, k] of each step into an array."""
    return to_array(torch.stack(values, 1))


def to_array(tensor: Tensor) -> ndarray:
    """The tensor as a float32 array in CPU memory."""
    return tensor.float().cpu().numpy()
