"""Figures of a checkpoint: accuracy, number of parameters, and the hardware of its training."""

import os
import platform

import torch
from tqdm import tqdm

from core.checkpoint import Checkpoint
from core.datasets import Split, ViewSubset


def accuracy(checkpoint: Checkpoint, split: Split | ViewSubset, progress: bool = False) -> float:
    """Share of samples whose most probable class is the label.

    Raises:
        ValueError: the split is empty, or its classes are not those of the checkpoint.
    """
    if not len(split):
        raise ValueError("split holds no sample, wanted at least one")
    if split.classes != checkpoint.classes:
        raise ValueError(f"split has classes {split.classes}, wanted the checkpoint's {checkpoint.classes}")
    correct = 0
    with torch.inference_mode(), tqdm(total=len(split), disable=not progress, unit="sample") as bar:
        for samples, labels in split.batches():
            logits = checkpoint.model(**checkpoint.inputs(samples))
            correct += int((logits.argmax(-1).cpu() == torch.as_tensor(labels)).sum())
            bar.update(len(labels))
    return correct / len(split)


def count_parameters(model: torch.nn.Module) -> int:
    """The number of a network's parameters."""
    return sum(p.numel() for p in model.parameters())


def hardware(device: torch.device) -> str:
    """The GPU or CPU of a run, in words."""
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    return f"{os.cpu_count()} CPU cores ({platform.machine()}), {torch.get_num_threads()} threads"
