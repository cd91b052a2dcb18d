"""Converts the weights that the author of EM routing published to our format."""

import hashlib
import io
import json
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from core import zoo
from core.datasets import smallnorb, sst
from core.files import write
from core.inputs.readers import ImageReader, TransformerReader
from core.models import EMSST, EMSmallNORB, EMSmallNORBConfig, EMSSTConfig

SOURCE = "Heinsen 2019, published weights"
OURS = {  # the start of a tensor's name: the author's to ours
    "compute_a.": "to_scores.",
    "compute_mu.": "to_poses.",
    "depth_emb": "depth",
    "detect_parts.": "detect.",
    "routings.0.": "to_parts.",
    "routings.1.": "to_classes.",
}


@dataclass(frozen=True)
class Published:
    """One of the author's files."""

    kind: str
    corpus: str
    task: str
    classes: tuple[str, ...]
    accuracy: float  # that the paper reports
    backbone: str | None = None

    @property
    def trained_on(self) -> str:
        """The training data, in words."""
        data = "smallNORB's photographs" if self.backbone is None else "the Stanford Sentiment Treebank"
        return f"{data}, by the paper's author"

    def model(self) -> EMSST | EMSmallNORB:
        """The untrained network of the same sizes."""
        if self.kind == "em-smallnorb":
            return EMSmallNORB(EMSmallNORBConfig())
        return EMSST(EMSSTConfig(n_layers=37, d_hidden=1280, n_classes=len(self.classes)))


def _sst(n_classes: int, accuracy: float) -> Published:
    task = f"sentiment of a sentence in {n_classes} classes, EM routing over GPT-2 large"
    return Published("em-sst", "sst", task, sst.CLASSES[n_classes], accuracy, "gpt2-large")


FILES = {  # by sha256
    "e4dca94f4ee01ae8dcdf1278b409e29dfc0bbf894d897d9f98e16de6d7ae7520": Published(
        "em-smallnorb", "smallnorb", "kind of a toy in a pair of photographs, EM routing", smallnorb.CLASSES, 0.991
    ),
    "15f26c32409221a74e85bc904378e301cf84bbbf63de8d35857cfbe75f45f89a": _sst(5, 0.585),
    "9f1a804c449af5d6c04892035b1c070abafd6c207afaae9a15becfface9a9870": _sst(2, 0.956),
}


def import_heinsen(file: Path, folder: Path) -> None:
    """Convert one of the three files that the author of EM routing published to a checkpoint, in float32.

    Args:
        file: the author's.
        folder: of the new checkpoint; its name is the checkpoint's.

    Raises:
        ValueError: the file cannot be read, or is not one of the three.
    """
    try:
        content = file.read_bytes()
    except OSError as error:
        raise ValueError(f"{file} cannot be read: {error.strerror}") from None
    sha256 = hashlib.sha256(content).hexdigest()
    if sha256 not in FILES:
        raise ValueError(f"{file} is not one of the {len(FILES)} files that the author published (sha256 {sha256})")
    published = FILES[sha256]
    model = published.model()
    theirs = torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)
    model.load_state_dict(rename_tensors(theirs, model.state_dict()))
    cpu = torch.device("cpu")
    checkpoint = zoo.Checkpoint(
        name=folder.name,
        kind=published.kind,
        corpus=published.corpus,
        task=published.task,
        classes=published.classes,
        model=model,
        reader=TransformerReader(published.backbone, cpu) if published.backbone else ImageReader(),
        device=cpu,
    )
    zoo.save(checkpoint, folder, torch.float32)
    metrics = {
        "parameters": sum(p.numel() for p in model.parameters()),
        "test": {"accuracy": None, "n": 0},
        "paper": {"accuracy": published.accuracy, "source": SOURCE},
        "training": {"data": published.trained_on},
        "imported": {"file": file.name, "sha256": sha256},
    }
    write(folder / "metrics.json", json.dumps(metrics, indent=1).encode())


def rename_tensors(theirs: dict[str, Tensor], expected: dict[str, Tensor]) -> dict[str, Tensor]:
    """The author's tensors with our names and shapes, without the leading axis of size 1 and without constants.

    Args:
        theirs: the author's tensors by name.
        expected: our tensors by name.

    Raises:
        ValueError: a tensor is missing, unknown or of another size; the message names it.
    """
    renamed = {}
    for name, tensor in theirs.items():
        prefix = next((prefix for prefix in OURS if name.startswith(prefix)), "")
        renamed[OURS.get(prefix, "") + name[len(prefix) :]] = tensor
    tensors = {name: tensor for name, tensor in renamed.items() if not name.endswith(".CONST_one")}
    for name in [*expected, *tensors]:
        if name not in tensors or name not in expected:
            raise ValueError(f"tensor {name} is {'missing' if name in expected else 'not one of this network'}")
        if tensors[name].squeeze().shape != expected[name].squeeze().shape:
            raise ValueError(f"tensor {name} is {list(tensors[name].shape)}, wanted {list(expected[name].shape)}")
    return {name: tensor.reshape(expected[name].shape) for name, tensor in tensors.items()}
