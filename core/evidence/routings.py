"""What a routing is worth over a split: accuracy by iterations, with other couplings, and without each capsule."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float
from numpy import ndarray
from torch import Tensor

from core.analysis.intervals import interval_of_share
from core.checkpoint import Checkpoint
from core.datasets import Split
from core.edits import Couplings, DropCapsule, Edit
from core.traces.base import to_array

ITERATIONS = 6
COUPLINGS = ("trained", "uniform", "first", "shuffled", "random")
DEAD = 0.1  # |v| below which a capsule is dead


@dataclass(frozen=True, eq=False)
class Step:
    """One iteration of a batch.

    Args:
        scores: of the classes.
        coupling: c_ij of the routing that edits name by default.
        real: which of its inputs are no padding.
        activation: |v_j|, or f(a_j) of EM routing.
        capsules: v_j.
    """

    scores: Float[Tensor, "b k"]
    coupling: Float[Tensor, "b i j"]
    real: Bool[Tensor, "b i"]
    activation: Float[Tensor, "b j"]
    capsules: Float[Tensor, "b j h"]


def _dragg(checkpoint: Checkpoint, samples: list, n_iters: int, edits: Sequence[Edit]) -> Iterator[Step]:
    model, inputs = checkpoint.model, checkpoint.inputs(samples)
    real = torch.ones_like(inputs["words"], dtype=torch.bool) if inputs["mask"] is None else inputs["mask"]
    for step in model.steps(**inputs, n_iters=n_iters, edits=edits):
        yield Step(model.classify(step.capsules), step.coupling, real, step.activation, step.capsules)


def _documents(checkpoint: Checkpoint, samples: list, n_iters: int, edits: Sequence[Edit]) -> Iterator[Step]:
    model, inputs = checkpoint.model, checkpoint.inputs(samples)
    counts = inputs.pop("counts")
    real = torch.arange(int(counts.max()), device=counts.device) < counts[:, None]
    for step in model.document_steps(model.sentences(**inputs), counts, n_iters, edits):
        yield Step(model.classify(step.capsules), step.coupling, real, step.activation, step.capsules)


def _cccaps(checkpoint: Checkpoint, samples: list, n_iters: int, edits: Sequence[Edit]) -> Iterator[Step]:
    model = checkpoint.model
    for step in model.route(model.contributions(**checkpoint.inputs(samples)).sum(1), n_iters, edits):
        real = torch.ones(step.coupling.shape[:2], dtype=torch.bool)
        yield Step(step.activation, step.coupling, real, step.activation, step.capsules)


def _em(checkpoint: Checkpoint, samples: list, n_iters: int, edits: Sequence[Edit]) -> Iterator[Step]:
    model, inputs = checkpoint.model, checkpoint.inputs(samples)
    real = inputs["mask"].bool().repeat_interleave(model.config.n_layers, 1)
    for step in model.steps(**inputs, n_iters=n_iters, edits=edits):
        first = step.to_parts
        yield Step(step.to_classes.scores, first.coupling, real, first.activation, first.means.flatten(2))


ROUTED: dict[str, Callable[[Checkpoint, list, int, Sequence[Edit]], Iterator[Step]]] = {
    "dragg": _dragg,
    "dragg-documents": _documents,
    "cccaps": _cccaps,
    "em-sst": _em,
}


def of_iterations(checkpoint: Checkpoint, split: Split) -> list[dict[str, Any]]:
    """Accuracy with 1 to ``ITERATIONS`` iterations, however many the network was trained with."""
    right = np.zeros(ITERATIONS, int)
    for samples, labels in _batches(split):
        steps = ROUTED[checkpoint.kind](checkpoint, samples, ITERATIONS, ())
        right += [_right(step, labels) for step in steps]
    return [{"n_iters": t, **_share(int(n), len(split))} for t, n in enumerate(right, 1)]


def of_couplings(checkpoint: Checkpoint, split: Split) -> dict[str, dict[str, Any]]:
    """Accuracy with the couplings as they are, and with others in every iteration."""
    shares = {}
    for how in COUPLINGS:
        edits = [] if how == "trained" else [Couplings(how)]
        right = sum(_right(_last(checkpoint, samples, edits), labels) for samples, labels in _batches(split))
        shares[how] = _share(right, len(split))
    return shares


def of_capsules(checkpoint: Checkpoint, split: Split) -> list[dict[str, Any]]:
    """Of each output capsule: its share of the inputs, how active it is, how often it is dead, and what it is worth.

    ``nearest`` is the largest cosine, on the mean, to another capsule; ``accuracy`` that without the capsule.
    """
    taken, active, dead, cosines, n_inputs = 0.0, 0.0, 0.0, 0.0, 0
    for samples, _ in _batches(split):
        step = _last(checkpoint, samples, [])
        real = to_array(step.real)[:, :, None] > 0
        shares = to_array(step.coupling) * real
        taken = taken + (shares / np.maximum(1e-9, shares.sum(2, keepdims=True)) * real).sum((0, 1))
        n_inputs += int(real.sum())
        active = active + to_array(step.activation).sum(0)
        dead = dead + (to_array(step.activation) < DEAD).sum(0)
        unit = torch.nn.functional.normalize(step.capsules, dim=-1)
        cosines = cosines + to_array(unit @ unit.transpose(1, 2)).sum(0)
    n, rows = len(split), []
    mean_cosines = cosines / n - 2 * np.eye(len(cosines))
    for j in range(len(cosines)):
        right = sum(_right(_last(checkpoint, samples, [DropCapsule(j)]), labels) for samples, labels in _batches(split))
        of_capsule = {"share": taken[j] / n_inputs, "active": active[j] / n, "dead": dead[j] / n}
        of_capsule["nearest"] = mean_cosines[j].max()
        rows.append({key: round(float(value), 4) for key, value in of_capsule.items()} | _share(right, n))
    return rows


def _last(checkpoint: Checkpoint, samples: list, edits: Sequence[Edit]) -> Step:
    *_, last = ROUTED[checkpoint.kind](checkpoint, samples, checkpoint.model.config.n_iters, edits)
    return last


def _batches(split: Split) -> Iterator[tuple[list, ndarray]]:
    with torch.inference_mode():
        for samples, labels in split.batches():
            yield samples, np.asarray(labels)


def _right(step: Step, labels: ndarray) -> int:
    return int((step.scores.argmax(-1).cpu().numpy() == labels).sum())


def _share(right: int, n: int) -> dict[str, Any]:
    low, high = interval_of_share(right / n, n)
    return {"accuracy": round(right / n, 4), "interval": [round(low, 4), round(high, 4)]}
