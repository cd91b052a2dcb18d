"""Poses in a plane and in space, compared, aligned and read out."""

import numpy as np
import pytest
from scipy.spatial import procrustes
from scipy.spatial.distance import pdist

from core.analysis.poses import METHODS, align, circular, compare_with_first, held_out_r2, principal, project
from core.analysis.scenes import means

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("n_dims", [2, 3])
def test_flat_points_are_laid_out_without_stress(n_dims):
    flat = RNG.normal(size=(6 * 4, n_dims))
    turned = flat @ np.linalg.qr(RNG.normal(size=(4, 4)))[0][:n_dims] + 3
    places = project(turned.reshape(6, 4, 4), n_dims)
    assert places.points.shape == (6, 4, n_dims)
    assert places.stress < 1e-3
    np.testing.assert_allclose(pdist(places.points.reshape(-1, n_dims)), pdist(flat), rtol=1e-2)


def test_space_keeps_distances_better_than_a_plane():
    poses = RNG.normal(size=(9, 4, 4))
    assert project(poses, 3).stress < project(poses, 2).stress


def test_equal_poses_give_equal_points_and_their_stress():
    poses = RNG.normal(size=(9, 4, 4))
    first, second = project(poses), project(poses)
    np.testing.assert_array_equal(first.points, second.points)
    expected, distances = pdist(poses.reshape(-1, 4)), pdist(first.points.reshape(-1, 2))
    assert first.stress == pytest.approx(np.sqrt(((expected - distances) ** 2).sum() / (distances**2).sum()), rel=0.05)


def test_equal_poses_are_all_projected_to_0():
    for n_dims in (2, 3):
        places = project(np.ones((3, 4, 4)), n_dims)
        assert places.points.shape == (3, 4, n_dims)
        assert places == (pytest.approx(0), 0.0)


def test_views_are_compared_with_the_first_by_hand():
    views = np.array([[[2.0, 0.0]], [[0.0, 2.0]], [[-4.0, 0.0]]])  # three views of one vector
    turned = compare_with_first(views)
    np.testing.assert_allclose(turned.distance[:, 0], [0, np.sqrt(2), 3])
    np.testing.assert_allclose(turned.norm[:, 0], [1, 1, 2])
    np.testing.assert_allclose(turned.cosine[:, 0], [1, 0, -1], atol=1e-12)


def test_many_toys_at_once_give_the_results_of_single_toys():
    poses = RNG.normal(size=(5, 18, 4, 4)).astype(np.float32)
    together = compare_with_first(poses)
    for toy in range(5):
        for single, batch in zip(compare_with_first(poses[toy]), together, strict=True):
            np.testing.assert_array_equal(single, batch[toy])


def test_a_vector_of_length_zero_has_no_angle():
    turned = compare_with_first(np.array([[[0.0, 0.0]], [[1.0, 0.0]]]))
    assert np.isnan(turned.distance).all()
    assert np.isnan(turned.cosine).all()


def test_angles_are_neighbours_across_zero():
    first, second = circular(np.array([359.0, 1.0]))
    assert np.linalg.norm(first - second) < 0.04


def test_linear_values_are_read_off_unseen_toys_and_noise_is_not():
    toys = np.repeat(np.arange(10), 18)
    features = RNG.normal(size=(180, 16))
    linear = features @ RNG.normal(size=(16, 2)) + 0.01 * RNG.normal(size=(180, 2))
    assert (held_out_r2(features, linear, toys) > 0.99).all()
    assert (held_out_r2(features, RNG.normal(size=(180, 1)), toys) < 0.1).all()
    per_toy = RNG.normal(size=(10, 1))[toys]  # one value for each toy, which nothing tells about an unseen toy
    one_hot = np.eye(10)[toys]
    assert held_out_r2(features, linear, toys).shape == (10, linear.shape[1])
    assert (held_out_r2(one_hot, per_toy, toys) <= 0.01).all()
    with pytest.raises(ValueError, match="wanted at least two"):
        held_out_r2(features, linear, np.zeros(180, int))


@pytest.mark.parametrize("method", METHODS)
def test_every_method_reads_a_curve_off_features(method):
    angle = np.tile(np.linspace(0, 2 * np.pi, 60, endpoint=False), 4)
    features = np.column_stack([np.sin(angle), np.cos(angle)]) + RNG.normal(0, 0.02, (240, 2))
    target = circular(np.degrees(angle))
    assert (held_out_r2(features, target, np.repeat(np.arange(4), 60), method) > 0.9).all()


def test_an_unknown_method_is_refused():
    with pytest.raises(ValueError, match="method is 'guess', wanted one of linear, nearest neighbours, small MLP"):
        held_out_r2(np.eye(4), np.eye(4), np.array([0, 0, 1, 1]), "guess")


def test_a_turned_scaled_and_moved_shape_is_aligned_with_the_first():
    generator = np.random.default_rng(0)
    first = generator.normal(size=(5, 4, 4))
    turn = np.linalg.qr(generator.normal(size=(4, 4)))[0]
    aligned = align(np.stack([first, 3 * first @ turn + 7]))
    np.testing.assert_allclose(aligned.poses, [first, first], atol=1e-9)
    np.testing.assert_allclose(aligned.disparity, [0, 0], atol=1e-12)


def test_the_disparity_agrees_with_scipy():
    poses = np.random.default_rng(1).normal(size=(3, 6, 4, 4))
    expected = [procrustes(poses[0].reshape(-1, 4), other.reshape(-1, 4))[2] for other in poses]
    np.testing.assert_allclose(align(poses).disparity, expected, atol=1e-12)


def test_a_toy_without_movement_is_put_in_the_middle_of_the_first():
    poses = np.stack([np.random.default_rng(2).normal(size=(6, 4, 4)), np.ones((6, 4, 4))])
    aligned = align(poses)
    np.testing.assert_allclose(aligned.poses[1], np.broadcast_to(poses[0].mean((0, 1)), (6, 4, 4)))
    assert aligned.disparity[1] == pytest.approx(1)


def test_principal_components_keep_a_flat_shape_and_their_share():
    flat = RNG.normal(size=(3, 6, 4, 2)) @ np.linalg.qr(RNG.normal(size=(4, 4)))[0][:2]
    points, share = principal(flat, 2)
    np.testing.assert_allclose(pdist(points.reshape(-1, 2)), pdist(flat.reshape(-1, 4)), atol=1e-9)
    assert share == pytest.approx(1)
    assert principal(np.array([[3.0, 0, 0, 0], [-3, 0, 0, 0], [0, 1, 0, 0], [0, -1, 0, 0]]), 1).share == pytest.approx(
        0.9
    )
    assert principal(np.ones((2, 3, 4)), 3).share == 1
    assert principal(np.ones((2, 3, 4)), 3).points == pytest.approx(0)
    assert principal(np.ones((1, 1, 4)), 2).points.shape == (1, 1, 2)


def test_means_of_the_points_are_the_projected_means():
    draw = np.random.default_rng(1)
    votes, coupling = draw.standard_normal((4, 2, 7)), draw.dirichlet(np.ones(2), size=(3, 4))
    both = np.concatenate([votes, means(coupling[-1], votes)[None]])
    plane = principal(votes, 2)
    with_means = means(coupling[-1], plane.points)
    centred = (both - votes.mean((0, 1))).reshape(-1, 7)
    axes = np.linalg.svd(centred[:8], full_matrices=False)[2][:2]
    assert np.abs(with_means) == pytest.approx(np.abs(centred[8:] @ axes.T))
    assert 0 < plane.share < 1
