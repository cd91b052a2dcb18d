"""A new kind of network is its files in models/, traces/ and networks/, a recipe and a page."""

import importlib
import json
import subprocess
import sys

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch

import core
from core import Trace, zoo
from core.__main__ import main
from core.inputs.readers import WordReader
from core.inputs.text import Vocabulary
from core.measured.evidence.probes import probe
from core.networks import NETWORKS
from core.trace import BY_KIND

NETWORK = '''
"""A network that adds up a score for every word."""

from dataclasses import dataclass

from torch import nn


@dataclass(frozen=True)
class SumConfig:
    n_words: int
    n_classes: int
    n_iters: int = 1


class Sum(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.score = nn.Embedding(config.n_words + 99, config.n_classes)

    def forward(self, words, mask=None, unknown=None):
        return self.score(words).sum(1)
'''
TRACE = '''
"""Its traces: what each word adds."""

from dataclasses import dataclass

from numpy import ndarray

from core.quantities import array
from core.trace import Trace, largest


@dataclass(frozen=True, kw_only=True, eq=False)
class SumTrace(Trace, kind="toy-sum"):
    known: ndarray = array("i", bool)
    scores: ndarray = array("t i k")

    def summary(self):
        yield from super().summary()
        best = int(self.probabilities[-1].argmax())
        yield f"{self.classes[best]} because of: {largest(self.tokens, self.scores[-1][:, best], '+.2f')}"

'''
KIND = '''
"""What the program knows of it."""

from toy_network import Sum, SumConfig
from toy_trace import SumTrace

from core.networks.arrays import to_array
from core.networks.reading import read_words
from core.networks.words import WordNetwork


class SumNetwork(WordNetwork, record=SumTrace):
    model, config = Sum, SumConfig

    def trace(self, checkpoint, text, n_iters=None, edits=()):
        encoded, about = read_words(checkpoint, text)
        scores = checkpoint.model.score(encoded["words"])
        return SumTrace(probabilities=to_array(scores.sum(1).softmax(-1)), scores=to_array(scores), **about)
'''


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """The folder of a checkpoint of a kind whose files are outside core."""
    files = tmp_path / "files"
    files.mkdir()
    (files / "toy_network.py").write_text(NETWORK)
    (files / "toy_trace.py").write_text(TRACE)
    (files / "toy_kind.py").write_text(KIND)
    monkeypatch.syspath_prepend(files)
    network = importlib.import_module("toy_network")
    importlib.import_module("toy_kind")
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path / "models"))
    torch.manual_seed(0)
    checkpoint = zoo.Checkpoint(
        name="toy",
        kind="toy-sum",
        corpus="sst",
        task="a test",
        classes=("negative", "positive"),
        model=network.Sum(network.SumConfig(n_words=2, n_classes=2)).eval(),
        reader=WordReader(Vocabulary(["film", "good"])),
        device=torch.device("cpu"),
    )
    folder = tmp_path / "models" / "toy"
    zoo.save(checkpoint, folder)
    metrics = {"parameters": 1, "test": {"accuracy": 0.5, "n": 2}, "paper": {"accuracy": None}}
    (folder / "metrics.json").write_text(json.dumps(metrics))
    yield folder
    BY_KIND.pop("toy-sum")
    NETWORKS.pop("toy-sum")
    for name in ("toy_network", "toy_trace", "toy_kind"):
        sys.modules.pop(name)


def test_a_new_kind_is_listed_run_and_stored(toy, tmp_path, capsys):
    trace = core.explain(zoo.load("toy", "cpu"), "A good film")
    assert trace.known.tolist() == [False, True, True]
    assert trace.scores.shape == (1, 3, 2)
    assert Trace.from_json(trace.to_json()) == Trace.from_npz(trace.to_npz()) == trace
    assert main(["explain", "toy", "A good film"]) == 0
    assert " because of: " in capsys.readouterr().out.splitlines()[-1]
    assert main(["models", "--json"]) == 0
    assert "toy" in {row["name"] for row in json.loads(capsys.readouterr().out)}
    assert zoo.describe("toy").kind == "toy-sum"


def test_a_new_kind_has_all_that_is_written_once(toy, tmp_path, trees, capsys):
    checkpoint, texts = zoo.load("toy", "cpu"), ["A good film", "", "film"]
    good, none, film = core.explain_many(checkpoint, texts)
    assert (good, film) == (core.explain(checkpoint, texts[0]), core.explain(checkpoint, texts[2]))
    assert "no word" in str(none)
    assert list(good.to_frame().columns) == ["iteration", "class", "probability"]
    assert good.to_xarray().scores.dims == ("t", "i", "k")
    assert main(["evaluate", "toy", "--data", str(trees), "--split", "test", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["n"] > 0
    (tmp_path / "texts.txt").write_text("A good film\n\nfilm\n")
    for traces in ([], ["--traces"]):
        out = tmp_path / f"out{len(traces)}"
        assert main(["batch", "toy", str(tmp_path / "texts.txt"), "--out", str(out), "--workers", "1", *traces]) == 0
        assert len(pq.read_table(out / "table.parquet")) == 3
    words = ["A", "good", "film"]
    read = probe(checkpoint, words)
    assert read.removed(np.array([[True, False, True]])).shape == (1, 2)
    with pytest.raises(ValueError, match="cost of a run is not known for networks of kind toy-sum"):
        NETWORKS["toy-sum"].check_for_pages(checkpoint.model.config)


def test_every_kind_has_a_class_of_trace():
    assert NETWORKS.keys() <= BY_KIND.keys()
    assert all(network.record is BY_KIND[kind] for kind, network in NETWORKS.items())


def test_stored_traces_are_read_without_pytorch():
    script = (
        "import sys; from core import manifest; t = manifest.read_example('dragg-sst5'); "
        "print(type(t).__name__, *t.summary(), 'torch' in sys.modules, sep='|')"
    )
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split("|")
    assert (out[0], out[-1].strip()) == ("DRAggTrace", "False")
