"""Downloads the weights that the author of EM routing published, and converts them to our format."""

import hashlib
import http.client
import io
import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError

import torch
from torch import Tensor

from core import zoo
from core.datasets import smallnorb, sst
from core.datasets.corpus import File
from core.datasets.download import resume
from core.files import write
from core.inputs.readers import ImageReader, TransformerReader
from core.models import EMSST, EMSmallNORB, EMSmallNORBConfig, EMSSTConfig
from core.traces.em import EMPictureTrace, EMTextTrace

SOURCE = "Heinsen 2019, published weights"
REPOSITORY = "github.com/glassroom/heinsen_routing_2019_paper"
URL = "https://raw.githubusercontent.com/glassroom/heinsen_routing_2019_paper/HEAD/"  # address of the files' folder
OURS = {  # prefixes of tensor names: the author's to ours
    "compute_a.": "to_scores.",
    "compute_mu.": "to_poses.",
    "depth_emb": "depth",
    "detect_parts.": "detect.",
    "routings.0.": "to_parts.",
    "routings.1.": "to_classes.",
}


@dataclass(frozen=True)
class Published:
    """One of the author's files.

    Args:
        name: name of the file.
        file: size and checksum of the file.
        weights: sha256 of the weights in our format, which identifies a checkpoint as the author's.
        accuracy: accuracy in the paper.
    """

    name: str
    file: File
    weights: str
    kind: str
    corpus: str
    task: str
    classes: tuple[str, ...]
    accuracy: float
    backbone: str | None = None

    @property
    def trained_on(self) -> str:
        """The training data, in words."""
        data = "smallNORB's photographs" if self.backbone is None else "the Stanford Sentiment Treebank"
        return f"{data}, by the paper's author"

    def model(self) -> EMSST | EMSmallNORB:
        """An untrained network with the same sizes."""
        if self.backbone is None:
            return EMSmallNORB(EMSmallNORBConfig())
        return EMSST(EMSSTConfig(n_layers=37, d_hidden=1280, n_classes=len(self.classes)))


def _sst(n_classes: int, accuracy: float, file: File, weights: str) -> Published:
    """The author's sentiment network with this number of classes."""
    name = f"SST{n_classes}R_pretrained_model_state_dict.pt"
    task = f"sentiment of a sentence in {n_classes} classes, EM routing over GPT-2 large"
    return Published(name, file, weights, EMTextTrace.kind, "sst", task, sst.CLASSES[n_classes], accuracy, "gpt2-large")


PUBLISHED = {
    "smallnorb": Published(
        "smallNORB_pretrained_model_state_dict.pt",
        File(1_101_095, "e4dca94f4ee01ae8dcdf1278b409e29dfc0bbf894d897d9f98e16de6d7ae7520"),
        "6185c5d8cd72bd3e0948639ab1579ec9b44d78a7eb7728092dbbd5e85bc1ee32",
        EMPictureTrace.kind,
        "smallnorb",
        "kind of a toy in a pair of photographs, EM routing",
        smallnorb.CLASSES,
        0.991,
    ),
    "sst5": _sst(
        5,
        0.585,
        File(564_410, "15f26c32409221a74e85bc904378e301cf84bbbf63de8d35857cfbe75f45f89a"),
        "2ef607d73980e4f85d78220e8a250e5c5ee7ff756f0c326589a3132d7de252ef",
    ),
    "sst2": _sst(
        2,
        0.956,
        File(558_254, "9f1a804c449af5d6c04892035b1c070abafd6c207afaae9a15becfface9a9870"),
        "8d9728e8e18c1d6a5c1e2855857988bba8d2e62aab567a83f41bf85f998abf14",
    ),
}
BY_SHA256 = {published.file.sha256: published for published in PUBLISHED.values()}


def download_heinsen(key: str, folder: Path) -> None:
    """Download one of the files that the author of EM routing published, and convert it to a checkpoint.

    Args:
        key: a key of ``PUBLISHED``.
        folder: folder of the new checkpoint; its name is the checkpoint's.

    Raises:
        ValueError: the folder exists, the connection was cut off, or the downloaded file is not the published one.
        OSError: the file cannot be fetched.
    """
    check_new(folder)
    published = PUBLISHED[key]
    url = URL + published.name
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / published.name
        try:
            resume(url, file, published.file)
        except (URLError, TimeoutError, ConnectionError, http.client.HTTPException) as error:
            raise OSError(f"{url} cannot be fetched: {getattr(error, 'reason', error)}") from None
        import_heinsen(file, folder)


def check_new(folder: Path) -> None:
    """Raise ValueError if the folder of a new checkpoint exists."""
    if folder.exists():
        raise ValueError(f"{folder} exists already")


def import_heinsen(file: Path, folder: Path) -> None:
    """Convert one of the three files that the author of EM routing published to a checkpoint, in float32.

    Args:
        file: file from the author.
        folder: folder of the new checkpoint; its name is the checkpoint's. It is written completely or not at all.

    Raises:
        ValueError: the folder exists, or the file cannot be read or is not one of the three.
    """
    check_new(folder)
    try:
        content = file.read_bytes()
    except OSError as error:
        raise ValueError(f"{file} cannot be read: {error.strerror}") from None
    sha256 = hashlib.sha256(content).hexdigest()
    if sha256 not in BY_SHA256:
        raise ValueError(f"{file} is not one of the {len(PUBLISHED)} files that the author published (sha256 {sha256})")
    published = BY_SHA256[sha256]
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        unfinished = Path(scratch) / folder.name
        _save(published, content, unfinished)
        unfinished.rename(folder)


def _save(published: Published, content: bytes, folder: Path) -> None:
    """Write the checkpoint of a published file from the file's content."""
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
        "imported": {"file": published.name, "sha256": published.file.sha256},
    }
    write(folder / "metrics.json", json.dumps(metrics, indent=1).encode())


def rename_tensors(theirs: dict[str, Tensor], expected: dict[str, Tensor]) -> dict[str, Tensor]:
    """The author's tensors with our names and shapes, without the leading axis of size 1 and without constants.

    Args:
        theirs: tensors of the author by name.
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
