"""What many tests share: one thread (tiny tensors), a tiny checkpoint, the real data where it lies."""

import os
from itertools import product
from pathlib import Path

import jaxtyping
import numpy as np
import pytest
import torch
import transformers
from hypothesis import settings
from tokenizers import Tokenizer, models, pre_tokenizers

from core import zoo
from core.backbones import MINILM
from core.datasets import binary, data_root, imdb, smallnorb, sst
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
from core.readers import DocumentReader, ImageReader, Reader, TransformerReader, WordReader
from core.text import Vocabulary

torch.set_num_threads(1)
settings.register_profile("untimed", deadline=None)  # a slow machine is no failure
settings.load_profile("untimed")
TINY_NORB = EMSmallNORBConfig(n_channels=4, n_detected=3, n_parts=3)
WORDS = ["a", "bad", "film", "good", "n't", "is"]
BESIDE = Path(__file__).parents[2] / "shared" / "data"
if "ROUTESCOPE_DATA" not in os.environ and BESIDE.is_dir():
    os.environ["ROUTESCOPE_DATA"] = str(BESIDE)


@pytest.fixture(autouse=True)
def wrong_arguments(request, monkeypatch):
    """The mark ``wrong_arguments`` switches the checks of annotations off, so that core's own refusal is seen."""
    if request.node.get_closest_marker("wrong_arguments"):
        monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)


def pytest_make_parametrize_id(val):
    """Bytes by their number in a test's name: an archive holds its date, and processes that share the tests out must
    call them the same.
    """
    return f"{len(val)}-bytes" if isinstance(val, bytes) else None


def save_tiny(root: Path, name: str = "tiny", normalize: str = "output", n_classes: int = 5) -> Path:
    """A random DR-AGG of six words, saved as a checkpoint."""
    torch.manual_seed(0)
    config = DRAggConfig(len(WORDS), n_classes, normalize, n_capsules=3, d_capsule=4, d_word=5, d_hidden=4, d_mlp=6)
    return _save(root / name, "dragg", DRAgg(config), WordReader(Vocabulary(WORDS)))


def save_tiny_documents(root: Path, name: str = "tiny-documents", normalize: str = "output") -> Path:
    """A random hierarchical DR-AGG of six words, saved as a checkpoint."""
    torch.manual_seed(0)
    sizes = {"n_capsules": 3, "d_capsule": 4, "d_word": 5, "d_hidden": 4, "d_mlp": 6}
    model = DocumentDRAgg(DRAggConfig(len(WORDS), 5, normalize, **sizes))
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter)
    return _save(root / name, "dragg-documents", model, DocumentReader(Vocabulary(WORDS)))


def save_tiny_em(root: Path, name: str = "tiny-em", backbone: str = MINILM) -> Path:
    """A random network of EM routing over a transformer, saved as a checkpoint."""
    torch.manual_seed(0)
    reader = TransformerReader(backbone, torch.device("cpu"))
    sizes = reader.backbone.n_layers, reader.backbone.d_hidden
    model = EMSST(EMSSTConfig(*sizes, n_classes=5, n_parts=3, d_detect=4))
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return _save(root / name, "em-sst", model, reader)


def save_tiny_em_smallnorb(root: Path, name: str = "tiny-em-smallnorb") -> Path:
    """A random network of EM routing over pairs of pictures, saved as a checkpoint."""
    torch.manual_seed(0)
    model = EMSmallNORB(TINY_NORB)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return _save(root / name, "em-smallnorb", model, ImageReader())


def save_tiny_agt(root: Path, name: str = "tiny-agt", n_attending: int = 3) -> Path:
    """A random AGT of six words and three layers, saved as a checkpoint."""
    torch.manual_seed(0)
    config = AGTConfig(len(WORDS), n_classes=5, n_layers=3, n_attending=n_attending, d_word=5, d_hidden=4, d_mlp=6)
    model = AGT(config)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter)
    return _save(root / name, "agt", model, WordReader(Vocabulary(WORDS)))


def save_tiny_drnn(root: Path, name: str = "tiny-drnn", unit: str = "gru") -> Path:
    """A random DRNN of six words and a window of two, saved as a checkpoint."""
    torch.manual_seed(0)
    config = DRNNConfig(len(WORDS), n_classes=5, window=2, unit=unit, d_word=5, d_hidden=4, d_mlp=6)
    model = DRNN(config)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter)
    return _save(root / name, "drnn", model, WordReader(Vocabulary(WORDS)))


def save_tiny_cccaps(root: Path, name: str = "tiny-cccaps", routing: str = "kmeans", **other) -> Path:
    """A random CCCaps of six words, saved as a checkpoint."""
    torch.manual_seed(0)
    sizes = {"n_books": 2, "d_word": 4, "d_hidden": 6, "d_feature": 2, "d_capsule": 3} | other
    model = CCCaps(CCCapsConfig(len(WORDS), n_classes=5, routing=routing, **sizes))
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter)
    return _save(root / name, "cccaps", model, WordReader(Vocabulary(WORDS)))


