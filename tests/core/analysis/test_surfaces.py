"""Surfaces of poses over azimuth and elevation, by hand and on the shipped networks."""

import numpy as np
import pytest

from core.analysis.rings import unit_circle
from core.analysis.surfaces import fit_directions, read_points, surface
from core.manifest import PRETRAINED

AZIMUTHS, ELEVATIONS = np.array([0.0, 90, 180, 270]), np.array([30.0, 50, 70])
DIRECTIONS = np.stack([np.tile(AZIMUTHS, 3), np.repeat(ELEVATIONS, 4)], 1)
TUBE = np.concatenate([unit_circle(DIRECTIONS[:, 0]), DIRECTIONS[:, 1:]], 1).reshape(3, 4, 3)
TESTED_ON = (0, 1, 2, 3, 5)


def test_the_tube_itself_has_no_errors_and_its_full_size():
    found = surface(TUBE, AZIMUTHS, ELEVATIONS)
    np.testing.assert_allclose(found.azimuth_errors, 0, atol=1e-9)
    np.testing.assert_allclose(found.elevation_errors, 0)
    assert (found.width, found.height) == (pytest.approx(1), pytest.approx(1))
    assert found.constant_error == pytest.approx(40 / 3)  # 50 is 20, 0 and 20 off


def test_a_turned_and_shrunken_tube_is_measured():
    """By hand: 90 degrees on, no part points to the true azimuth; half the height, elevations are 10, 0 and 10 off."""
    points = np.roll(TUBE, -1, 1)
    points[..., 2] = 50 + (points[..., 2] - 50) / 2
    found = surface(points, AZIMUTHS, ELEVATIONS)
    np.testing.assert_allclose(found.azimuth_errors, 90)
    np.testing.assert_allclose(found.elevation_errors, [[10] * 4, [0] * 4, [-10] * 4])
    assert (found.width, found.height) == (pytest.approx(0, abs=1e-9), pytest.approx(0.5))
    assert surface(points * [0.5, 0.5, 1], AZIMUTHS, ELEVATIONS).height == pytest.approx(0.5)
    assert surface(TUBE * [0.25, 0.25, 1], AZIMUTHS, ELEVATIONS).width == pytest.approx(0.25)


def test_maps_read_directions_off_poses_of_another_toy():
    rng = np.random.default_rng(0)
    mixing = rng.normal(size=(3, 6))
    poses = TUBE.reshape(12, 3) @ mixing + 3
    fitted = np.concatenate([poses, poses + 0.001 * rng.normal(size=(12, 6))])
    points = read_points(fit_directions(fitted, np.tile(DIRECTIONS, (2, 1))), poses)
    np.testing.assert_allclose(points, TUBE.reshape(12, 3), atol=0.05)


@pytest.mark.parametrize(
    ("name", "azimuth", "elevation", "width"),
    [("em-smallnorb-views", (0, 35), (0, 5), (0.5, 1.5)), ("em-smallnorb", (50, 90), (6, 11.1), (0, 0.4))],
)
def test_surfaces_are_wide_where_poses_were_trained_to_turn(name, azimuth, elevation, width):
    """The maps are fitted to the four other test toys of each category."""
    azimuths, elevations = np.arange(0, 360, 20.0), np.arange(30, 71, 5.0)
    directions = np.stack([np.tile(azimuths, 9), np.repeat(elevations, 18)], 1)
    with np.load(PRETRAINED / name / "grid.npz") as file:
        toys, poses = file["toys"], file["grid"].reshape(25, 162, -1).astype(float)
    found = []
    for k, (category, instance) in enumerate(toys.tolist()):
        assert instance in TESTED_ON
        others = np.flatnonzero((toys[:, 0] == category) & (np.arange(25) != k))
        readouts = fit_directions(poses[others].reshape(-1, 16), np.tile(directions, (4, 1)))
        found.append(surface(read_points(readouts, poses[k]).reshape(9, 18, 3), azimuths, elevations))
    means = [
        np.mean([np.abs(one.azimuth_errors).mean() for one in found]),
        np.mean([np.abs(one.elevation_errors).mean() for one in found]),
        np.mean([one.width for one in found]),
    ]
    for mean, (low, high) in zip(means, (azimuth, elevation, width), strict=True):
        assert low <= mean <= high
