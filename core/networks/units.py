"""The units of the runs of a batch, one text after the other and without padding."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray
from torch import Tensor

from core.networks.arrays import to_array
from core.networks.base import UnitRun
from core.quantities import check_finite


def unit_runs_of(
    about: Sequence[Mapping[str, Any]],
    taken: Float[Tensor, "b u i"],
    activation: Float[Tensor, "b u"],
    probabilities: Float[Tensor, "b k"],
    without: Float[Tensor, "b u k"],
    vectors: Float[Tensor, "b u h"] | None = None,
) -> list[UnitRun]:
    """The units of each text of a batch.

    Args:
        about: fields of each text's trace, of which "spans" are read.
        taken, activation, probabilities, without, vectors: as in ``UnitRun``; ``taken`` may have padding.

    Raises:
        ValueError: a number overflows.
    """
    arrays = [to_array(tensor) for tensor in (taken, activation, probabilities, without)]
    of_units = [None] * len(about) if vectors is None else to_array(vectors)
    check_finite(*arrays)
    runs = []
    for fields, amounts, *others, vector in zip(about, *arrays, of_units, strict=True):
        spans = as_spans(fields["spans"])
        # Copies, because a view would keep the whole batch in memory.
        copies = [array.copy() for array in (amounts[:, : len(spans)], *others)]
        runs.append(UnitRun(spans, *copies, None if vector is None else vector.copy()))
    return runs


def as_spans(spans: Sequence[tuple[int, int]]) -> Int[ndarray, "i 2"]:
    """The spans of tokens as an array."""
    return np.array(spans, int).reshape(-1, 2)
