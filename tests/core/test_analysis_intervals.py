import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.intervals import interval_of_share


@pytest.mark.parametrize(("share", "n"), [(0.5027, 2210), (0.8985, 7600), (0.963, 24_300), (0.875, 1821)])
def test_the_interval_is_that_of_the_bootstrap_over_samples(share, n):
    accuracies = np.random.default_rng(0).binomial(n, share, 100_000) / n
    np.testing.assert_allclose(interval_of_share(share, n), np.quantile(accuracies, [0.025, 0.975]), atol=0.001)


@given(share=st.floats(0, 1), n=st.integers(1, 10**6))
def test_the_interval_holds_the_share_and_stays_between_0_and_1(share, n):
    low, high = interval_of_share(share, n)
    assert 0 <= low <= share + 1e-12
    assert share - 1e-12 <= high <= 1


@pytest.mark.parametrize(("share", "n"), [(0.5, 0), (1.2, 10), (float("nan"), 10)])
def test_impossible_shares_are_refused(share, n):
    with pytest.raises(ValueError, match="wanted 0 to 1"):
        interval_of_share(share, n)
