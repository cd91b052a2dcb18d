"""Rings: planes in which directions are read off, and scores of how well points go round."""

import numpy as np
import pytest

from core.analysis.rings import (
    align,
    directions_of,
    errors,
    fit_plane,
    fit_plane_to_others,
    goes_round,
    score_toys,
    unit_circle,
)
from core.manifest import PRETRAINED

AZIMUTHS = np.arange(0, 360, 20.0)
RNG = np.random.default_rng(0)


def test_a_plane_reads_directions_off_poses_of_another_toy():
    mixing = RNG.normal(size=(2, 6))
    poses = unit_circle(AZIMUTHS) @ mixing + 3 + 0.01 * RNG.normal(size=(18, 6))
    plane = fit_plane(np.concatenate([poses, poses + 0.01 * RNG.normal(size=(18, 6))]), np.tile(AZIMUTHS, 2))
    new = unit_circle(AZIMUTHS + 7) @ mixing + 3
    points = plane.read(new)
    np.testing.assert_allclose(directions_of(points), AZIMUTHS + 7, atol=2)
    np.testing.assert_allclose(errors(points, AZIMUTHS), 7, atol=2)


def test_a_number_that_never_changes_does_not_count():
    poses = np.concatenate([unit_circle(AZIMUTHS), np.full((18, 1), 5.0)], 1)
    points = fit_plane(poses, AZIMUTHS).read(poses)
    assert np.isfinite(points).all()
    assert np.abs(errors(points, AZIMUTHS)).max() < 1


@pytest.mark.parametrize("turned_by", [0, 73])
def test_a_circle_goes_round_wherever_it_begins_and_lies(turned_by):
    points = 2 * unit_circle(AZIMUTHS + turned_by) + [5, -3]
    found = goes_round(points, AZIMUTHS)
    assert found.score == pytest.approx(1)
    assert 0.1 < found.by_chance < 0.3
    mirrored = points * [1, -1]
    assert goes_round(mirrored, AZIMUTHS).score < 0.2
    assert goes_round(mirrored, AZIMUTHS, either_way=True).score == pytest.approx(1)


def test_going_round_twice_is_not_going_round():
    assert goes_round(unit_circle(2 * AZIMUTHS), AZIMUTHS).score < 1e-9


@pytest.mark.parametrize("way", [1, -1])
def test_directions_are_turned_and_mirrored_to_fit_the_true_ones(way):
    turned = 2 * unit_circle(way * AZIMUTHS + 130 + RNG.normal(size=18))
    found = align(turned, AZIMUTHS)
    assert found.turn == pytest.approx(130, abs=1)
    assert found.is_mirrored == (way < 0)
    aligned = found.apply(turned)
    assert np.abs(errors(aligned, AZIMUTHS)).max() < 5
    np.testing.assert_allclose(np.linalg.norm(aligned, axis=1), 2)


def test_directions_that_fit_neither_way_are_not_mirrored():
    read = unit_circle(np.zeros(18))
    assert not align(read, AZIMUTHS).is_mirrored


def test_a_toy_is_scored_by_a_plane_fitted_to_the_others():
    toys, mixing = np.array([(0, 0), (0, 1), (1, 0), (1, 1)]), RNG.normal(size=(2, 4))
    turns = np.stack([unit_circle(AZIMUTHS) @ mixing + 0.01 * RNG.normal(size=(18, 4)) for _ in toys])
    turns[3] = RNG.normal(size=(18, 4))  # nothing can be read off this toy, nor by a plane fitted to it
    scores = score_toys(toys, turns.reshape(4, 18, 2, 2), AZIMUTHS, (0,))
    assert scores.shape == (2,)  # instance 1 was not asked for
    assert scores[0] == pytest.approx(1, abs=0.01)
    plane = fit_plane_to_others(toys, turns.reshape(4, 18, 2, 2), AZIMUTHS, 1, left_out=0)
    assert scores[1] == goes_round(plane.read(turns[2]), AZIMUTHS).score
    assert scores[1] < 0.9


def test_errors_are_the_short_way_round():
    np.testing.assert_allclose(errors(unit_circle(np.array([350.0, 10])), np.array([10.0, 350])), [-20, 20])


@pytest.mark.parametrize(
    ("name", "lowest", "highest", "n_rings"),
    [("em-smallnorb-views", 0.85, 1, range(21, 26)), ("em-smallnorb", 0, 0.5, range(2))],
)
def test_poses_of_test_toys_go_round_where_they_were_trained_to(name, lowest, highest, n_rings):
    """Each plane is fitted to the nine other toys of the category."""
    with np.load(PRETRAINED / name / "built_in.npz") as file:
        scores = score_toys(file["toys"], file["views"][:, :18], AZIMUTHS, (0, 1, 2, 3, 5))
    assert len(scores) == 25
    assert lowest <= np.mean(scores) <= highest
    assert sum(score > 0.8 for score in scores) in n_rings
