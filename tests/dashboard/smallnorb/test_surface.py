"""The tab of the smallNORB page with poses from all directions."""

import json

import numpy as np
import pytest

from core.datasets import toyrig
from dashboard.pages.smallnorb.surface import surface_table
from dashboard.runs import checkpoints
from dashboard.runs import pictures as picture_runs
from dashboard.runs.surfaces import read_off, surface_of
from tests.dashboard.app import component, download_labels, open_tab
from tests.dashboard.smallnorb.shown import NAME, device, pick, random_poses, save_measured

TAB = "All directions"


@pytest.fixture
def app(app):
    """The page that turns its toy by elevation, which has the fewest views, with random poses."""
    arrays = random_poses()
    grid = np.random.default_rng(1).normal(size=(25, 9, 18, 4, 4)).astype(np.float16)
    save_measured({"toys": arrays["toys"], "grid": grid, "data": arrays["data"]}, "grid")
    app.query_params["turned"] = "elevation"
    return app


def figure(app):
    (chart,) = [c for c in app.get("plotly_chart") if "from all directions" in c.proto.alt]
    return json.loads(chart.proto.spec)


def sentences(app):
    """The sentences of the tab, one per view."""
    return component(app, "finding")[-1]["sentences"]


def test_every_view_is_a_point_on_the_surface(app):
    app.run()
    open_tab(app, TAB)
    assert not app.exception
    kept = surface_of(NAME, 0, 0)
    images = picture_runs.rendered(0, 0, 0, (0,), picture_runs.ELEVATIONS).images
    capsules, _ = picture_runs.class_capsules(NAME, device(app), images)
    expected = read_off(kept, capsules.poses[:, 0])
    frames = [frame["data"][0] for frame in figure(app)["frames"]]
    assert [frame["meta"] for frame in frames] == list(range(1, 10))
    drawn = [[frame[axis][0] for axis in "xyz"] for frame in frames]
    np.testing.assert_allclose(drawn, expected, atol=1e-3)
    assert [frame["z"][1] for frame in frames] == list(range(30, 71, 5))
    assert len(sentences(app)) == 9
    assert "This view: azimuth 0°, read off as" in sentences(app)[0]
    assert "elevation 70°, read off as" in sentences(app)[-1]
    assert {"CSV, all directions", "HTML, all directions"} <= set(download_labels(app))
    table = surface_table(kept)
    assert table[["azimuth", "elevation"]].iloc[19].tolist() == [20, 35]
    np.testing.assert_allclose(table["azimuth error"], kept.surface.azimuth_errors.ravel())


def test_the_net_says_why_the_ring_has_other_errors(app):
    open_tab(app.run(), TAB)
    assert not app.exception
    assert any(caption.value.startswith("The ring's errors differ: it reads") for caption in app.caption)


def test_an_untrained_elevation_is_hollow_and_named(app):
    app.query_params["from"] = "35,15"
    app.run()
    open_tab(app, TAB)
    assert not app.exception
    (current, *_) = [frame["data"][0] for frame in figure(app)["frames"]]
    assert current["marker"]["symbol"][0] == "circle-open"
    assert current["z"][1] == 15
    pair = toyrig.photographs(0, 0, [35], [15])[0, 0, :1]
    capsules, _ = picture_runs.class_capsules(NAME, device(app), pair)
    expected = read_off(surface_of(NAME, 0, 0), capsules.poses[:, 0])[0]
    np.testing.assert_allclose([current[axis][0] for axis in "xyz"], expected, atol=1e-3)
    assert sentences(app)[0].endswith("The network was trained at elevations from 30° to 70°. So its point is hollow.")
    assert "hollow" not in sentences(app)[1]


def test_the_net_says_its_light(app):
    app.query_params["light"] = "3"
    app.run()
    open_tab(app, TAB)
    assert any("in another light than the net" in caption.value for caption in app.caption)


def test_toys_without_a_surface_say_why(app):
    app.query_params["tab"] = TAB
    app.run()
    pick(app, "toy", next(option for option in app.selectbox(key="toy").options if option.startswith("5.")))
    assert any("Choose toy 1, 2, 3, 4 or 6 of any category." in caption.value for caption in app.caption)
    assert not app.get("plotly_chart")
    app.session_state["source"], app.session_state["sample"] = "Your pictures", "A pair"
    open_tab(app, TAB)
    assert any("Choose a built-in toy to see what its pose holds" in caption.value for caption in app.caption)


def test_a_network_without_kept_poses_names_the_command(app):
    (checkpoints.folder_of(NAME) / "grid.npz").unlink()
    app.run()
    open_tab(app, TAB)
    assert not app.exception
    assert any("core.measured poses NAME" in caption.value for caption in app.caption)


def test_kept_poses_are_read_only_in_their_tab(app, monkeypatch):
    read = []
    original = checkpoints.measured
    monkeypatch.setattr("dashboard.runs.surfaces.measured", lambda *key: read.append(key) or original(*key))
    app.run()
    assert not read
    open_tab(app, TAB)
    assert read == [("grid", NAME)]
