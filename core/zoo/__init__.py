"""The checkpoints: load, verify, save. ``core.manifest`` lists them.

A checkpoint is a folder with config.json (kind, task, classes, hyper-parameters, the weights'
sha256), weights.safetensors, metrics.json, README.md, and vocab.txt where the model has words of
its own. Only JSON and safetensors are read, never a pickle.
"""

import hashlib
import json
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
from core.manifest import PRETRAINED, describe, describe_folder, folder_of, folders, read_json, survey

WORD_VECTORS = "embedding.weight"  # most of a file, and a decision rests on many of them: 8 bits each are enough
__all__ = ["PRETRAINED", "Checkpoint", "describe", "describe_folder", "folders", "load", "load_folder"]
__all__ += ["save", "survey"]
DTYPES = {torch.float8_e4m3fn, torch.float16, torch.bfloat16, torch.float32}


def load(name: str, device: str = "auto") -> Checkpoint:
    """A checkpoint, verified, in float32 and evaluation mode.

    Raises:
        ValueError: no such checkpoint; a file missing, changed or damaged; a tensor that is
            missing, left over, of another shape or dtype, or not finite. The first is named.
    """
    return load_folder(folder_of(name), device)


def load_folder(folder: Path, device: str = "auto") -> Checkpoint:
    """The same for a checkpoint's folder anywhere."""
    config = read_json(folder / "config.json")
    try:
        kind = KINDS[config["kind"]]
        model = kind.model(kind.config(**config["model"]))
        if len(config["classes"]) != model.config.n_classes:
            raise ValueError(f"it names {len(config['classes'])} classes for a model of {model.config.n_classes}")
        sha256 = config["sha256"]
        about = {key: config[key] for key in ("kind", "corpus", "task")} | {"classes": tuple(config["classes"])}
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise ValueError(f"{folder / 'config.json'} does not describe a known model: {error}") from None
    state = {name: tensor for name, tensor in model.state_dict().items() if tensor.is_floating_point()}
    weights = _verified(folder / "weights.safetensors", sha256, state)
    model.load_state_dict(weights, assign=True, strict=False)  # what is left out are counts of batches
    place = pick_device(device)
    return Checkpoint(
        name=folder.name,
        **about,
        model=model.to(place).eval().requires_grad_(False),
        reader=kind.reader.load(folder, config, place),
        device=place,
        sha256=sha256,
    )


def save(checkpoint: Checkpoint, folder: Path, dtype: torch.dtype = torch.float16) -> None:
    """Write config.json, weights.safetensors and, where there is one, vocab.txt, each to a temporary name first.

    Args:
        dtype: of all weights but word vectors, which have 8 bits.
    """
    folder.mkdir(parents=True, exist_ok=True)
    state = {name: tensor for name, tensor in checkpoint.model.state_dict().items() if tensor.is_floating_point()}
    stored = {name: torch.float8_e4m3fn if name == WORD_VECTORS else dtype for name in state}
    kept = {name: tensor.detach().cpu().to(stored[name]).contiguous() for name, tensor in state.items()}
    weights = safetensors.torch.save(kept)
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


def _verified(path: Path, sha256: str, wanted: dict[str, Tensor]) -> dict[str, Tensor]:
    """The tensors of a safetensors file, float32, each checked against the wanted name and shape."""
    try:
        content = path.read_bytes()
        found = safetensors.torch.load(content)
    except (OSError, SafetensorError) as error:
        raise ValueError(f"{path} cannot be read as safetensors: {error}") from None
    if hashlib.sha256(content).hexdigest() != sha256:
        raise ValueError(f"{path} is not the file that config.json was written for: its sha256 differs")
    for name in [*wanted, *found]:
        if name not in found or name not in wanted:
            raise ValueError(f"{path}: tensor {name} is {'missing' if name in wanted else 'not one of this model'}")
    for name, tensor in found.items():
        if tensor.shape != wanted[name].shape:
            raise ValueError(f"{path}: tensor {name} is {list(tensor.shape)}, wanted {list(wanted[name].shape)}")
        if tensor.dtype not in DTYPES:
            wanted_dtypes = ", ".join(sorted(str(dtype) for dtype in DTYPES))
            raise ValueError(f"{path}: tensor {name} is {tensor.dtype}, wanted one of {wanted_dtypes}")
        if not tensor.float().isfinite().all():
            raise ValueError(f"{path}: tensor {name} holds NaN or infinity")
    return {name: tensor.float() for name, tensor in found.items()}
