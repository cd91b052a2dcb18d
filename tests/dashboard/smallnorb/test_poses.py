"""What was measured on the test toys."""

import numpy as np
import pytest

from core.analysis.poses import compare_with_first
from dashboard.runs import pictures as picture_runs
from tests.dashboard.smallnorb.shown import CHARTS, charts, keep, measured, open_tab, titles


@pytest.mark.parametrize("turned", ["azimuth", "elevation"])
def test_measured_poses_stand_beside_this_toy_s(app, turned):
    arrays = measured()
    keep(arrays)
    app.query_params["turned"] = turned
    app.run()
    assert not app.exception
    actual = charts(app)
    assert list(actual) == [*CHARTS, "R² of azimuth", "R² of elevation"]
    lines = actual["Pose vector 2"]
    others = lines[lines["who"] == "toys"]
    expected = compare_with_first(arrays[turned]).distance[..., 1]
    np.testing.assert_allclose(others["value"], expected.ravel(), rtol=1e-5, atol=1e-6)
    assert sum(lines["who"] == "this toy") == expected.shape[1]
    for k, column in enumerate(("azimuth", "elevation")):
        rows = actual[f"R² of {column}"].set_index(["source", "category"])["R2"]
        for source in ("pose", "pixels"):
            by_category = [rows[source, category] for category in picture_runs.CATEGORIES]
            np.testing.assert_allclose(by_category, arrays[{"pose": "r2_poses", "pixels": "r2_pixels"}[source]][:, k])
    for tab, ending in (("Turning", ""), ("Measured", ", the test split")):
        open_tab(app, tab)
        assert any(f"a \\*test\\*{ending}" in caption.value for caption in app.caption)
        assert not any("core.measured poses NAME" in caption.value for caption in app.caption)


def of_other_weights(path):
    with np.load(path) as file:
        arrays = dict(file)
    np.savez(path, **arrays | {"sha256": np.array("0" * 64)})


def packed_in_an_unknown_way(path):
    content = bytearray(path.read_bytes())
    content[content.index(b"PK\1\2") + 10] = 99  # the method of the first entry
    path.write_bytes(content)


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(of_other_weights, id="other weights"),
        pytest.param(lambda path: path.write_bytes(b""), id="empty"),
        pytest.param(lambda path: path.write_bytes(path.read_bytes()[:3000]), id="cut"),
        pytest.param(lambda path: path.write_bytes(b"PK\3\4 no archive"), id="no archive"),
        pytest.param(packed_in_an_unknown_way, id="packed in an unknown way"),
    ],
)
def test_poses_that_are_damaged_or_of_other_weights_are_ignored(app, spoil):
    app.query_params["turned"] = "elevation"
    spoil(keep(measured()))
    app.run()
    assert not app.exception
    assert titles(app) == CHARTS
    assert set(charts(app)["Pose vector 1"]["who"]) == {"this toy"}
    for tab in ("Turning", "Measured"):
        open_tab(app, tab)
        assert any("core.measured poses NAME" in caption.value for caption in app.caption)


def test_poses_measured_on_fewer_categories_are_no_fault(app):
    keep(measured(n_categories=3))
    app.query_params["turned"] = "elevation"
    app.run()
    assert not app.exception
    assert titles(app) == CHARTS
