import numpy as np
import pytest

from core.analysis.plane import project
from core.analysis.scenes import means


def test_votes_in_a_plane_keep_their_distances():
    draw = np.random.default_rng(0)
    flat = draw.standard_normal((5, 3, 2))
    axes, _ = np.linalg.qr(draw.standard_normal((6, 2)))
    plane = project(flat @ axes.T + 3)
    assert plane.share == pytest.approx(1)

    def distances(points):
        points = points.reshape(15, -1)
        return np.linalg.norm(points[:, None] - points[None], axis=-1)

    np.testing.assert_allclose(distances(plane.points), distances(flat), atol=1e-9)


def test_the_share_by_hand():
    """Variances 9, 4 and 1 along three axes: the plane shows 13 of 14."""
    votes = np.array([[[3.0, 0, 0]], [[-3, 0, 0]], [[0, 2, 0]], [[0, -2, 0]], [[0, 0, 1]], [[0, 0, -1]]])
    assert project(votes).share == pytest.approx(13 / 14)


def test_equal_votes_are_one_point():
    plane = project(np.ones((2, 2, 5)))
    assert plane.share == 1
    assert plane.points == pytest.approx(0)


def test_means_of_the_points_are_the_projected_means():
    draw = np.random.default_rng(1)
    votes, coupling = draw.standard_normal((4, 2, 7)), draw.dirichlet(np.ones(2), size=(3, 4))
    both = np.concatenate([votes, means(coupling[-1], votes)[None]])
    plane, with_means = project(votes), means(coupling[-1], project(votes).points)
    centred = (both - votes.mean((0, 1))).reshape(-1, 7)
    axes = np.linalg.svd(centred[:8], full_matrices=False)[2][:2]
    assert np.abs(with_means) == pytest.approx(np.abs(centred[8:] @ axes.T))
    assert 0 < plane.share < 1