def write_norb(folder: Path, split: str, n: int = 10, size: int = 40) -> None:
    """A split of smallNORB of random pairs in its official files, categories and instances in turn."""
    generator, k = np.random.default_rng(len(split)), np.arange(n)
    instances = {"train": [4, 6, 7, 8, 9], "test": [0, 1, 2, 3, 5]}[split]
    info = [np.array(instances)[(k // 5) % 5], k % 9, 2 * (k % 18), k % 6]
    found = {
        "dat": generator.integers(0, 256, (n, 2, size, size), np.uint8),
        "cat": (k % 5).astype(np.int32),
        "info": np.stack(info, 1).astype(np.int32),
    }
    folder.mkdir(exist_ok=True)
    for what, matrix in found.items():
        binary.write_matrix(folder / f"{smallnorb.STEMS[split]}-{what}.mat", matrix)


def _save(folder: Path, kind: str, model: torch.nn.Module, reader: Reader) -> Path:
    pictures = kind == "em-smallnorb"
    texts = "imdb_documents" if kind == "dragg-documents" else "sst"
    checkpoint = zoo.Checkpoint(
        name=folder.name,
        kind=kind,
        corpus="smallnorb" if pictures else texts,
        task="a test",
        classes=smallnorb.CLASSES if pictures else sst.CLASSES[model.config.n_classes],
        model=model.eval(),
        reader=reader,
        device=torch.device("cpu"),
    )
    zoo.save(checkpoint, folder)
    return folder


@pytest.fixture
def tiny_folder(tmp_path, monkeypatch) -> Path:
    """The folder of a checkpoint named "tiny", which the zoo finds beside the shipped ones."""
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path / "models"))
    return save_tiny(tmp_path / "models")


@pytest.fixture
def tiny(tiny_folder) -> zoo.Checkpoint:
    return zoo.load("tiny", "cpu")


@pytest.fixture
def tiny_em(tiny_folder) -> zoo.Checkpoint:
    """A network of EM routing over MiniLM."""
    return zoo.load_folder(save_tiny_em(tiny_folder.parent), "cpu")


@pytest.fixture
def tiny_em_smallnorb(tiny_folder) -> zoo.Checkpoint:
    """A network of EM routing over pairs of pictures."""
    return zoo.load_folder(save_tiny_em_smallnorb(tiny_folder.parent), "cpu")


@pytest.fixture
def tiny_agt(tiny_folder) -> zoo.Checkpoint:
    """An AGT of three layers."""
    return zoo.load_folder(save_tiny_agt(tiny_folder.parent), "cpu")


@pytest.fixture
def tiny_drnn(tiny_folder) -> zoo.Checkpoint:
    """A DRNN of a window of two words."""
    return zoo.load_folder(save_tiny_drnn(tiny_folder.parent), "cpu")


@pytest.fixture
def tiny_cccaps(tiny_folder) -> zoo.Checkpoint:
    """A CCCaps of three feature capsules of two components and five classes of three."""
    return zoo.load_folder(save_tiny_cccaps(tiny_folder.parent), "cpu")


@pytest.fixture
def tiny_documents(tiny_folder) -> zoo.Checkpoint:
    """A hierarchical DR-AGG of three capsules of four components at both levels."""
    return zoo.load_folder(save_tiny_documents(tiny_folder.parent), "cpu")


@pytest.fixture
def norb(tmp_path) -> Path:
    """A small smallNORB in its official files: every training instance of every category, two test instances."""
    write_norb(tmp_path / "norb", "train", n=25)
    write_norb(tmp_path / "norb", "test")
    return tmp_path / "norb"


@pytest.fixture(scope="session")
def tiny_gpt2(tmp_path_factory) -> Path:
    """A folder with a random GPT-2 of two layers, as transformers saves one; its pieces are single bytes."""
    folder = tmp_path_factory.mktemp("gpt2")
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE({sign: k for k, sign in enumerate(alphabet)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=64).save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.GPT2Config(vocab_size=len(alphabet), n_positions=64, n_embd=8, n_layer=2, n_head=2)
    transformers.GPT2Model(config).save_pretrained(folder)
    return folder


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


@pytest.fixture
def reviews(tmp_path) -> Path:
    """Twelve reviews a split and side in the official layout, beside ``trees``."""
    folder = tmp_path / "imdb"
    for split, side in product(imdb.SPLITS, imdb.FOLDERS):
        place = folder / "aclImdb" / split / side
        place.mkdir(parents=True)
        for k in range(12):
            (place / f"{k}_8.txt").write_text(f"{side} film {k}.<br />It is so.")
    return folder


@pytest.fixture(scope="session")
def treebank() -> Path:
    """The real treebank."""
    folder = data_root() / "sst"
    if not (folder / "trees" / "test.txt").is_file():
        pytest.skip(f"no treebank in {folder}: python -m core.datasets sst --download, or set ROUTESCOPE_DATA")
    return folder
