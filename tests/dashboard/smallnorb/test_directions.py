"""The smallNORB page with a toy turned to any direction, its lights, and several toys at once."""

import json

import numpy as np
import pyarrow as pa
import pytest

from core.analysis.poses import align, principal
from core.datasets import toyrig
from dashboard.pages.smallnorb import toys
from dashboard.runs import pictures as picture_runs
from tests.dashboard.app import component, open_tab, tables
from tests.dashboard.smallnorb.shown import NAME, chart, device, enter, pick, save_measured, see, write_official

CAR_2, HUMAN_1 = "car 2, sports car", "human 1, rifleman standing"


@pytest.fixture
def app(app):
    """The page that turns its toy by elevation, which has the fewest views."""
    app.query_params["turned"] = "elevation"
    return app


def routed(app):
    """The caption that names the routed view."""
    (caption,) = [c.value.replace("\\", "") for c in app.caption if c.value.startswith("Routed")]
    return caption


def toy(app):
    """The data of the component that turns the toy."""
    (data,) = component(app, "toy")
    return data


def scores(app):
    return tables(app)["classes"]["scores"].to_numpy().tolist()


def expected_scores(app, pair):
    return picture_runs.run_pair(NAME, device(app), pair).first(3).parts_to_classes.scores.ravel().tolist()


def test_the_toy_is_routed_from_the_direction_in_the_address(app):
    app.query_params["from"] = "35,15"
    app.run()
    assert not app.exception
    assert routed(app).startswith("Routed: azimuth 35°, elevation 15° (horse")
    assert (toy(app)["direction"], toy(app)["steps"], toy(app)["elevations"]) == ([35, 15], [5, 5], [5, 85])
    assert scores(app) == expected_scores(app, toyrig.photographs(0, 0, [35], [15])[0, 0, 0])


@pytest.mark.parametrize(("turned_to", "is_trained_on"), [("35,40", True), ("35,15", False)])
def test_the_page_says_if_a_direction_is_new_to_the_network(app, turned_to, is_trained_on):
    app.query_params["from"] = turned_to
    app.run()
    (verdict,) = component(app, "verdict")
    warning, reason = verdict.get("doubt", ("", ""))
    assert warning == ("" if is_trained_on else "Do not trust the name.")
    assert reason.startswith("" if is_trained_on else "The network was trained at elevations from 30° to 70°.")


@pytest.mark.parametrize("turned_to", [None, "35,15"])
def test_a_turned_toy_is_told_from_the_views(app, turned_to):
    if turned_to:
        app.query_params["from"] = turned_to
    app.run()
    assert app.selectbox(key="azimuth").label == "Azimuth of the views"
    notes = [caption.value for caption in app.caption if caption.value.startswith("The frame marks the nearest view")]
    assert len(notes) == (turned_to is not None)


def test_the_nearest_view_is_chosen_with_a_direction(app):
    app.query_params["from"] = "35,41"  # no step leads there
    app.run()
    assert "from" not in app.query_params
    app.query_params["from"] = "35,45"
    app.run()
    assert component(app, "scrubber")[1]["start"] == 4
    app.query_params["view"] = "7"  # the slider moves on
    app.run()
    assert "from" not in app.query_params
    assert component(app, "scrubber")[1]["start"] == 7


def test_another_view_forgets_the_direction_and_another_toy_keeps_it(app):
    app.query_params["from"] = "35,15"
    app.run()
    pick(app, "category", "car")
    enter(app, "light", 3)
    assert routed(app).startswith("Routed: azimuth 35°, elevation 15° (convertible")
    assert scores(app) == expected_scores(app, toyrig.photographs(4, 0, [35], [15])[0, 0, 2])
    see(app, 3)
    assert routed(app).startswith("Routed: azimuth 0°, elevation 40°")
    assert "from" not in app.query_params


@pytest.mark.parametrize("number", ["0", "10", "00010000", "²", "1" * 5000, "<b>"])
def test_a_view_that_is_not_there_gives_the_first_one(app, number):
    see(app, number)
    assert not app.exception
    assert toy(app)["direction"] == [0, 30]


@pytest.mark.parametrize("direction", ["33,15", "360,50", "0,90", "0,0", "-5,50", "35", "<b>", "1,2,3", "²5,50"])
def test_nonsense_in_the_address_gives_the_first_view(app, direction):
    app.query_params["from"] = direction
    app.run()
    assert not app.exception
    assert toy(app)["direction"] == [0, 30]


def test_smallnorb_s_files_turn_to_the_directions_that_they_hold(app, tmp_path):
    write_official(tmp_path / "data" / "smallnorb")
    app.query_params.update({"source": "smallNORB's files", "category": "human", "from": "40,30"})
    app.run()
    assert not app.exception
    assert toy(app)["steps"] == [20, 5]
    official, _ = picture_runs.official_toy("test", 1, 0, 0)
    assert scores(app) == expected_scores(app, picture_runs.pair_among(official, 40, 30))
    app.query_params["from"] = "40,55"  # no view was taken there
    app.run()
    assert not app.exception
    assert any("no view of this toy from that direction" in info.value for info in app.info)


