"""The sweep of viewpoints: its networks, directions and rows."""

import dataclasses

import numpy as np
import pandas as pd

from core.datasets import binary, smallnorb
from core.models import EMSmallNORB, EMSmallNORBConfig
from core.models.convolutional import ConvolutionalSmallNORB
from core.sweep import viewpoints
from core.sweep.__main__ import main
from core.training.schedules import Schedule


def test_both_networks_have_nearly_the_same_size():
    sizes = [sum(p.numel() for p in make(EMSmallNORBConfig()).parameters()) for make in viewpoints.NETWORKS.values()]
    assert abs(sizes[0] - sizes[1]) < 1e-3 * sizes[0]
    assert {"EM routing": EMSmallNORB, "convolutions": ConvolutionalSmallNORB} == viewpoints.NETWORKS


def test_training_uses_a_third_of_the_directions_side_by_side():
    assert [len(seen) for seen in viewpoints.SEEN.values()] == [18 // 3, 9 // 3]
    # Azimuths have the labels 0, 2, .. 34; those above 17 lie before 0.
    unwrapped = [label - 36 if label > 17 else label for label in viewpoints.SEEN["azimuth"]]
    assert np.diff(unwrapped).tolist() == [2] * 5


def test_a_row_has_the_accuracy_on_every_toy_in_every_direction(tmp_path, monkeypatch):
    """The pictures have 60 pixels a side and three azimuths; the training uses two of them."""
    monkeypatch.setattr(viewpoints, "SEEN", {"azimuth": (0, 2)})
    monkeypatch.setattr(viewpoints, "NETWORKS", {"EM routing": EMSmallNORB})
    monkeypatch.setattr(viewpoints, "SCHEDULE", Schedule(epochs=2, lr=1e-3, evaluations=1, kept=(0.5, 1.0)))
    tiny = dataclasses.replace(viewpoints.BASE, network=EMSmallNORBConfig(n_channels=2, n_detected=2, n_parts=2))
    monkeypatch.setattr(viewpoints, "BASE", tiny)
    random, k = np.random.default_rng(0), np.arange(60)
    for split, instances in (("train", (8, 9)), ("test", (0, 1))):
        info = np.stack([np.take(instances, (k // 5) % 2), k % 9, 2 * (k // 10 % 3), k % 6], 1)  # as in smallNORB
        matrices = (random.integers(0, 256, (60, 2, 60, 60), np.uint8), k % 5, info)
        for role, matrix in zip(("dat", "cat", "info"), matrices, strict=True):
            stored = matrix if role == "dat" else matrix.astype(np.int32)
            binary.write_matrix(tmp_path / f"{smallnorb.STEMS[split]}-{role}.mat", stored)
    case = next(viewpoints.cases(1))
    train, dev, _ = viewpoints.training(case).splits(tmp_path)
    assert set(train.views.info[train.numbers, 2]) == set(dev.views.info[dev.numbers, 2]) == {0, 2}
    out = tmp_path / "t.parquet"
    command = ["viewpoints", "--data", str(tmp_path), "--seeds", "1", "--workers", "1", "--device", "cpu"]
    assert main([*command, "--out", str(out)]) == 0
    row = pd.read_parquet(out).iloc[0]
    assert (row["network"], row["direction"], row["trained_on"]) == ("EM routing", "azimuth", 20)
    assert (row["shares"].tolist(), row["degrees"].tolist()) == ([0.5, 1.0], [0, 20, 40])
    assert row["is_seen"].tolist() == [True, True, False]
    accuracy = np.array([[toys.tolist() for toys in directions] for directions in row["accuracy"]])
    assert accuracy.shape[:2] == (2, 3)
    assert np.nanmin(accuracy) >= 0
    assert np.nanmax(accuracy) <= 1


def test_pictures_are_halved_by_means_of_four_pixels():
    images = np.zeros((3, 2, 4, 4), np.uint8)
    images[2, 1, :2, 2:] = [[10, 20], [30, 41]]
    views = smallnorb.Views(images, np.array([0, 1, 2]), np.zeros((3, 4), int))
    smaller = viewpoints.halved(smallnorb.ViewSubset(views, np.array([2, 0])))
    assert smaller.views.images.shape == (2, 2, 2, 2)
    assert smaller.views.images[0, 1].tolist() == [[0, 25], [0, 0]]
    assert smaller.views.images.sum() == 25
    assert smaller.views.categories.tolist() == [2, 0]
