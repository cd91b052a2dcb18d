"""Loads, verifies and saves checkpoints. ``core.manifest`` lists them.

A checkpoint is a folder with config.json (kind, task, classes, hyper-parameters, sha256 of the
weights), weights.safetensors, metrics.json, README.md, and vocab.txt for a model with a
vocabulary. Only JSON and safetensors are read, never a pickle.
"""

import hashlib
import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import safetensors.torch
import torch

from core.checkpoint import Checkpoint
from core.device import pick_device
from core.files import write
from core.manifest import (
    PRETRAINED,
    WEIGHTS,
    check_not_shipped,
    describe,
    describe_folder,
    folder_of,
    folders,
    survey,
)
from core.zoo.plan import Plan
from core.zoo.weights import check_weights, read_weights

# Most of a file is word vectors. Each output depends on many of their numbers, so 8 bits per number suffice.
WORD_VECTORS = "embedding.weight"
__all__ = ["PRETRAINED", "Checkpoint", "describe", "describe_folder", "folders", "load", "load_folder"]
__all__ += ["check_name", "save", "survey"]


def load(name: str | Path, device: str | torch.device = "auto") -> Checkpoint:
    """Load and verify a checkpoint, in float32 and evaluation mode, without gradients for its weights.

    Args:
        name: name of the checkpoint, or its folder as a ``Path``; a text is never read as a path.
        device: as in ``core.device.pick_device``.

    Raises:
        ValueError: there is no such checkpoint or device; a file is missing, changed or damaged; a tensor is
            missing, unknown, of another shape or dtype, or not finite. The message names the first problem.
    """
    return load_folder(name if isinstance(name, Path) else folder_of(name), device)


def load_folder(folder: Path, device: str | torch.device = "auto") -> Checkpoint:
    """``load`` for a checkpoint in any folder."""
    plan, target = Plan.read(folder), pick_device(device)
    model = plan.fill(read_weights(folder / WEIGHTS, plan.about["sha256"], plan.stored))
    return Checkpoint(
        name=folder.name,
        **plan.about,
        model=model.to(target).eval().requires_grad_(False),
        reader=plan.kind.reader.load(folder, plan.config, target),
        device=target,
    )


def check_folder(folder: Path, plan: Plan) -> None:
    """Check everything that ``load_folder`` loads, with little memory because no network is made.

    Args:
        folder: folder of the checkpoint.
        plan: plan of the network that config.json describes.

    Raises:
        ValueError: as in ``load``.
    """
    check_weights(folder / WEIGHTS, plan.about["sha256"], plan.stored)
    plan.kind.reader.load(folder, plan.config, torch.device("cpu"))


def check_name(name: str) -> None:
    """Raise ValueError unless this can be the name of a new checkpoint and of its folder."""
    if not re.fullmatch(r"[\w][\w.-]*", name):
        raise ValueError(f"the name is {name!r}, wanted letters, digits, points, - and _")
    check_not_shipped(name)


def save(checkpoint: Checkpoint, folder: Path, dtype: torch.dtype = torch.float16) -> None:
    """Write config.json, weights.safetensors and the reader's files, each under a temporary name first.

    Args:
        checkpoint: checkpoint to save.
        folder: folder of the checkpoint, which is made if needed.
        dtype: dtype of the stored weights, except word vectors, which have 8 bits.
    """
    folder.mkdir(parents=True, exist_ok=True)
    state = {name: tensor for name, tensor in checkpoint.model.state_dict().items() if tensor.is_floating_point()}
    dtypes = {name: torch.float8_e4m3fn if name == WORD_VECTORS else dtype for name in state}
    stored = {name: tensor.detach().cpu().to(dtypes[name]).contiguous() for name, tensor in state.items()}
    weights = safetensors.torch.save(stored)
    sizes: Any = checkpoint.model.config
    config = {
        "kind": checkpoint.kind,
        "corpus": checkpoint.corpus,
        "task": checkpoint.task,
        "classes": checkpoint.classes,
        "model": asdict(sizes),
        "sha256": hashlib.sha256(weights).hexdigest(),
        **checkpoint.reader.save(folder),
    }
    write(folder / WEIGHTS, weights)
    write(folder / "config.json", json.dumps(config, indent=1).encode())
