"""The kept description of a network's units."""

from dataclasses import replace

import numpy as np
import pytest

from core.manifest import PRETRAINED
from core.measured import store, units
from core.measured.__main__ import main
from core.networks.base import UnitRun
from tests.conftest import save_tiny


@pytest.mark.parametrize("kind", ["dragg", "agt", "cccaps", "drnn"])
def test_the_command_keeps_what_units_take_and_do(tmp_path, monkeypatch, trees, kind):
    monkeypatch.setenv("ROUTESCOPE_MODELS", str(tmp_path / "models"))
    save_tiny(tmp_path / "models", kind, "tiny")
    assert main(["units", "tiny", "--data", str(trees), "--device", "cpu"]) == 0
    kept = store.read("units", "tiny")
    assert str(kept["data"]) == "4 of the 4 texts of the test split"
    n_units, n_classes = kept["effect"].shape
    assert n_classes == 5
    assert kept["numbers"].tolist() == list(range(1, n_units + 1))
    assert kept["texts"].max() <= 3


def test_units_are_described_on_the_shipped_sentences_too(tmp_path, monkeypatch, tiny):
    sentences = units.shipped.sentences()[:40]
    monkeypatch.setattr(units.shipped, "sentences", lambda: sentences)
    arrays, data = units.measure_reading(tiny, tmp_path)
    assert data == "the 40 sentences of the program"
    assert np.unpackbits(arrays["active"], axis=1).sum(1).max() <= 10


def run_of(amounts):
    """A run of two words in which the answer changes only without unit 1."""
    taken = np.array(amounts, float)
    without = np.array([[0.9, 0.1], [0.2, 0.8]])
    return UnitRun(np.array([[0, 3], [4, 8]]), taken, taken.sum(1), np.array([0.9, 0.1]), without)


def test_arrays_of_two_units_by_hand():
    runs = [run_of([[1, 1], [0, 2]]), run_of([[1, 1], [0, 4]])] * 4
    arrays = units.describe(("negative", "positive"), ["not good"] * 8, runs)
    assert arrays["words"].tolist() == ["not", "good"]
    assert arrays["counts"].tolist() == [8, 8]
    assert arrays["lift"].tolist() == [[1, 1], [0, 2]]
    np.testing.assert_allclose(arrays["effect"], [[0, 0], [0.7, -0.7]], atol=1e-12)
    assert arrays["flips"].tolist() == [0, 1]
    assert arrays["idle"].tolist() == [1, 0]
    assert arrays["top"][1, 0, 0].tolist() == [[4, 8], [-1, -1], [-1, -1], [-1, -1]]
    # Unit 1 takes twice the average of the last word, and so do the rules "praise" and "last words".
    assert arrays["names"].tolist() == ["", "praise"]
    assert arrays["accuracy"][1] == 1


def test_units_of_pictures_are_named_by_answers_only():
    runs = [replace(run_of([[1, 1], [0, 2]]), spans=np.zeros((0, 2), int))] * 8
    arrays = units.describe(("animal", "human"), [np.zeros((2, 4, 4))] * 8, runs)
    assert arrays["words"].tolist() == ["place 1", "place 2"]
    assert set(arrays["aims"]) == {"active"}
    assert set(arrays["rules"]) <= {"animal answers", "human answers"}


def test_only_the_units_that_matter_most_are_kept(monkeypatch):
    monkeypatch.setattr(units, "MAX_UNITS", 1)
    arrays = units.describe(("negative", "positive"), ["not good"] * 8, [run_of([[1, 1], [0, 2]])] * 8)
    assert arrays["numbers"].tolist() == [2]
    assert arrays["lift"].shape == (1, 2)


def test_documents_become_texts():
    assert units.as_text([["A", "film", "."], ["Fine", "."]]) == "A film. Fine."
    assert units.as_text(["A", "film", "."]) == "A film."


def test_shipped_units_belong_to_the_shipped_weights():
    """Every shipped network of words has a description of its units, which can be read."""
    for quantity in ("units", "reading"):
        measured = [file.parent.name for file in PRETRAINED.glob(f"*/{quantity}.npz")]
        assert len(measured) >= 10
        assert all(store.read(quantity, name) is not None for name in measured)
