"""Features from which directions are predicted, and the table of how well this works."""

import numpy as np
import pytest

from core.datasets import ViewSubset, smallnorb
from core.measured import readout
from core.measured.readout import block_means


def test_features_are_the_true_pose_and_the_mean_last_convolution(tiny_em_smallnorb, norb):
    views = smallnorb.load(norb, "test")
    split = ViewSubset(views, np.arange(len(views)))
    poses, convolved = readout.features(tiny_em_smallnorb, split)
    model, inputs = tiny_em_smallnorb.model, tiny_em_smallnorb.inputs(np.asarray(views.images))
    _, means, _ = model.class_capsules(**inputs)
    expected = means[range(len(views)), views.categories.tolist()].flatten(1)
    np.testing.assert_allclose(poses, expected.detach(), rtol=1e-4, atol=1e-6)
    assert convolved.shape == (len(views), 4)


def test_every_combination_has_a_row(tiny_em_smallnorb, norb, monkeypatch):
    random = np.random.default_rng(0)
    n = 5 * 2 * 20  # categories; toys; views
    number = np.arange(n)
    info = np.stack([(number // 5) % 2 + 1, number % 9, 2 * (number % 18), 0 * number], 1)  # as in smallNORB's info
    views = smallnorb.Views(random.integers(0, 256, (n, 2, 40, 40), np.uint8), number % 5, info)
    monkeypatch.setattr(smallnorb, "load", lambda folder, split: views)
    arrays = readout.measure({"tiny": tiny_em_smallnorb}, norb)
    n_rows = (1 + 2) * 3 * 5 * 2 * 2  # pixels and two features; methods; categories; directions; toys
    assert {len(column) for column in arrays.values()} == {n_rows}
    assert set(arrays["network"]) == {"none", "tiny"}
    assert set(arrays["features"]) == {"pixels", "poses", "last convolution"}
    assert set(arrays["direction"]) == {"azimuth", "elevation"}
    assert set(arrays["toy"]) == {1, 2}
    assert np.isfinite(arrays["r2"]).all()


def test_a_network_that_reads_text_is_refused(tiny, norb):
    with pytest.raises(ValueError, match="not smallNORB's categories"):
        readout.features(tiny, smallnorb.all_views(norb, "test"))


def test_pixels_are_the_mean_greys_of_squares():
    images = np.zeros((1, 2, 96, 96), np.uint8)
    images[0, 1, :8, 8:16] = 200
    means = block_means(images)
    assert means.shape == (1, 2 * 12 * 12)
    assert np.flatnonzero(means[0]).tolist() == [12 * 12 + 1]
