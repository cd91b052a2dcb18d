"""Power laws of the error, and the band around them."""

import numpy as np
import pytest

from core.analysis.learning import band, fit_power_law

SIZES = [1000, 4000, 12_000]


def test_a_power_law_is_recovered():
    errors = 3.0 * np.array(SIZES) ** -0.4
    law = fit_power_law(SIZES, errors)
    assert law == pytest.approx((3.0, 0.4))
    np.testing.assert_allclose(law.error(np.array([120_000.0])), 3.0 * 120_000**-0.4)


def test_two_sizes_are_too_few():
    with pytest.raises(ValueError, match="wanted at least three positive numbers"):
        fit_power_law([1, 2, 2], [0.3, 0.2, 0.2])
    with pytest.raises(ValueError, match="wanted at least three positive numbers"):
        fit_power_law(SIZES, [0.3, 0.2, 0.0])


def test_the_band_contains_the_law_and_widens_beyond_the_sizes():
    errors, at = 3.0 * np.array(SIZES) ** -0.4, np.array([4000.0, 120_000.0])
    low, high = band(SIZES, errors, [0.003] * 3, at)
    assert (low < fit_power_law(SIZES, errors).error(at)).all()
    assert (high > fit_power_law(SIZES, errors).error(at)).all()
    relative = (high - low) / fit_power_law(SIZES, errors).error(at)
    assert relative[1] > relative[0]
    np.testing.assert_allclose(*band(SIZES, errors, [0] * 3, at))
