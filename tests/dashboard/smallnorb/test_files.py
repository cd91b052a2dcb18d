"""The smallNORB page with smallNORB's own files."""

import numpy as np
import pytest

from core.analysis.poses import compare_with_first
from core.datasets import smallnorb
from dashboard.pages.smallnorb.turning import QUANTITIES
from dashboard.runs import pictures as picture_runs
from tests.dashboard.app import tables
from tests.dashboard.smallnorb.shown import (
    CHARTS,
    NAME,
    SINGLE_VIEW_CHARTS,
    count_views,
    device,
    pick,
    titles,
    write_official,
)


def test_without_smallnorb_s_files_there_is_one_sentence(app):
    app.query_params["source"] = "smallNORB's files"
    app.run()
    assert not app.exception
    (sentence,) = app.info
    assert "python -m core.datasets smallnorb --download" in sentence.value
    assert not app.get("vega_lite_chart")
    pick(app, "source", "Built-in toys")
    assert titles(app) == CHARTS


def test_smallnorb_s_files_are_routed_and_turned(app, tmp_path):
    write_official(tmp_path / "data" / "smallnorb")
    for name, value in {"source": "smallNORB's files", "category": "human", "elevation": "30°"}.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert titles(app) == CHARTS
    official, _ = picture_runs.official_toy("test", 1, 0, 0)
    chosen = official.elevation == 30
    assert tables(app)["turned"]["azimuth, degrees"].tolist() == np.repeat(picture_runs.AZIMUTHS, 4).tolist()
    capsules, _ = picture_runs.class_capsules(NAME, device(app), official.images[chosen])
    expected = compare_with_first(capsules.poses[:, capsules.probabilities.mean(0).argmax()])
    np.testing.assert_allclose(tables(app)["turned"][QUANTITIES["norm"]], expected.norm.ravel(), rtol=1e-12)
    assert any("(human 1 of the test split)" in caption.value for caption in app.caption)
    pick(app, "turned", "elevation")
    assert not app.exception
    assert tables(app)["turned"]["elevation, degrees"].tolist() == np.repeat(picture_runs.ELEVATIONS, 4).tolist()
    pick(app, "azimuth", "20°")  # only one view was taken there
    assert not app.exception
    assert count_views(app) == 1
    assert titles(app) == SINGLE_VIEW_CHARTS


@pytest.mark.parametrize(
    ("inputs", "sentence"),
    [
        ({"azimuth": "80°", "turned": "elevation"}, "no view of this toy from that direction"),
        ({"light": "2", "elevation": "30°"}, "there is no human 1 in light 2"),
        ({"toy": "2"}, "there is no human 2"),
        ({"toy": "5"}, "-training-dat.mat"),
    ],
)
def test_missing_parts_of_smallnorb_s_files_give_one_sentence(app, tmp_path, inputs, sentence):
    write_official(tmp_path / "data" / "smallnorb", n_azimuths=4)
    for name, value in ({"source": "smallNORB's files", "category": "human"} | inputs).items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    (info,) = app.info
    assert sentence in info.value.replace("\\", "")
    assert not app.get("vega_lite_chart")


def test_damaged_files_of_smallnorb_give_one_sentence(app, tmp_path):
    folder = tmp_path / "data" / "smallnorb"
    write_official(folder)
    dat = folder / f"{smallnorb.TEST}-dat.mat"
    dat.write_bytes(dat.read_bytes()[:-1])
    for name, value in {"source": "smallNORB's files", "category": "human"}.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert len(app.info) == 1