def test_the_light_can_vary_instead_of_an_angle(app):
    app.query_params.update({"turned": "light", "azimuth": "60°", "elevation": "40°"})
    app.run()
    assert not app.exception
    names = [f"azimuth 60°, elevation 40°, light {k}" for k in range(1, 7)]
    assert chart(app, "The views, left eye above right eye")["name"].tolist() == names
    assert tables(app)["turned"]["light"].tolist() == np.repeat(range(1, 7), 4).tolist()
    see(app, 4)
    assert scores(app) == expected_scores(app, toyrig.photographs(0, 0, [60], [40])[0, 0, 3])
    app.query_params["from"] = "65,40"  # the user turns the toy, in this light
    app.run()
    assert scores(app) == expected_scores(app, toyrig.photographs(0, 0, [65], [40])[0, 0, 3])
    assert "azimuth 65°, elevation 40°, light 4" in routed(app)
    see(app, 2)
    assert scores(app) == expected_scores(app, toyrig.photographs(0, 0, [60], [40])[0, 0, 1])


def test_the_code_sample_for_a_light_makes_its_pictures(model_folder):
    views = toys.render(toys.ToyView(2, 2, 0, "light", 80, 45))
    *imports, expression = views.samples[5].splitlines()
    scope = {}
    exec("\n".join(imports), scope)
    np.testing.assert_array_equal(eval(expression, scope), views.pictures.images[5])


def test_smallnorb_s_files_show_the_lights_that_they_hold(app, tmp_path):
    write_official(tmp_path / "data" / "smallnorb")
    app.query_params.update({"source": "smallNORB's files", "category": "human", "turned": "light"})
    app.run()
    assert not app.exception
    assert any("there is no human 1 in light 2" in info.value.replace("\\", "") for info in app.info)


def in_plane(app):
    """The points [toy, view, v, 2] of the tab with several toys, and their names."""
    rows = rows_of_toys(app)
    shape = (rows["toy"].nunique(), rows["view"].nunique(), rows["v"].nunique(), 2)
    return rows[["x", "y"]].to_numpy().reshape(shape), rows["toy"].unique().tolist()


def rows_of_toys(app):
    """The rows behind the chart of several toys."""
    (chart,) = [c for c in open_tab(app, "Toys").get("vega_lite_chart") if "several toys" in c.proto.alt]
    assert not app.exception
    return pa.ipc.open_stream(chart.proto.data.data).read_pandas()


def test_several_toys_turn_together(app):
    app.query_params.update({"category": "car", "toys": [CAR_2, HUMAN_1]})
    app.run()
    points, names = in_plane(app)
    assert names == ["car 1, convertible", CAR_2, HUMAN_1]
    vectors = []
    for category, instance in ((4, 0), (4, 1), (1, 0)):
        images = picture_runs.rendered(category, instance, 0, (0,), picture_runs.ELEVATIONS).images
        capsules, _ = picture_runs.class_capsules(NAME, device(app), images)
        vectors.append(capsules.poses[:, category])
    expected = np.stack(vectors)
    np.testing.assert_allclose(points, principal(expected, 2).points, rtol=1e-3, atol=1e-4)
    figure = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")][-1]
    assert len(figure["data"]) == 3 * 4 + 3
    assert [frame["data"][-1]["meta"] for frame in figure["frames"]] == list(range(1, 10))
    app.toggle(key="align").set_value(True).run()
    aligned, _ = in_plane(app)
    np.testing.assert_allclose(aligned, principal(align(expected).poses, 2).points, rtol=1e-3, atol=1e-4)
    assert any("disparity from car 1, convertible" in caption.value for caption in app.caption)


def test_measured_toys_are_not_rendered(app, monkeypatch):
    views = np.random.default_rng(0).normal(size=(50, 27, 4, 4))
    toys = np.array([(category, instance) for category in range(5) for instance in range(10)])
    save_measured({"toys": toys, "views": views, "data": np.array("rendered by a test")}, "built_in")
    app.query_params.update({"category": "car", "toys": [CAR_2]})
    app.run()
    points, _ = in_plane(app)
    expected = views[[40, 41], 18:].astype(np.float32)  # cars 1 and 2; the views by elevation follow the 18 by azimuth
    np.testing.assert_allclose(points, principal(expected, 2).points, rtol=1e-4, atol=1e-4)
    check_the_page_says_how_many_toys_it_draws(app)


def check_the_page_says_how_many_toys_it_draws(app):
    full = "At most 4 toys are drawn beside the first one."
    menu = app.multiselect(key="toys")
    assert menu.label == "Beside car 1, convertible, at most 4"
    assert not any(caption.value.startswith(full) for caption in app.caption)
    menu.set_value(menu.options[:4])
    open_tab(app, "Toys")
    assert any(caption.value.startswith(full) for caption in app.caption)


def test_an_upload_has_no_other_toys(app):
    app.query_params.update({"source": "Your pictures", "sample": "A pair", "tab": "Toys"})
    app.run()
    assert not app.exception
    assert any(caption.value == "Choose a built-in toy to compare it with others." for caption in app.caption)
