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

import safetensors.torch
import torch
from safetensors import SafetensorError
from torch import Tensor

from core.checkpoint import Checkpoint
from core.device import pick_device
from core.files import write
from core.kinds import KINDS
from core.manifest import (
    PRETRAINED,
    check_not_shipped,
    describe,
    describe_folder,
    folder_of,
    folders,
    read_json,
    survey,
)

# The word vectors are most of a file. Each output depends on many of their numbers, so 8 bits for each suffice.
WORD_VECTORS = "embedding.weight"
__all__ = ["PRETRAINED", "Checkpoint", "describe", "describe_folder", "folders", "load", "load_folder"]
__all__ += ["check_name", "save", "survey"]
DTYPES = {torch.float8_e4m3fn, torch.float16, torch.bfloat16, torch.float32}


def load(name: str, device: str | torch.device = "auto") -> Checkpoint:
    """Load and verify a checkpoint, in float32 and evaluation mode; its weights take no gradients.

    Args:
        name: of the checkpoint.
        device: as ``core.device.pick_device`` takes it.

    Raises:
        ValueError: there is no such checkpoint or device; a file is missing, changed or damaged; a tensor is
            missing, unknown, of another shape or dtype, or not finite. The message names the first problem.
    """
    return load_folder(folder_of(name), device)


def load_folder(folder: Path, device: str | torch.device = "auto") -> Checkpoint:
    """As ``load``, for a checkpoint in any folder."""
    config = read_json(folder / "config.json")
    try:
        kind = KINDS[config["kind"]]
        sizes = kind.config(**config["model"])
        with torch.device("meta"):  # no memory is taken before the file of weights has been compared
            state = kind.model(sizes).state_dict()
        if len(config["classes"]) != sizes.n_classes:
            raise ValueError(f"it names {len(config['classes'])} classes for a model of {sizes.n_classes}")
        sha256 = config["sha256"]
        about = {key: config[key] for key in ("kind", "corpus", "task")} | {"classes": tuple(config["classes"])}
    except (KeyError, TypeError, ValueError, ArithmeticError, RuntimeError) as error:
        raise ValueError(f"{folder / 'config.json'} does not describe a known model: {error}") from None
    expected = {name: tensor for name, tensor in state.items() if tensor.is_floating_point()}
    weights = _read_verified(folder / "weights.safetensors", sha256, expected)
    model = kind.model(sizes)
    model.load_state_dict(weights, assign=True, strict=False)  # counts of batches are not stored
    target = pick_device(device)
    return Checkpoint(
        name=folder.name,
        **about,
        model=model.to(target).eval().requires_grad_(False),
        reader=kind.reader.load(folder, config, target),
        device=target,
        sha256=sha256,
    )


def check_name(name: str) -> None:
    """Raise ValueError unless this can be the name of a new checkpoint, which is that of its folder."""
    if not re.fullmatch(r"[\w][\w.-]*", name):
        raise ValueError(f"the name is {name!r}, wanted letters, digits, points, - and _")
    check_not_shipped(name)


def save(checkpoint: Checkpoint, folder: Path, dtype: torch.dtype = torch.float16) -> None:
    """Write config.json, weights.safetensors and the reader's files, each to a temporary name first.

    Args:
        checkpoint: to save.
        folder: of the checkpoint; it is made if needed.
        dtype: in which weights are stored, except word vectors, which have 8 bits.
    """
    folder.mkdir(parents=True, exist_ok=True)
    state = {name: tensor for name, tensor in checkpoint.model.state_dict().items() if tensor.is_floating_point()}
    dtypes = {name: torch.float8_e4m3fn if name == WORD_VECTORS else dtype for name in state}
    stored = {name: tensor.detach().cpu().to(dtypes[name]).contiguous() for name, tensor in state.items()}
    weights = safetensors.torch.save(stored)
    config = {
        "kind": checkpoint.kind,
        "corpus": checkpoint.corpus,
        "task": checkpoint.task,
        "classes": checkpoint.classes,
        "model": asdict(checkpoint.model.config),
        "sha256": hashlib.sha256(weights).hexdigest(),
        **checkpoint.reader.save(folder),
    }
    write(folder / "weights.safetensors", weights)
    write(folder / "config.json", json.dumps(config, indent=1).encode())


def _read_verified(path: Path, sha256: str, expected: dict[str, Tensor]) -> dict[str, Tensor]:
    """Read the tensors of a safetensors file, in float32.

    Args:
        path: of the file.
        sha256: that the file must have.
        expected: tensors with the names and shapes that the file must have.

    Raises:
        ValueError: the file or one of its tensors is not as expected.
    """
    try:
        content = path.read_bytes()
        tensors = safetensors.torch.load(content)
    except (OSError, SafetensorError) as error:
        raise ValueError(f"{path} cannot be read as safetensors: {error}") from None
    if hashlib.sha256(content).hexdigest() != sha256:
        raise ValueError(f"{path} is not the file that config.json was written for: its sha256 differs")
    for name in [*expected, *tensors]:
        if name not in tensors or name not in expected:
            raise ValueError(f"{path}: tensor {name} is {'missing' if name in expected else 'not one of this model'}")
    for name, tensor in tensors.items():
        if tensor.shape != expected[name].shape:
            raise ValueError(f"{path}: tensor {name} is {list(tensor.shape)}, wanted {list(expected[name].shape)}")
        if tensor.dtype not in DTYPES:
            allowed = ", ".join(sorted(str(dtype) for dtype in DTYPES))
            raise ValueError(f"{path}: tensor {name} is {tensor.dtype}, wanted one of {allowed}")
        if not tensor.float().isfinite().all():
            raise ValueError(f"{path}: tensor {name} holds NaN or infinity")
    return {name: tensor.float() for name, tensor in tensors.items()}
