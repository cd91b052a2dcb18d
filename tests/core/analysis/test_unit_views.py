"""The shares of a pose's variance that factors explain, on curves that can be checked by hand."""

import numpy as np
import pytest

from core.analysis.unit_views import FACTORS, explain, harmonics, nearest_to_tenths

TOYS, ELEVATIONS, AZIMUTHS, LIGHTS = 6, 3, 12, 4
TURN = 2 * np.pi * np.arange(AZIMUTHS) / AZIMUTHS


def poses(*components):
    """One unit whose components broadcast to [toy, elevation, azimuth, light]."""
    shape = TOYS, ELEVATIONS, AZIMUTHS, LIGHTS
    return np.stack([np.broadcast_to(component, shape) for component in components], -1)[..., None, :].astype(float)


def along(values, axis):
    """Values along one axis of a view: 1 is the elevation, 2 the azimuth, 3 the light."""
    return np.asarray(values, float).reshape([-1 if k == axis else 1 for k in range(4)])


def test_each_factor_explains_the_component_that_follows_it():
    shares = explain(poses(along(np.sin(TURN), 2), along([1, 2, 4], 1), along([0, 0, 0, 1], 3)))
    np.testing.assert_allclose(shares.share[:, 0], np.eye(3), atol=1e-9)
    np.testing.assert_allclose(shares.own[:, 0], np.eye(3), atol=1e-9)
    assert shares.follows[:, 0].tolist() == np.eye(3, dtype=bool).tolist()


def test_two_factors_divide_the_variance():
    """A sine has variance 1/2; the elevations -1, 0 and 1 have 2/3: in all 7/6."""
    shares = explain(poses(along(np.sin(TURN), 2) + along([-1, 0, 1], 1)))
    np.testing.assert_allclose(shares.share[:, 0, 0], [3 / 7, 4 / 7, 0], atol=1e-9)


def test_differences_between_toys_do_not_count():
    toys = along(10 * np.arange(TOYS), 0)
    np.testing.assert_allclose(explain(poses(along(np.cos(TURN), 2) + toys)).share[0], 1)
    constant = explain(poses(toys))
    assert not constant.share.any()
    assert not constant.follows.any()


def test_a_turn_that_differs_from_toy_to_toy_is_memorized_by_no_other():
    """The phases of six toys are spread once round: the mean of the other five is minus a fifth of each."""
    phases = 2 * np.pi * np.arange(TOYS) / TOYS
    shares = explain(poses(np.sin(TURN[None, None, :, None] + phases[:, None, None, None])))
    np.testing.assert_allclose(shares.own[0, 0, 0], 1)
    np.testing.assert_allclose(shares.share[0, 0, 0], -2 / 5 - 1 / 25)
    assert not shares.follows.any()


def test_the_curve_over_the_azimuth_has_two_waves_only():
    for waves, expected in ((1, 1), (2, 1), (3, 0)):
        np.testing.assert_allclose(harmonics(12) @ np.cos(waves * TURN), expected * np.cos(waves * TURN), atol=1e-12)
    assert explain(poses(along(np.cos(3 * TURN), 2))).share[0, 0, 0] == pytest.approx(0, abs=1e-9)


def test_noise_follows_nothing_and_its_interval_is_near_zero():
    noise = np.random.default_rng(1).normal(size=(TOYS, ELEVATIONS, AZIMUTHS, LIGHTS, 2, 16))
    shares = explain(noise)
    assert shares.follows.sum() <= 5  # of 96
    assert shares.share.max() < 0.1
    assert ((shares.low <= shares.share + 0.02) & (shares.share <= shares.high + 0.02)).all()
    assert shares.chance.shape == (len(FACTORS), 2)


def test_one_toy_cannot_be_left_out():
    with pytest.raises(ValueError, match="poses has 1 toy, wanted at least two"):
        explain(np.zeros((1, 2, 4, 2, 1, 1)))


def test_a_tenth_is_shown_by_the_view_nearest_to_its_middle():
    activation = np.stack([np.arange(100), -np.arange(100)], 1).astype(float)
    shown = np.array([50, 3, 95, 14])  # ranks of the first unit; 99 minus these of the second
    assert nearest_to_tenths(activation, shown)[0].tolist() == [1, 3, 3, 0, 0, 0, 0, 2, 2, 2]
    assert nearest_to_tenths(activation, shown)[1, [0, 9]].tolist() == [2, 1]
