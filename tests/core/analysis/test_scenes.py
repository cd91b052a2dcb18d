"""Scenes of parts and of clouds for the Lab: their poses, their votes, and the choices of each routing."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import lab
from core.analysis.scenes import (
    KINDS,
    OUTLIER,
    WHOLES,
    clouds,
    compose,
    directions,
    house_or_boat,
    invert,
    means,
    parts_of,
    pose,
)

poses = st.builds(pose, st.floats(-50, 50), st.floats(-50, 50), st.floats(-360, 360), st.floats(0.2, 5))
wholes = st.sampled_from(WHOLES)
some_kinds = st.sampled_from([kinds for n in (2, 3, 4) for kinds in combinations(KINDS, n)])


def test_poses_by_hand():
    """In a part at (1, 2), turned by 90 degrees and twice as large, a point one to the right is two above (1, 2)."""
    moved = compose(pose(1, 2, 90, 2), pose(1, 0))
    assert moved == pytest.approx([1, 4, 0, 2])


@given(poses, poses)
def test_the_inverse_undoes_a_pose(first, second):
    assert compose(invert(first), compose(first, second)) == pytest.approx(second, abs=1e-9)


@given(wholes, some_kinds, poses)
def test_votes_agree_where_the_parts_form_the_whole(whole, kinds, at):
    votes = house_or_boat(parts_of(whole, kinds, at), kinds)
    assert votes.shape == (len(kinds), 2, 4)
    j = WHOLES.index(whole)
    length = np.linalg.norm(at)
    assert votes[:, j] / length == pytest.approx(np.tile(at, (len(kinds), 1)) / length, abs=1e-12)
    assert np.ptp(votes[:, 1 - j], axis=0).max() > 0.1  # votes for the other whole disagree
    assert (house_or_boat(parts_of(whole, kinds, at), kinds, dims=2) == votes[..., :2]).all()


@given(wholes, some_kinds, poses, st.integers(2, 10))
def test_each_routing_picks_the_whole_that_the_parts_form(whole, kinds, at, n_iters):
    votes = house_or_boat(parts_of(whole, kinds, at), kinds)
    for run in lab.compare(directions(votes), n_iters):
        assert run.winner == WHOLES.index(whole), run.name
        assert means(run.coupling[-1], votes)[run.winner] == pytest.approx(at, rel=1e-6, abs=1e-6)


@given(wholes, poses, st.integers(0, 5))
def test_wholes_move_with_all_their_parts(whole, by, seed):
    parts = parts_of(whole) + 0.3 * np.random.default_rng(seed).standard_normal((4, 4))
    votes, moved = house_or_boat(parts), house_or_boat(compose(by, parts))
    np.testing.assert_allclose(moved, compose(by, votes), atol=1e-9)
    runs, runs_moved = lab.compare(directions(votes)), lab.compare(directions(moved))
    for run, other in zip(runs[:3], runs_moved[:3], strict=True):  # not EM, whose variances depend on the axes
        np.testing.assert_allclose(other.coupling, run.coupling, atol=1e-6)
        after = means(run.coupling[-1], votes)
        np.testing.assert_allclose(means(other.coupling[-1], moved), compose(by, after), atol=1e-4)


@given(wholes, st.floats(-50, 50), st.floats(-50, 50), st.floats(0.2, 5))
def test_em_follows_a_scene_that_moves_without_a_turn(whole, x, y, size):
    parts = parts_of(whole) + 0.3 * np.random.default_rng(1).standard_normal((4, 4))
    votes, moved = house_or_boat(parts), house_or_boat(compose(pose(x, y, 0, size), parts))
    run, other = lab.compare(directions(votes))[3], lab.compare(directions(moved))[3]
    np.testing.assert_allclose(other.coupling, run.coupling, atol=1e-5)


def test_a_batch_of_scenes_has_the_votes_of_single_scenes():
    scenes = np.stack([parts_of("house"), parts_of("boat", at=pose(1, 2, 30, 0.7))])
    votes = house_or_boat(scenes)
    assert votes.shape == (2, 4, 2, 4)
    assert all((house_or_boat(scene) == batched).all() for scene, batched in zip(scenes, votes, strict=True))


def test_further_parts_do_not_change_the_noise_of_others():
    two, four = (house_or_boat(parts_of("house", kinds), kinds, noise=0.1) for kinds in (KINDS[:2], KINDS))
    assert (four[:2] == two).all()
    assert 0.01 < np.std(four[:, 0] - pose(0, 0)) < 0.3


@pytest.mark.wrong_arguments
@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: house_or_boat(np.zeros((2, 3))), "poses has shape"),
        (lambda: house_or_boat(np.zeros((4, 4))), "size 0"),
        (lambda: house_or_boat(np.full((4, 4), np.nan)), "not finite"),
        (lambda: house_or_boat(parts_of("house"), dims=3), "dims is 3, wanted 2 or 4"),
        (lambda: parts_of("tree"), "whole is 'tree', wanted one of house, boat"),
        (lambda: parts_of("boat", ["wheel"]), "kind is 'wheel'"),
        (lambda: clouds(0), "n_inputs is 0"),
        (lambda: clouds(spare=-1), "spare is -1, wanted at least 0"),
        (lambda: clouds(outliers=1.5), "outliers is 1.5"),
        (lambda: clouds(spread=-1), "spread is -1"),
        (lambda: lab.compare(np.full((2, 2, 2), np.inf)), "finite"),
        (lambda: lab.compare(np.zeros((2, 2))), "votes has shape"),
    ],
)
def test_bad_input_gives_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_clouds_gather_around_their_centres():
    made = clouds(60, 3, spread=0.05, outliers=0.1, imbalance=0.5, scale=2)
    assert np.bincount(made.members - OUTLIER).tolist() == [6, 31, 15, 8]
    for j in range(3):
        ours = made.votes[made.members == j, j]
        assert np.linalg.norm(ours - made.centres[j], axis=1).max() < 2 * 0.05 * 5
    assert np.linalg.norm(made.centres, axis=1) == pytest.approx([2, 2, 2])
    assert (clouds(10).votes == clouds(10).votes).all()
    spare = clouds(60, 3, spread=0.05, outliers=0.1, imbalance=0.5, scale=2, spare=2)
    assert spare.votes.shape == (60, 5, 2)
    assert (spare.votes[:, :3] == made.votes).all()
