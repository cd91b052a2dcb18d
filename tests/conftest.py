"""What many tests share: one thread (tiny tensors), a tiny checkpoint, the real data where it lies."""

import os
from pathlib import Path

import pytest
import torch

from core import zoo
from core.datasets import data_root, sst
from core.models import DRAgg, DRAggConfig
from core.text import Vocabulary

torch.set_num_threads(1)
WORDS = ["a", "bad", "film", "good", "n't", "is"]
BESIDE = Path(__file__).parents[2] / "shared" / "data"
if "ROUTESCOPE_DATA" not in os.environ and BESIDE.is_dir():
    os.environ["ROUTESCOPE_DATA"] = str(BESIDE)


def save_tiny(root: Path, name: str = "tiny", normalize: str = "output", n_classes: int = 5) -> Path:
    """A random DR-AGG of six words, saved as a checkpoint."""
    torch.manual_seed(0)
    config = DRAggConfig(len(WORDS), n_classes, normalize, n_capsules=3, d_capsule=4, d_word=5, d_hidden=4, d_mlp=6)
    checkpoint = zoo.Checkpoint(
        name=name,
        kind="dragg",
        corpus="sst",
        task="a test",
        classes=sst.CLASSES[n_classes],
        model=DRAgg(config).eval(),
        vocabulary=Vocabulary(WORDS),
        device=torch.device("cpu"),
    )
    zoo.save(checkpoint, root / name)
    return root / name


@pytest.fixture
def tiny_folder(tmp_path, monkeypatch) -> Path:
    """The folder of a checkpoint named "tiny", which the zoo finds beside the shipped ones."""
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path / "models"))
    return save_tiny(tmp_path / "models")


@pytest.fixture
def tiny(tiny_folder) -> zoo.Checkpoint:
    return zoo.load("tiny", "cpu")


@pytest.fixture
def trees(tmp_path) -> Path:
    """A treebank of a few sentences in the official layout."""
    folder = tmp_path / "sst"
    (folder / "trees").mkdir(parents=True)
    lines = [
        "(3 (2 A) (4 (3 good) (2 film)))",
        "(1 (2 It) (1 (2 is) (0 (1 bad) (2 -LRB-))))",
        "(2 (2 a) (2 film))",
        "(4 (2 (2 is) (1 n't)) (1 bad))",
    ]
    for split in sst.SPLITS:
        (folder / "trees" / f"{split}.txt").write_text("\n".join(lines) + "\n")
    return folder


@pytest.fixture(scope="session")
def treebank() -> Path:
    """The real treebank."""
    folder = data_root() / "sst"
    if not (folder / "trees" / "test.txt").is_file():
        pytest.skip(f"no treebank in {folder}: python -m core.datasets sst --download, or set ROUTESCOPE_DATA")
    return folder
