"""The checkpoints: load, verify, save. ``core.manifest`` lists them.

A checkpoint is a folder with config.json (kind, task, classes, hyper-parameters, the weights'
sha256), weights.safetensors, metrics.json, README.md, and vocab.txt where the model has words of
its own. Only JSON and safetensors are read, never a pickle.
"""

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

import safetensors.torch
import torch
from safetensors import SafetensorError
from torch import Tensor

from core.checkpoint import Checkpoint
from core.device import pick_device
from core.files import write
from core.inputs.readers import DocumentReader, ImageReader, Reader, TransformerReader, WordReader
from core.inputs.text import Vocabulary
from core.manifest import PRETRAINED, describe, describe_folder, folder_of, folders, read_json, survey
from core.models import (
    AGT,
    DRNN,
    EMSST,
    AGTConfig,
    CCCaps,
    CCCapsConfig,
    DocumentDRAgg,
    DRAgg,
    DRAggConfig,
    DRNNConfig,
    EMSmallNORB,
    EMSmallNORBConfig,
    EMSSTConfig,
)

WORD_VECTORS = "embedding.weight"  # most of a file, and each is one of many that a decision rests on: 8 bits will do
__all__ = ["PRETRAINED", "Checkpoint", "describe", "describe_folder", "folders", "load", "load_folder"]
__all__ += ["save", "survey"]
DTYPES = {torch.float8_e4m3fn, torch.float16, torch.bfloat16, torch.float32}


class Kind(NamedTuple):
    """A kind of network. read_by: the entry of config.json that says how samples are read; pictures need none.
    reader: of words, where it has a vocabulary.
    """

    model: type[torch.nn.Module]
    config: type
    read_by: str | None
    reader: type[WordReader] = WordReader


KINDS = {
    "dragg": Kind(DRAgg, DRAggConfig, "vocabulary_sha256"),
    "dragg-documents": Kind(DocumentDRAgg, DRAggConfig, "vocabulary_sha256", reader=DocumentReader),
    "cccaps": Kind(CCCaps, CCCapsConfig, "vocabulary_sha256"),
    "em-sst": Kind(EMSST, EMSSTConfig, "backbone"),
    "em-smallnorb": Kind(EMSmallNORB, EMSmallNORBConfig, None),
    "agt": Kind(AGT, AGTConfig, "vocabulary_sha256"),
    "drnn": Kind(DRNN, DRNNConfig, "vocabulary_sha256"),
}


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
        reads = config[kind.read_by] if kind.read_by else ""
        if not isinstance(reads, str):
            raise ValueError(f"{kind.read_by} is {reads!r}, wanted text")
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
        reader=_reader(folder, kind, reads, model, place),
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
    }
    if isinstance(checkpoint.reader, WordReader):
        words = checkpoint.reader.vocabulary.to_bytes()
        config["vocabulary_sha256"] = hashlib.sha256(words).hexdigest()
        write(folder / "vocab.txt", words)
    elif isinstance(checkpoint.reader, TransformerReader):
        config["backbone"] = checkpoint.reader.name
    write(folder / "weights.safetensors", weights)
    write(folder / "config.json", json.dumps(config, indent=1).encode())


def _reader(folder: Path, kind: Kind, reads: str, model: torch.nn.Module, device: torch.device) -> Reader:
    if kind.read_by == "vocabulary_sha256":
        return kind.reader(_vocabulary(folder / "vocab.txt", model.config.n_words, reads))
    return TransformerReader(reads, device) if kind.read_by == "backbone" else ImageReader()


def _vocabulary(path: Path, n_words: int, sha256: str) -> Vocabulary:
    try:
        vocabulary = Vocabulary.from_bytes(path.read_bytes())
    except (OSError, ValueError) as error:
        raise ValueError(f"{path} cannot be read as a list of words: {error}") from None
    if len(vocabulary) != n_words:
        raise ValueError(f"{path} has {len(vocabulary):,} words, wanted {n_words:,}")
    if hashlib.sha256(vocabulary.to_bytes()).hexdigest() != sha256:
        raise ValueError(f"{path} is not the file that config.json was written for: its words differ")
    return vocabulary


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
