"""Means and intervals of how well poses can be read out."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from core.analysis.readout import ALL, summarize


def rows(category, *r2):
    """Rows of the table of one category, one for each toy."""
    fixed = {"network": "n", "features": "poses", "method": "linear", "direction": "azimuth", "category": category}
    return [fixed | {"toy": toy, "r2": value} for toy, value in enumerate(r2)]


def test_means_and_intervals_are_over_toys():
    values = [0.1, 0.3, 0.2, 0.4]
    summary = summarize(pd.DataFrame([*rows("car", *values), *rows("truck", 0.6, 0.8)])).set_index("category")
    assert summary.loc["car", "r2"] == pytest.approx(0.25)
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert tuple(summary.loc["car", ["low", "high"]]) == pytest.approx((expected.low, expected.high))
    assert summary.loc[ALL, "r2"] == pytest.approx(np.mean([*values, 0.6, 0.8]))


def test_one_toy_has_no_interval():
    summary = summarize(pd.DataFrame(rows("car", 0.5))).set_index("category")
    assert summary.loc["car", "r2"] == 0.5
    assert np.isnan(summary.loc["car", "low"])
