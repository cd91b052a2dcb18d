"""Shared setup of the tests: one thread (tensors are tiny), tiny checkpoints, and the real data if it is there."""

import gc
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import jaxtyping
import numpy as np
import pytest
import torch
from hypothesis import settings

from core import zoo
from core.datasets import binary, data_root, imdb, smallnorb, sst
from core.inputs.minilm import D_PIECE, MINILM
from core.inputs.readers import DocumentReader, ImageReader, Reader, TransformerReader, WordReader
from core.inputs.text import Vocabulary
from core.measured import store
from core.networks import NETWORKS

torch.set_num_threads(1)
settings.register_profile("untimed", deadline=None)  # a slow machine must not fail a test
# For a run whose examples another run draws in full.
settings.register_profile("few", deadline=None, max_examples=10)
settings.load_profile("untimed")
WORDS = ["a", "bad", "film", "good", "n't", "is"]
MAIN = sys.modules["__main__"]
SHARED_DATA = Path(__file__).parents[2] / "shared" / "data"
if "ROUTESCOPE_DATA" not in os.environ and SHARED_DATA.is_dir():
    os.environ["ROUTESCOPE_DATA"] = str(SHARED_DATA)


def pytest_collection_finish():
    """Keep the garbage collector from looking again and again at a million objects that the imports made."""
    gc.freeze()


@pytest.fixture
def no_sweeps(tmp_path, monkeypatch):
    """Hide the shipped tables of sweeps; a test can save its own."""
    monkeypatch.setattr(store, "SWEEPS", tmp_path / "tables")


@pytest.fixture(autouse=True)
def _run_no_page_in_new_processes():
    """Restore the main module, which ``AppTest`` replaces by the script of the app: a new process would run that."""
    sys.modules["__main__"] = MAIN


@pytest.fixture(autouse=True)
def _draw_the_same_in_any_order(request, monkeypatch):
    """Renew the module's random generators: workers run its tests in any order, and each must draw the same numbers."""
    for name, value in vars(request.module).items():
        if isinstance(value, np.random.Generator):
            monkeypatch.setattr(request.module, name, np.random.default_rng(0))


@pytest.fixture(autouse=True)
def wrong_arguments(request, monkeypatch):
    """Switch off the checks of annotations for the mark ``wrong_arguments``, so that core's own errors are tested."""
    if request.node.get_closest_marker("wrong_arguments"):
        monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)


def pytest_make_parametrize_id(val):
    """Name a bytes parameter without its content: the date in an archive changes its bytes, even its length."""
    return "bytes" if isinstance(val, bytes) else None


@dataclass(frozen=True)
class Tiny:
    """A network small enough for tests.

    Args:
        name: name of the checkpoint.
        sizes: sizes in its configuration.
        spread: standard deviation of its random weights; None for PyTorch's own weights.
        corpus: name of its corpus.
        reader: function that makes its reader.
    """

    name: str
    sizes: dict[str, int | str]
    spread: float | None = 1
    corpus: str = "sst"
    reader: Callable[[], Reader] = lambda: WordReader(Vocabulary(WORDS))


# Sizes that several networks share.
ENCODED = {"n_words": len(WORDS), "n_classes": 5, "d_word": 5, "d_hidden": 4, "d_mlp": 6}
DRAGG = ENCODED | {"n_capsules": 3, "d_capsule": 4}
FEATURES = {"n_books": 2, "d_word": 4, "d_hidden": 6, "d_feature": 2, "d_capsule": 3}
TINY = {  # networks by kind
    "dragg": Tiny("tiny", DRAGG, spread=None),
    "dragg-documents": Tiny(
        "tiny-documents", DRAGG, corpus="imdb_documents", reader=lambda: DocumentReader(Vocabulary(WORDS))
    ),
    "cccaps": Tiny("tiny-cccaps", {"n_words": len(WORDS), "n_classes": 5, "routing": "kmeans"} | FEATURES),
    "em-sst": Tiny(
        "tiny-em",
        {"n_layers": 7, "d_hidden": D_PIECE, "n_classes": 5, "n_parts": 3, "d_detect": 4},
        spread=0.5,
        reader=lambda: TransformerReader(MINILM, torch.device("cpu")),
    ),
    "em-smallnorb": Tiny(
        "tiny-em-smallnorb",
        {"n_channels": 4, "n_detected": 3, "n_parts": 3},
        spread=0.5,
        corpus="smallnorb",
        reader=ImageReader,
    ),
    "agt": Tiny("tiny-agt", ENCODED | {"n_layers": 3, "n_attending": 3}),
    "drnn": Tiny("tiny-drnn", ENCODED | {"window": 2}),
}


