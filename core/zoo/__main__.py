"""Weights that a paper's author published, into our format: python -m core.zoo import-heinsen FILE.pt --name NAME."""

import argparse
import hashlib
import io
import json
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from core import zoo
from core.datasets import smallnorb, sst
from core.files import write
from core.models import EMSST, EMSmallNORB, EMSmallNORBConfig, EMSSTConfig
from core.readers import ImageReader, TransformerReader

SOURCE = "Heinsen 2019, published weights"
OURS = {  # how a tensor's name begins: the author's, ours
    "compute_a.": "to_scores.",
    "compute_mu.": "to_poses.",
    "depth_emb": "depth",
    "detect_parts.": "detect.",
    "routings.0.": "to_parts.",
    "routings.1.": "to_classes.",
}


@dataclass(frozen=True)
class Published:
    """What one of the author's files holds. accuracy: what the paper reports of it."""

    kind: str
    corpus: str
    task: str
    classes: tuple[str, ...]
    accuracy: float
    backbone: str | None = None

    @property
    def trained_on(self) -> str:
        """In words, for the page."""
        photographs = "smallNORB's photographs"
        return f"{photographs if self.backbone is None else 'the Stanford Sentiment Treebank'}, by the paper's author"

    def model(self) -> EMSST | EMSmallNORB:
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
    """Write one of the three files that the author of EM routing published as a checkpoint of ours, in float32.

    Raises:
        ValueError: it cannot be read, or it is none of the three.
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
    model.load_state_dict(
        ours(torch.load(io.BytesIO(content), map_location="cpu", weights_only=True), model.state_dict())
    )
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


def ours(theirs: dict[str, Tensor], wanted: dict[str, Tensor]) -> dict[str, Tensor]:
    """Their tensors under our names and in our shapes: shared weights have no leading 1, constants are no tensors.

    Raises:
        ValueError: a tensor is missing, left over or of another size; it is named.
    """
    renamed = {}
    for name, tensor in theirs.items():
        start = next((start for start in OURS if name.startswith(start)), "")
        renamed[OURS.get(start, "") + name[len(start) :]] = tensor
    found = {name: tensor for name, tensor in renamed.items() if not name.endswith(".CONST_one")}
    for name in [*wanted, *found]:
        if name not in found or name not in wanted:
            raise ValueError(f"tensor {name} is {'missing' if name in wanted else 'not one of this network'}")
        if found[name].squeeze().shape != wanted[name].squeeze().shape:
            raise ValueError(f"tensor {name} is {list(found[name].shape)}, wanted {list(wanted[name].shape)}")
    return {name: tensor.reshape(wanted[name].shape) for name, tensor in found.items()}


def main(arguments: list[str] | None = None) -> int:
    """Import; 0, or 2 after one clear line on bad input."""
    parser = argparse.ArgumentParser(prog="python -m core.zoo", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser("import-heinsen", help="weights of the EM routing paper, as published")
    command.add_argument("file", type=Path, metavar="FILE.pt")
    command.add_argument("--name", required=True, help="of the new checkpoint")
    command.add_argument("--out", type=Path, metavar="DIR", help="ROUTESCOPE_MODELS, or pretrained/, unless given")
    args = parser.parse_args(arguments)
    root = args.out or Path(os.environ.get("ROUTESCOPE_MODELS") or zoo.PRETRAINED)
    try:
        if not re.fullmatch(r"[\w][\w.-]*", args.name):
            raise ValueError(f"the name is {args.name!r}, wanted letters, digits, points, - and _")
        if (root / args.name).exists():
            raise ValueError(f"{root / args.name} exists already")
        import_heinsen(args.file, root / args.name)
    except (ValueError, OSError) as error:
        print(f"core.zoo: {error}", file=sys.stderr)
        return 2
    print(f"{root / args.name}: {zoo.describe_folder(root / args.name)['metrics']['parameters']:,} parameters")
    return 0


if __name__ == "__main__":
    sys.exit(main())
