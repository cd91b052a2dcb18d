"""Units matched with those of other trainings, on amounts that can be checked by hand."""

import numpy as np
import pytest

from core.measured import stability
from core.measured.__main__ import main
from core.measured.stability import measure_stability
from tests.conftest import save_tiny

OWN = {
    "numbers": np.array([1, 2]),
    "words": np.array(["a", "b", "c", "d"]),
    "lift": np.array([[1.0, 0, 0, 1], [0, 1, 0, 1]]),
    "data": np.array("4 texts"),
}


@pytest.fixture
def measured(monkeypatch):
    """The units of a network and of two other trainings: the same ones in another order, and a single one."""
    swapped = OWN | {"lift": OWN["lift"][::-1]}
    single = OWN | {"numbers": np.array([7]), "lift": OWN["lift"][:1]}
    units = {"tiny": OWN, "tiny-seed-1": swapped, "tiny-seed-2": single}
    monkeypatch.setattr(stability, "find_trainings", lambda name: {1: "tiny-seed-1", 2: "tiny-seed-2"})
    monkeypatch.setattr(stability.store, "read", lambda quantity, name: units.get(name))
    return units


def test_units_are_matched_with_those_of_each_training(measured):
    arrays, data = measure_stability("tiny")
    assert (data, arrays["seeds"].tolist()) == ("4 texts", [1, 2])
    assert arrays["partner"].tolist() == [[2, 1], [7, 0]]
    np.testing.assert_allclose(arrays["correlation"], [[1, 1], [1, np.nan]], atol=1e-12)
    np.testing.assert_allclose(arrays["others"], [[0, 0], [np.nan, np.nan]], atol=1e-12)


def test_units_of_other_texts_are_not_matched(measured):
    measured["tiny-seed-1"] = OWN | {"data": np.array("5 texts")}
    with pytest.raises(ValueError, match="the units of tiny-seed-1 are measured on 5 texts, those of tiny on 4 texts"):
        measure_stability("tiny")
    del measured["tiny-seed-1"]
    with pytest.raises(ValueError, match="units tiny-seed-1` measures them"):
        measure_stability("tiny")


def test_a_network_with_one_training_has_no_stability(tiny_folder, capsys):
    assert main(["stability", "tiny"]) == 2
    assert "there is no other training of tiny" in capsys.readouterr().err
    save_tiny(tiny_folder.parent, name="tiny-seed-1")
    assert main(["stability", "tiny"]) == 2
    assert "the units of tiny are not measured" in capsys.readouterr().err