def save_tiny(root: Path, kind: str = "dragg", name: str = "", **settings: int | str) -> Path:
    """Save a checkpoint of a random tiny network, and return its folder.

    Args:
        root: folder of the checkpoints.
        kind: kind of the network.
        name: name of the checkpoint; "" for the name in ``TINY``.
        settings: settings that differ from those in ``TINY``.
    """
    torch.manual_seed(0)
    tiny = TINY[kind]
    model = NETWORKS[kind].model(NETWORKS[kind].config(**tiny.sizes | settings))
    torch.manual_seed(0)  # again, because kinds differ in how many random numbers they have drawn so far
    for parameter in model.parameters() if tiny.spread else ():
        torch.nn.init.normal_(parameter, std=tiny.spread)
    folder = root / (name or tiny.name)
    checkpoint = zoo.Checkpoint(
        name=folder.name,
        kind=kind,
        corpus=tiny.corpus,
        task="a test",
        classes=smallnorb.CLASSES if tiny.corpus == "smallnorb" else sst.CLASSES[model.config.n_classes],
        model=model.eval(),
        reader=tiny.reader(),
        device=torch.device("cpu"),
    )
    zoo.save(checkpoint, folder)
    return folder


def write_norb(folder: Path, split: str, n: int = 10, size: int = 40) -> None:
    """Write a split of smallNORB with random pairs in its official files. Categories and instances alternate."""
    generator, k = np.random.default_rng(len(split)), np.arange(n)
    instances = {"train": [4, 6, 7, 8, 9], "test": [0, 1, 2, 3, 5]}[split]
    info = [np.array(instances)[(k // 5) % 5], k % 9, 2 * (k % 18), k % 6]  # instance, elevation, azimuth, light
    matrices = {
        "dat": generator.integers(0, 256, (n, 2, size, size), np.uint8),
        "cat": (k % 5).astype(np.int32),
        "info": np.stack(info, 1).astype(np.int32),
    }
    folder.mkdir(exist_ok=True)
    for part, matrix in matrices.items():
        binary.write_matrix(folder / f"{smallnorb.STEMS[split]}-{part}.mat", matrix)


@pytest.fixture(scope="session", autouse=True)
def _no_checkpoints_of_the_user(tmp_path_factory):
    """Hide the user's own checkpoints from the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROUTESCOPE_MODELS", str(tmp_path_factory.mktemp("models")))
        yield


@pytest.fixture
def tiny_folder(tmp_path, monkeypatch) -> Path:
    """The folder of a checkpoint named "tiny", which the zoo finds in addition to the shipped ones."""
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path / "models"))
    return save_tiny(tmp_path / "models")


@pytest.fixture
def tiny(tiny_folder) -> zoo.Checkpoint:
    """The checkpoint named "tiny"."""
    return zoo.load("tiny", "cpu")


def _tiny_fixture(kind: str) -> Callable:
    """A fixture with the tiny checkpoint of a kind, which the zoo finds in addition to "tiny"."""

    @pytest.fixture
    def checkpoint(tiny_folder) -> zoo.Checkpoint:
        return zoo.load_folder(save_tiny(tiny_folder.parent, kind), "cpu")

    return checkpoint


tiny_documents = _tiny_fixture("dragg-documents")
tiny_cccaps = _tiny_fixture("cccaps")
tiny_em = _tiny_fixture("em-sst")
tiny_em_smallnorb = _tiny_fixture("em-smallnorb")
tiny_agt = _tiny_fixture("agt")
tiny_drnn = _tiny_fixture("drnn")


@pytest.fixture
def norb(tmp_path) -> Path:
    """A small smallNORB in its official files, with every training instance and two test instances per category."""
    write_norb(tmp_path / "norb", "train", n=25)
    write_norb(tmp_path / "norb", "test")
    return tmp_path / "norb"


@pytest.fixture(scope="session")
def tiny_gpt2(tmp_path_factory) -> Path:
    """A folder with a random GPT-2 of two layers, saved by transformers. Its pieces are single bytes."""
    import transformers  # here, because most tests do not need this slow import
    from tokenizers import Tokenizer, models, pre_tokenizers

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
    """Twelve reviews per split and side in the official layout, next to ``trees``."""
    folder = tmp_path / "imdb"
    for split, side in product(imdb.SPLITS, imdb.FOLDERS):
        place = folder / "aclImdb" / split / side
        place.mkdir(parents=True)
        for k in range(12):
            (place / f"{k}_8.txt").write_text(f"{side} film {k}.<br />It is so.")
    return folder


@pytest.fixture(scope="session")
def treebank() -> Path:
    """The folder of the real treebank."""
    folder = data_root() / "sst"
    if not (folder / "trees" / "test.txt").is_file():
        pytest.skip(f"no treebank in {folder}: python -m core.datasets sst --download, or set ROUTESCOPE_DATA")
    return folder
