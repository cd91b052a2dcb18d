"""Measured poses of the toys of a split, and of the built-in toys."""

import json
from itertools import product

import numpy as np
import pytest

from core.datasets import binary, smallnorb, toyrig
from core.measured import poses, store
from core.measured.__main__ import main
from core.networks import run


def test_the_command_measures_every_toy_for_the_current_weights(tiny_em_smallnorb, tmp_path, monkeypatch, capsys):
    """The split has five toys of each category, each from the 162 measured directions and in one other light."""
    directions = [(e, 2 * a, 0) for e in range(9) for a in range(18)] + [(7, 8, 3)]
    rows = [(c, i, *d) for c in range(5) for i in (0, 1, 2, 3, 5) for d in directions]
    rows = np.random.default_rng(1).permutation(rows).tolist()
    table = np.array(rows, np.int32)
    images = np.random.default_rng(0).integers(0, 256, (len(rows), 2, 32, 32), np.uint8)
    for name, matrix in {"dat": images, "cat": table[:, 0].copy(), "info": table[:, 1:].copy()}.items():
        binary.write_matrix(tmp_path / f"{smallnorb.TEST}-{name}.mat", matrix)
    name = tiny_em_smallnorb.name
    metrics = {"parameters": 1, "test": {"accuracy": None}, "paper": {"accuracy": 0.5}}
    (tmp_path / "models" / name / "metrics.json").write_text(json.dumps(metrics))
    assert main(["poses", name, "--data", str(tmp_path), "--device", "cpu"]) == 0
    measured = store.read("poses", name)
    assert measured["toys"].tolist() == [[c, i] for c in range(5) for i in (0, 1, 2, 3, 5)]
    assert str(measured["data"]) == "smallNORB's files as found"
    kept = store.read("grid", name)
    assert kept["toys"].tolist() == measured["toys"].tolist()
    assert kept["grid"].dtype == np.float16
    for elevation, azimuth in ((4, 10), (7, 3)):
        number = rows.index([3, 2, elevation, 2 * azimuth, 0])  # a truck
        single = run.class_capsules(tiny_em_smallnorb, images[number : number + 1]).poses[0, 3]
        np.testing.assert_allclose(kept["grid"][3 * 5 + 2, elevation, azimuth], single, rtol=1e-3, atol=1e-5)
        if elevation == 4:
            np.testing.assert_allclose(measured["azimuth"][3 * 5 + 2, azimuth], single, rtol=1e-3, atol=1e-5)
    np.testing.assert_allclose(kept["grid"][:, :, 0], measured["elevation"], rtol=1e-3, atol=1e-5)
    assert main(["poses", name, "--data", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith("core.measured: ")
    with pytest.raises(ValueError, match="has been retrained in the meantime"):
        store.save("poses", name, measured, "0" * 64)


def test_a_toy_without_some_directions_is_refused(tiny_em_smallnorb):
    directions = [(e, 2 * a) for e in range(9) for a in range(18)]
    directions[-1] = directions[0]
    info = np.array([(0, elevation, azimuth, 0) for elevation, azimuth in directions], np.int32)
    views = smallnorb.Views(np.zeros((162, 2, 32, 32), np.uint8), np.zeros(162, np.int32), info)
    with pytest.raises(ValueError, match="toy 0 of category 0 lacks some of its 162 directions"):
        poses.measure(tiny_em_smallnorb, views)


def random_pictures(category, instance, azimuths=toyrig.AZIMUTHS, elevations=toyrig.ELEVATIONS):
    """Random pictures in place of a toy's, from these directions, in six lights."""
    seeds = [[(category, instance, azimuth, elevation) for azimuth in azimuths] for elevation in elevations]
    shape = (6, 2, 40, 32)
    return np.array([[np.random.default_rng(s).integers(0, 256, shape, np.uint8) for s in row] for row in seeds])


def test_right_answers_are_counted_at_each_elevation(tiny_em_smallnorb, tmp_path, monkeypatch):
    monkeypatch.setattr(toyrig, "INSTANCES", {"test": (1, 2)})
    monkeypatch.setattr(toyrig, "photographs", random_pictures)
    monkeypatch.setattr(poses, "UNTRAINED", (10,))
    arrays, _ = poses.measure_elevations(tiny_em_smallnorb, tmp_path)
    right = 0
    for category, instance in product(range(5), (1, 2)):
        pairs = random_pictures(category, instance, elevations=[50])[0, :, 0]
        right += (run.class_capsules(tiny_em_smallnorb, pairs).probabilities.argmax(1) == category).sum()
    assert arrays["degrees"].tolist() == [10, 50]
    assert arrays["right"][1] == right
    assert arrays["n"] == [10 * 18]


def test_every_built_in_toy_is_rendered_from_all_directions(tiny_em_smallnorb, tmp_path, monkeypatch):
    monkeypatch.setattr(toyrig, "KINDS", tuple(kinds[:1] for kinds in toyrig.KINDS))
    monkeypatch.setattr(toyrig, "photographs", random_pictures)
    arrays, data = poses.measure_built_in(tiny_em_smallnorb, tmp_path)
    assert arrays["toys"].tolist() == [[c, 0] for c in range(5)]
    assert arrays["views"].shape == (5, 27, 4, 4)
    lowest = toyrig.photographs(2, 0, [0], [30])[0, 0, :1]
    np.testing.assert_allclose(
        arrays["views"][2, 18], run.class_capsules(tiny_em_smallnorb, lowest).poses[0, 2], rtol=1e-3
    )
    assert "built-in" in data
