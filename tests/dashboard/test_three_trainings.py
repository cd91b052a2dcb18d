"""Pictures of several trainings below each other: matched capsules, and how alike the pictures are."""

from dataclasses import replace

import numpy as np
import pytest

from dashboard.figures.aligned import correlate, correlate_by_chance, match_main
from dashboard.figures.chart import sheet_as_chart
from dashboard.figures.compare import stacked_pictures
from dashboard.figures.kinds import Main

WORDS, CAPSULES = ["a", "good", "film", "."], ["1", "2", "3"]


@pytest.fixture
def main() -> Main:
    """Shares of three capsules of no order after two iterations."""
    values = np.random.default_rng(0).dirichlet(np.ones(3), size=(2, 4)).astype(np.float32)
    return Main(values, WORDS, CAPSULES, "share", unordered="rows")


def test_capsules_in_another_order_are_found_again(main):
    order = [2, 0, 1]
    other = replace(main, values=main.values[:, :, order])
    matched = match_main(main, other)
    np.testing.assert_array_equal(matched.values, main.values)
    assert matched.rows == ["2", "3", "1"]
    assert correlate(main, other) == pytest.approx(1)
    assert 0 < correlate_by_chance(main, other) < 0.9  # words are shuffled, and capsules matched again


def test_columns_of_no_order_are_matched_too(main):
    features = replace(main, columns=["1", "2", "3", "4"], aligned=False, unordered="columns")
    order = [3, 1, 0, 2]
    matched = match_main(features, replace(features, values=features.values[:, order]))
    np.testing.assert_array_equal(matched.values, main.values)
    assert matched.columns == ["3", "2", "4", "1"]


def test_ordered_rows_stay_and_a_missing_capsule_is_empty(main):
    layers = replace(main, unordered="")
    assert match_main(layers, replace(layers, values=main.values[:, :, ::-1])).rows == CAPSULES
    two = replace(main, values=main.values[:, :, :2], rows=CAPSULES[:2])
    matched = match_main(main, two)
    assert matched.rows == ["1", "2", ""]
    assert np.isnan(matched.values[:, :, 2]).all()
    assert correlate(main, two) == pytest.approx(1)  # over the capsules that both have


def test_a_constant_picture_has_no_correlation(main):
    flat = replace(main, values=np.full_like(main.values, 0.25))
    assert correlate(main, flat) is None
    assert correlate_by_chance(main, flat) is None


def test_stacked_pictures_share_a_scale_that_its_title_states(main):
    small = replace(main, values=main.values * 0.4)
    figures = stacked_pictures([small, replace(small, values=small.values / 2)], ["first", "second"], on_one_scale=True)
    colours = [figure.spec["encoding"]["color"] for figure in figures.values()]
    assert colours[0]["scale"]["domain"] == colours[1]["scale"]["domain"]
    assert "the scale ends at 0." in str(colours[0]["title"])
    assert colours[1]["legend"] is None
    sheet_as_chart(figures)  # raises if a figure breaks Vega-Lite's schema
