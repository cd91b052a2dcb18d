"""Figures of a checkpoint: accuracy, loss, number of parameters, and the hardware of its training."""

import os
import platform
from typing import NamedTuple

import torch
from torch.nn.functional import cross_entropy
from tqdm import tqdm

from core.checkpoint import Checkpoint
from core.datasets import Split, ViewSubset
from core.training.losses import Loss


class Score(NamedTuple):
    """Accuracy: the share of samples whose most probable class is the label. Loss: the mean over samples."""

    accuracy: float
    loss: float


def accuracy(checkpoint: Checkpoint, split: Split | ViewSubset, progress: bool = False) -> float:
    """Share of samples whose most probable class is the label.

    Raises:
        ValueError: the split is empty, or its classes are not those of the checkpoint.
    """
    return score(checkpoint, split, progress=progress).accuracy


def score(
    checkpoint: Checkpoint, split: Split | ViewSubset, loss: Loss = cross_entropy, progress: bool = False
) -> Score:
    """Accuracy and loss of a checkpoint on a split.

    Raises:
        ValueError: the split is empty, or its classes are not those of the checkpoint.
    """
    if not len(split):
        raise ValueError("split holds no sample, wanted at least one")
    if split.classes != checkpoint.classes:
        raise ValueError(f"split has classes {split.classes}, wanted the checkpoint's {checkpoint.classes}")
    correct, total_loss = 0, 0.0
    with torch.inference_mode(), tqdm(total=len(split), disable=not progress, unit="sample") as bar:
        for samples, labels in split.batches():
            outputs = checkpoint.model(**checkpoint.inputs(samples)).float().cpu()
            targets = torch.as_tensor(labels).long()
            correct += int((outputs.argmax(-1) == targets).sum())
            total_loss += loss(outputs, targets).item() * len(labels)
            bar.update(len(labels))
    return Score(correct / len(split), total_loss / len(split))


def count_parameters(model: torch.nn.Module) -> int:
    """The number of a network's parameters."""
    return sum(p.numel() for p in model.parameters())


def hardware(device: torch.device) -> str:
    """The GPU or CPU of a run, in words."""
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    return f"{os.cpu_count()} CPU cores ({platform.machine()}), {torch.get_num_threads()} threads"
