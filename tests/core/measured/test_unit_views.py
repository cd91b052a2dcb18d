"""Parts over views of toys, measured on a small split, and small pictures in one file."""

import json

import numpy as np
import pytest

from core.__main__ import main as run_core
from core.analysis.unit_views import Explained
from core.datasets.smallnorb import Views
from core.manifest import PRETRAINED
from core.measured import store, unit_views
from core.measured.__main__ import main
from core.networks.base import network_of
from core.pictures import thumbnails
from tests.core.measured.views import VIEWS, split, write_split


def test_every_toy_is_sorted_by_elevation_azimuth_and_light():
    views = split()
    grid = unit_views.rows_of_grid(views)
    assert grid.shape == (10, 2, 3, 2)  # of the elevations 0 to 2, every second one
    row = grid[3, 1, 2, 1]
    assert (views.categories[row], *views.info[row]) == (1, 1, 2, 24, 3)


@pytest.mark.parametrize(
    ("rows", "message"),
    [(VIEWS[1:], "a toy lacks some of the views"), ([row for row in VIEWS if row[3] < 24], "azimuths are not evenly")],
)
def test_a_split_without_whole_turns_is_refused(rows, message):
    with pytest.raises(ValueError, match=message):
        unit_views.rows_of_grid(split(rows))


def test_a_view_has_the_score_of_its_run(tiny_em_smallnorb):
    views = split()
    arrays = unit_views.measure(tiny_em_smallnorb, views, shows_pictures=False)
    category, instance, light, azimuth, elevation = arrays["shown"][arrays["tenths"][1, 9]].tolist()
    wanted = (category, instance, (elevation - 30) // 5, azimuth // 10, light - 1)
    (row,) = np.flatnonzero((np.column_stack([views.categories, views.info]) == wanted).all(1))
    run = network_of(tiny_em_smallnorb).unit_run(tiny_em_smallnorb, views.images[row])
    assert arrays["tenth_score"][1, 9] == pytest.approx(run.activation[1], abs=1e-4)
    assert np.diff(arrays["tenth_score"], axis=1).min() >= 0
    runs = [
        network_of(tiny_em_smallnorb).unit_run(tiny_em_smallnorb, views.images[row]) for row in grid_at(views, 1, 2)
    ]
    mean = np.mean([run.activation for run in runs], 0)
    np.testing.assert_allclose(arrays["score"][:, 1, 2], mean, atol=1e-4)
    assert not len(arrays["pictures"])


def grid_at(views, elevation, azimuth):
    """The numbers of the views of all toys and lights from one direction."""
    return unit_views.rows_of_grid(views)[:, elevation, azimuth].ravel()


def test_the_average_picture_differs_where_the_score_is_highest():
    """Ten flat pictures of grey 50 to 68: unit 1 is highest in the last one, unit 2 in the first one. 59 is average."""
    images = np.repeat(np.arange(50, 70, 2, dtype=np.uint8), 2 * 32 * 32).reshape(10, 2, 32, 32)
    info = np.zeros((10, 4), np.int32)
    scores = np.stack([np.arange(10.0), -np.arange(10.0)], 1)
    kept = unit_views._pictures(Views(images, info[:, 0].copy(), info), np.arange(10), np.array([4, 8]), scores)
    means = thumbnails.unpack(kept["average"], 2).mean((1, 2))
    np.testing.assert_allclose(means, [128 + 3 * 9, 128 - 3 * 9], atol=4)
    np.testing.assert_allclose(thumbnails.unpack(kept["pictures"], 2).mean((1, 2)), [58, 66], atol=4)


def test_a_curve_is_in_deviations_of_its_class():
    """The first class turns by a sine and the second does not: over both the variance is 1/4."""
    sine = np.sin(2 * np.pi * np.arange(8) / 8)
    poses = np.zeros((2, 1, 8, 1, 1, 2))
    poses[0, 0, :, 0, 0, 1] = 5 + sine
    curve = unit_views._curves(poses, np.array([1]), np.array([0, 1]), 2)
    np.testing.assert_allclose(curve[0], [2 * sine, np.zeros(8)], atol=1e-12)


def test_the_command_keeps_views_for_the_current_weights(tiny_em_smallnorb, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("core.measured.units.N_PAIRS", 10)
    views, name = split(), tiny_em_smallnorb.name
    write_split(tmp_path, views)
    assert run_core(["units", name, "--data", str(tmp_path), "--device", "cpu"]) == 0
    assert " its pose follow" in capsys.readouterr().out
    kept = store.read("views", name)
    assert str(kept["data"]) == "120 of the 121 pairs of pictures of the test split, rendered by a test, seed 0"
    assert len(thumbnails.unpack(kept["pictures"], len(kept["shown"]))) == 120
    assert store.read("units", name) is not None
    assert run_core(["units", name, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)[0]
    assert set(record["pose_follows"]) == {"azimuth", "elevation", "light"}
    with pytest.raises(ValueError, match="has been retrained in the meantime"):
        store.save("views", name, kept, "0" * 64)


def test_a_network_of_texts_has_no_views(tiny, tmp_path, norb, capsys):
    assert main(["views", tiny.name, "--data", str(norb), "--device", "cpu"]) == 2
    assert "has no parts of smallNORB's toys" in capsys.readouterr().err


def test_shipped_views_belong_to_the_shipped_weights():
    measured = [file.parent.name for file in PRETRAINED.glob("*/views.npz")]
    assert sorted(measured) == ["em-smallnorb", "em-smallnorb-views"]
    for name in measured:
        kept = store.read("views", name)
        assert (int(kept["n_toys"][0]), int(kept["n"][0])) == (25, 13_500)
        assert Explained(*(kept[field] for field in Explained._fields)).follows.any()
        assert len(thumbnails.unpack(kept["pictures"], len(kept["shown"]))) == len(kept["shown"])


@pytest.mark.parametrize("packed", [b"", b"RIFF", b"\x89PNG\r\n"])
def test_other_bytes_are_no_small_pictures(packed):
    with pytest.raises(ValueError, match="these are no 2 small pictures"):
        thumbnails.unpack(np.frombuffer(packed, np.uint8), 2)


def test_small_pictures_come_back_in_their_order():
    pictures = thumbnails.shrink(np.repeat(np.arange(20, dtype=np.uint8) * 12, 96 * 96).reshape(20, 96, 96))
    packed = thumbnails.pack(pictures)
    np.testing.assert_allclose(thumbnails.unpack(packed, 20).mean((1, 2)), np.arange(20) * 12, atol=3)
    with pytest.raises(ValueError, match="these are no 40 small pictures"):
        thumbnails.unpack(packed, 40)
