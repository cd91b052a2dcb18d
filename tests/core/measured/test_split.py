"""The kept result of a test split: numbers without the texts."""

import numpy as np
import pytest

from core import explain, zoo
from core.analysis.intervals import interval_of_share
from core.datasets import read_split
from core.inputs.text import as_typed
from core.manifest import PRETRAINED, describe
from core.measured import answers, split, store
from core.measured.__main__ import main
from core.stored import BY_KIND
from tests.conftest import save_tiny


@pytest.mark.parametrize("kind", ["dragg", "cccaps"])
def test_the_command_counts_what_the_network_answers(tmp_path, monkeypatch, trees, kind):
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path / "models"))
    save_tiny(tmp_path / "models", kind, "tiny")
    assert main(["split", "tiny", "--data", str(trees), "--device", "cpu"]) == 0
    kept, texts = store.read("split", "tiny"), read_split("sst", trees, "test")
    assert str(kept["data"]) == "all 4 texts of the test split of SST-5"
    counts, certainties = np.zeros((5, 5), int), []
    for words, label in zip(texts.words, texts.labels, strict=True):
        probabilities = explain(zoo.load("tiny", "cpu"), as_typed(words)).class_probabilities
        counts[label, probabilities.argmax()] += 1
        certainties.append(probabilities.max())
    assert kept["counts"].tolist() == counts.tolist()
    assert kept["certainties"].tolist() == np.histogram(certainties, split.N_BINS, (0, 1))[0].tolist()


def test_a_limit_samples_the_split_and_the_phrase_says_so(tiny, trees, capsys):
    arrays, phrase = split.measure_test_split(tiny, trees, limit=2)
    assert arrays["limit"].tolist() == [2]
    assert arrays["counts"].sum() == arrays["certainties"].sum() == 2
    assert phrase == "2 of the 4 texts, evenly spaced, of the test split of SST-5"
    assert main(["poses", "tiny", "--limit", "2"]) == 2
    assert "--limit works only with split" in capsys.readouterr().err


def test_a_certainty_of_one_falls_into_the_last_bin():
    assert split.bins_of(np.array([0.0, 0.05, 1.0])).nonzero()[0].tolist() == [0, 1, split.N_BINS - 1]


def test_shipped_kept_splits_belong_to_the_shipped_weights():
    """Where the whole split was measured, as many answers are right as the kept answers say."""
    measured = [file.parent.name for file in PRETRAINED.glob("*/answers.npz")]
    texts = [name for name in measured if BY_KIND[describe(name).kind].reads == "text"]
    assert len(texts) > 10
    for name in texts:
        kept, test = store.read("split", name), describe(name).metrics.test
        if not (PRETRAINED / name / "split.npz").is_file() and test.n > 10_000:
            continue  # long texts, which take an hour
        assert kept is not None, name
        n = int(kept["counts"].sum())
        assert kept["certainties"].sum() == n
        right = np.trace(kept["counts"])
        if n == test.n:
            assert right == answers.read(name)[0].sum(), name
        else:
            assert n == kept["limit"][0] >= 2000
            low, high = interval_of_share(right / n, n)
            assert low < test.accuracy < high, name
