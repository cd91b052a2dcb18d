"""The value of a routing over a split: accuracy by iterations, with other couplings, and without each capsule."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float
from numpy import ndarray
from torch import Tensor
from tqdm import tqdm

from core.analysis.faithfulness import bootstrap_interval
from core.checkpoint import Checkpoint
from core.datasets import Split, ViewSubset
from core.edits import Couplings, DropCapsule, Edit, GivenCouplings
from core.measured.evidence.record import TRAINED, UNIFORM
from core.networks.arrays import to_array
from core.networks.base import Inputs, Step, network_of

ITERATIONS = 6  # largest number of iterations to measure
ANOTHER = "another text's"
COUPLINGS = (TRAINED, UNIFORM, "first", "shuffled", "random", ANOTHER)
DEAD = 0.1  # a capsule with a smaller |v| is dead


def measure_iterations(checkpoint: Checkpoint, split: Split | ViewSubset) -> list[dict[str, Any]]:
    """Measure accuracy with 1 to ``ITERATIONS`` iterations, however many the network was trained with.

    ``explain_many`` is not used: it splits texts into words itself, and a tenth of them not as the corpus does.
    """
    right, n_trained = [], checkpoint.model.config.n_iters
    for inputs, labels in _batches(checkpoint, split, "iterations"):
        steps = network_of(checkpoint).steps(checkpoint.model, inputs, max(ITERATIONS, n_trained), ())
        right.append([_right(step, labels) for step in steps])
    by_step = np.concatenate(right, 1)
    trained = by_step[n_trained - 1]
    return [{"n_iters": t, **_accuracy(right_at_t, trained)} for t, right_at_t in enumerate(by_step[:ITERATIONS], 1)]


def measure_couplings(checkpoint: Checkpoint, split: Split | ViewSubset) -> dict[str, dict[str, Any]]:
    """Measure accuracy with the couplings as they are, and with others in every iteration.

    Shuffled and random couplings are drawn for each batch.
    """
    right: dict[str, list[ndarray]] = {how: [] for how in COUPLINGS}
    for number, (inputs, labels) in enumerate(_batches(checkpoint, split, "couplings")):
        trained = _last(checkpoint, inputs, [])
        for how in COUPLINGS:
            step = trained if how == TRAINED else _last(checkpoint, inputs, [_edit(how, trained, number)])
            right[how].append(_right(step, labels))
    whole = {how: np.concatenate(batches) for how, batches in right.items()}
    return {how: _accuracy(is_right, whole[TRAINED]) for how, is_right in whole.items()}


def _edit(how: str, trained: Step, seed: int) -> Edit:
    """The edit that replaces the trained couplings of a batch."""
    return (
        GivenCouplings(couplings_of_another(trained.coupling, trained.real)) if how == ANOTHER else Couplings(how, seed)
    )


def couplings_of_another(coupling: Float[Tensor, "b i j"], real: Bool[Tensor, "b i"]) -> Float[Tensor, "b i j"]:
    """For each text, the couplings of another text in the batch; if that text is shorter, its couplings repeat.

    The only text of a batch keeps its own.
    """
    counts = real.sum(1).roll(1, 0)
    places = torch.arange(real.shape[1], device=real.device) % counts[:, None]
    return coupling.roll(1, 0).gather(1, places[:, :, None].expand_as(coupling))


def measure_capsules(checkpoint: Checkpoint, split: Split | ViewSubset) -> list[dict[str, Any]]:
    """Measure the figures of ``core.measured.evidence.record.Capsule`` for each output capsule."""
    batches: dict[str, list[ndarray]] = {name: [] for name in ("share", "active", "cosines", "right")}
    for inputs, labels in _batches(checkpoint, split, "capsules"):
        step = _last(checkpoint, inputs, [])
        real = to_array(step.real)[:, :, None] > 0
        shares = to_array(step.coupling) * real
        shares = shares / np.maximum(1e-9, shares.sum(2, keepdims=True))
        unit = torch.nn.functional.normalize(step.capsules, dim=-1)
        without = [_last(checkpoint, inputs, [DropCapsule(j)]) for j in range(unit.shape[1])]
        batches["share"].append(shares.sum(1) / np.maximum(1, real.sum(1)))
        batches["active"].append(to_array(step.activation))
        batches["cosines"].append(to_array(unit @ unit.transpose(1, 2)))
        batches["right"].append(np.stack([_right(one, labels) for one in (step, *without)], 1))
    share, active, cosines, right = (np.concatenate(arrays) for arrays in batches.values())
    mean_cosines = cosines.mean(0) - 2 * np.eye(cosines.shape[1])  # so that no capsule is nearest to itself
    return [
        {
            "share": _mean(share[:, j]),
            "active": _mean(active[:, j]),
            "dead": _mean(active[:, j] < DEAD),
            "nearest": _mean(cosines[:, j, mean_cosines[j].argmax()]),
            **_accuracy(right[:, j + 1], right[:, 0]),
        }
        for j in range(share.shape[1])
    ]


def _last(checkpoint: Checkpoint, inputs: Inputs, edits: Sequence[Edit]) -> Step:
    """The last step of the routing with the trained number of iterations."""
    *_, last = network_of(checkpoint).steps(checkpoint.model, inputs, checkpoint.model.config.n_iters, edits)
    return last


def _batches(checkpoint: Checkpoint, split: Split | ViewSubset, measurement: str) -> Iterator[tuple[Inputs, ndarray]]:
    """Yield batches of samples of similar length, from a shuffled split, because some corpora are sorted by class.

    Args:
        measurement: its name, for the progress bar.
    """
    order = np.random.Generator(np.random.PCG64(0)).permutation(len(split)).tolist()
    bar = tqdm(total=len(split), desc=f"{checkpoint.name}, {measurement}", unit="sample", disable=None)
    with torch.inference_mode(), bar:
        for samples, labels in split.take(order).batches():
            yield checkpoint.inputs(samples), np.asarray(labels)
            bar.update(len(labels))


def _right(step: Step, labels: ndarray) -> Bool[ndarray, " b"]:
    """Whether each sample is answered correctly."""
    return step.scores.argmax(-1).cpu().numpy() == labels


def _accuracy(right: Bool[ndarray, " n"], trained: Bool[ndarray, " n"]) -> dict[str, Any]:
    """Accuracy, and its difference from the trained network's on the same texts, with bootstrap intervals."""
    change = _mean(right.astype(float) - trained)
    accuracy = _mean(right)
    return {"accuracy": accuracy.pop("mean"), **accuracy, "change": change}


def _mean(values: ndarray) -> dict[str, Any]:
    """The mean over samples and its 95% bootstrap interval."""
    bounds = [round(bound, 6) for bound in bootstrap_interval(values)]
    return {"mean": round(float(values.mean()), 6), "interval": bounds, "n": len(values)}
