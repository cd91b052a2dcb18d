"""Metrics of a checkpoint: accuracy, loss, number of parameters, and the hardware of its training."""

import os
import platform
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Int
from numpy import ndarray
from torch import Tensor
from torch.nn.functional import cross_entropy
from tqdm import tqdm

from core.analysis.intervals import interval_of_share, interval_over_groups
from core.checkpoint import Checkpoint
from core.datasets import Split, ViewSubset
from core.edits import Edit
from core.networks import network_of
from core.networks.admit import ONE_SAMPLE_ERROR, admit_edits
from core.training.losses import Loss


class Evaluation(NamedTuple):
    """Accuracy is the share of samples whose most probable class is the label; loss is the mean over samples."""

    accuracy: float
    loss: float


def accuracy(
    checkpoint: Checkpoint, split: Split | ViewSubset, progress: bool = False, edits: Sequence[Edit | str] = ()
) -> float:
    """The share of samples whose most probable class is the label. Arguments and errors as in ``score``."""
    return score(checkpoint, split, progress=progress, edits=edits).accuracy


def answers(
    checkpoint: Checkpoint, split: Split | ViewSubset, progress: bool = False, edits: Sequence[Edit | str] = ()
) -> tuple[Int[ndarray, " n"], Int[ndarray, " n"]]:
    """The label and the most probable class of each sample, in the order of the split. Errors as in ``score``."""
    batches = [(targets, scores.argmax(-1)) for scores, targets in outputs(checkpoint, split, progress, edits)]
    in_order = np.argsort(split.order)
    labels, classes = (torch.cat(tensors).numpy()[in_order] for tensors in zip(*batches, strict=True))
    return labels, classes


def figures(right: Bool[ndarray, " n"], toys: Int[ndarray, " n"] | None = None) -> dict[str, Any]:
    """Accuracy, number of samples and 95% interval, in the form of metrics.json and ``evaluate``.

    Args:
        right: whether each sample is answered correctly.
        toys: toy in each sample, if samples are views. The interval is then taken over toys, because a toy's views are
            alike.
    """
    accuracy, n = float(right.mean()), len(right)
    if toys is None or len(np.unique(toys)) < 2:
        return {"accuracy": accuracy, "n": n, "interval": interval_of_share(accuracy, n)}
    return {"accuracy": accuracy, "n": n, "interval": interval_over_groups(right, toys), "over": "toys"}


def measure(checkpoint: Checkpoint, split: Split | ViewSubset) -> dict[str, Any]:
    """``figures`` for a checkpoint on a split. Errors as in ``score``."""
    labels, classes = answers(checkpoint, split)
    return figures(labels == classes, toys_of(split))


def toys_of(split: Split | ViewSubset) -> Int[ndarray, " n"] | None:
    """The number of the toy in each sample; None if samples are not views."""
    return split.toys if isinstance(split, ViewSubset) else None


def score(
    checkpoint: Checkpoint,
    split: Split | ViewSubset,
    loss: Loss = cross_entropy,
    progress: bool = False,
    edits: Sequence[Edit | str] = (),
) -> Evaluation:
    """Accuracy and loss of a checkpoint on a split.

    Args:
        edits: changes inside every run, as in ``core.explain``, except those that name an input of one sample.

    Raises:
        ValueError: the split is empty, its classes are not those of the checkpoint, or an edit does not apply.
    """
    correct, total_loss = 0, 0.0
    for scores, targets in outputs(checkpoint, split, progress, edits):
        correct += int((scores.argmax(-1) == targets).sum())
        total_loss += loss(scores, targets).item() * len(targets)
    return Evaluation(correct / len(split), total_loss / len(split))


def outputs(
    checkpoint: Checkpoint, split: Split | ViewSubset, progress: bool = False, edits: Sequence[Edit | str] = ()
) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield the network's output and the labels for each batch of a split, on the CPU. Errors as in ``score``."""
    changes = admit_edits(checkpoint, edits)
    for edit in changes:
        if network_of(checkpoint).names_an_input_of_one_sample(edit):
            raise ValueError(ONE_SAMPLE_ERROR.format(edit=edit))
    edited = {"edits": changes} if changes else {}  # networks that support no edits lack this argument
    if not len(split):
        raise ValueError("split holds no sample, wanted at least one")
    if split.classes != checkpoint.classes:
        raise ValueError(f"split has classes {split.classes}, wanted the checkpoint's {checkpoint.classes}")
    with torch.inference_mode(), tqdm(total=len(split), disable=not progress, unit="sample") as bar:
        for samples, labels in split.batches():
            yield checkpoint.model(**checkpoint.inputs(samples), **edited).float().cpu(), torch.as_tensor(labels).long()
            bar.update(len(labels))


def count_parameters(model: torch.nn.Module) -> int:
    """The number of a network's parameters."""
    return sum(p.numel() for p in model.parameters())


def hardware(device: torch.device) -> str:
    """The name of the GPU or CPU of a run."""
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    if device.type == "mps":
        return f"Apple GPU ({platform.machine()})"
    threads = torch.get_num_threads()
    return f"{os.cpu_count()} CPU cores ({platform.machine()}), {threads} thread{'s' * (threads > 1)}"
