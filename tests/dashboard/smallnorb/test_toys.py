"""The smallNORB page without a browser: the built-in toys."""

import numpy as np

from core.analysis.poses import compare_with_first, project
from dashboard.pages.smallnorb import toys
from dashboard.pages.smallnorb.turning import QUANTITIES
from dashboard.runs import pictures as picture_runs
from tests.dashboard.app import component, open_tab, tables
from tests.dashboard.smallnorb.shown import (
    CHARTS,
    NAME,
    STRIP,
    chart,
    count_views,
    device,
    enter,
    first_view,
    pick,
    press,
    see,
    space,
    titles,
)


def test_two_scrubbers_drive_the_iteration_and_the_view(app):
    app.run()
    part = int(app.number_input(key="part").value) - 1
    iteration, view = component(app, "scrubber")
    driven = {"label": "Routing iteration", "param": "iteration", "address": "t", "follows": "", "subject": ""}
    driven |= {"tells": False, "play": "Play"}
    signals = {"picked": part, "turn": 1}
    assert app.number_input(key="iterations").label == "Iterations to run"
    assert iteration == {"n": 3, "start": 3, "trained": 3, "signals": signals, **driven}
    driven = {"label": "View", "param": "view", "address": "view", "follows": "views", "subject": ""}
    driven |= {"tells": True, "play": "Turn"}
    assert view == {"n": 18, "start": 1, "trained": None, "signals": {}, **driven}
    assert any("horse, a rendered animal" in caption.value for caption in app.caption)
    assert any("Test accuracy 25.0%" in text.value for text in open_tab(app, "Card").markdown)


def test_numbers_equal_those_of_the_trace(app):
    app.run()
    pair = picture_runs.rendered(0, 0, 0, picture_runs.AZIMUTHS, (50,)).images
    trace = picture_runs.run_pair(NAME, device(app), pair[0]).first(3)
    actual = tables(app)
    assert actual["classes"]["scores"].to_numpy().tolist() == trace.parts_to_classes.scores.ravel().tolist()
    part = int(app.number_input(key="part").value)
    assert part == trace.leading_part + 1
    places = actual["places"]
    assert len(places) == 3 * 9 * 9
    assert places[f"D_use, part {part}"].tolist() == trace.taken_from[..., part - 1].ravel().tolist()
    sums = places.groupby("iteration")[[f"credit, {c}" for c in trace.classes]].sum().to_numpy()
    np.testing.assert_allclose(sums, trace.parts_to_classes.scores, rtol=1e-3, atol=1e-4)
    middle = places.iloc[81 + 9 * 2 + 4]  # iteration 2, third row, fifth column of squares
    assert middle[["iteration", "pixel row", "pixel column"]].tolist() == [2, 14 + 8 * 2, 14 + 8 * 4]


def test_the_page_compares_the_poses_of_all_views(app):
    app.run()
    capsules, _ = picture_runs.class_capsules(
        NAME, device(app), picture_runs.rendered(0, 0, 0, picture_runs.AZIMUTHS, (50,)).images
    )
    winner = capsules.probabilities.mean(0).argmax()
    vectors = capsules.poses[:, winner]
    expected = compare_with_first(vectors)
    turned = tables(app)["turned"]
    assert turned["azimuth, degrees"].tolist() == np.repeat(picture_runs.AZIMUTHS, 4).tolist()
    for quantity in ("distance", "norm", "cosine"):
        np.testing.assert_allclose(turned[QUANTITIES[quantity]], getattr(expected, quantity).ravel(), rtol=1e-12)
    plane = tables(app)["plane"]
    points = project(vectors).points
    np.testing.assert_allclose(plane[["x", "y"]], points.reshape(-1, 2), rtol=1e-4, atol=1e-4)
    in_space = tables(app)["space"]
    np.testing.assert_allclose(in_space[list("xyz")], project(vectors, 3).points.reshape(-1, 3), rtol=1e-4, atol=1e-4)
    assert plane["shade"].tolist() == turned["azimuth, degrees"].tolist()
    for v in range(4):
        rows = chart(app, f"Pose vector {v + 1}")
        np.testing.assert_allclose(rows["value"], expected.distance[:, v], rtol=1e-5, atol=1e-6)
        assert set(rows["who"]) == {"this toy"}


def test_a_line_in_space_is_a_pose_vector_and_a_frame_is_a_view(app):
    app.query_params["turned"] = "elevation"
    open_tab(app.run(), "In space")
    figure, shown_frames = space(app), component(app, "frames")
    points = tables(app)["space"]
    *lines, view = figure["data"]
    for v, line in enumerate(lines, 1):
        rows = points[points["pose vector"] == v]
        np.testing.assert_allclose([line[axis] for axis in "xyz"], rows[list("xyz")].T, atol=1e-5)
        assert line["text"] == [f"azimuth 0°, elevation {e}°" for e in picture_runs.ELEVATIONS]
    assert view["meta"] == 1
    assert [frame["data"][0]["meta"] for frame in figure["frames"]] == list(range(1, 10))
    sixth_points = points[points["view"] == 6][list("xyz")].to_numpy()
    (sixth,) = figure["frames"][5]["data"]
    np.testing.assert_allclose(
        [sixth[axis] for axis in "xyz"], np.vstack([sixth_points, sixth_points[:1]]).T, atol=1e-5
    )
    assert shown_frames == [{"chart": "space", "param": "view", "start": 1}]


def test_the_bars_equal_the_trace_and_each_step_has_a_sentence(app):
    app.run()
    trace = picture_runs.run_pair(
        NAME, device(app), picture_runs.rendered(0, 0, 0, picture_runs.AZIMUTHS, (50,)).images[0]
    ).first(3)
    (verdict,) = component(app, "verdict")
    np.testing.assert_allclose(verdict["values"], trace.probabilities, atol=1e-4)
    view_finding, iteration_finding = component(app, "finding")
    assert (iteration_finding["param"], view_finding["param"]) == ("iteration", "view")
    assert (len(iteration_finding["sentences"]), len(view_finding["sentences"])) == (3, 18)
    assert view_finding["sentences"][2].startswith("Azimuth 40°, elevation 50°: vector ")


def test_the_code_sample_for_a_view_makes_its_pictures(model_folder):
    views = toys.render(toys.ToyView(2, 2, 1, "elevation", 80))
    *imports, expression = views.samples[5].splitlines()
    scope = {}
    exec("\n".join(imports), scope)
    np.testing.assert_array_equal(eval(expression, scope), views.pictures.images[5])


def test_every_figure_of_a_trace_is_valid(model_folder):
    trace = picture_runs.run_pair(NAME, "cpu", toys.render(toys.ToyView(2, 2, 1, "elevation", 80)).pictures.images[5])
    assert trace.plots == ("part", "class", "parts to classes", "probabilities")
    for name in trace.plots:
        trace.plot(name).to_dict()  # raises if the figure breaks Vega-Lite's schema


def test_every_input_of_a_toy_changes_its_pictures(app):
    app.run()
    assert count_views(app) == 18
    pick(app, "turned", "elevation")
    seen = {first_view(app)}
    changes = [
        lambda: pick(app, "category", "car"),
        lambda: pick(app, "toy", "2. sports car"),
        lambda: enter(app, "light", 3),
        lambda: pick(app, "azimuth", "60°"),
    ]
    for k, change in enumerate(changes, 2):
        change()
        assert not app.exception
        assert count_views(app) == 9
        seen.add(first_view(app))
        assert len(seen) == k
    assert any("of the test split" in caption.value for caption in app.caption)
    assert tables(app)["turned"]["elevation, degrees"].tolist() == np.repeat(picture_runs.ELEVATIONS, 4).tolist()
    assert chart(app, STRIP)["name"].tolist() == [f"azimuth 60°, elevation {e}°" for e in picture_runs.ELEVATIONS]


def test_sentences_are_about_the_shown_part_and_class(app):
    app.query_params["over"] = "What a score is made of"
    app.run()
    pair = picture_runs.rendered(0, 0, 0, picture_runs.AZIMUTHS, (50,)).images[0]
    trace = picture_runs.run_pair(NAME, device(app), pair).first(3)
    (bars, *_), (*_, finding) = (component(app, name) for name in ("verdict", "finding"))
    np.testing.assert_allclose(bars["values"], trace.probabilities, atol=1e-6)  # they are rounded once, in the browser
    assert app.selectbox(key="class").value == trace.classes[int(trace.probabilities[-1].argmax())]
    assert all(f"of part {int(app.number_input(key='part').value)}," in one for one in finding["sentences"][1:])
    effect, scores = trace.parts_to_classes.effect, trace.parts_to_classes.scores
    np.testing.assert_allclose(effect.sum(1), scores, rtol=1e-4, atol=1e-4)  # so that the parts make up the score


def test_the_values_over_the_picture_can_be_chosen(app):
    app.run()
    part = int(app.number_input(key="part").value)
    pick(app, "over", "What a score is made of")
    pick(app, "class", "truck")
    assert not app.exception
    places = tables(app)["places"]
    rows = chart(app, "What a score is made of")
    np.testing.assert_allclose(rows["value"], places["credit, truck"], rtol=1e-5, atol=1e-7)
    pick(app, "over", "What a part takes in")
    other = part % 3 + 1
    enter(app, "part", other)
    rows = chart(app, "What a part takes in")
    np.testing.assert_allclose(rows["value"], tables(app)["places"][f"D_use, part {other}"], rtol=1e-5)
    assert component(app, "scrubber")[0]["signals"]["picked"] == other - 1


def test_each_quantity_of_a_turn_can_be_drawn(app):
    app.run()
    for kind in ("norm", "cosine", "distance"):
        press(open_tab(app, "Turning"), "quantity", kind)
        assert not app.exception
        table = tables(app)["turned"]
        third = table[table["pose vector"] == 3][QUANTITIES[kind]]
        np.testing.assert_allclose(chart(app, "Pose vector 3")["value"], third, rtol=1e-5, atol=1e-6)


def test_a_chosen_part_stays_until_the_view_changes(app):
    app.query_params["turned"] = "elevation"
    app.run()
    chosen = int(app.number_input(key="part").value) % 3 + 1
    enter(app, "part", chosen)
    enter(app, "iterations", 5)
    assert app.number_input(key="part").value == chosen
    assert component(app, "scrubber")[0]["n"] == 5
    for choose, view, light in ((lambda: see(app, 4), 3, 0), (lambda: enter(app, "light", 2), 3, 1)):
        chosen = int(app.number_input(key="part").value) % 3 + 1
        enter(app, "part", chosen)
        choose()
        pairs = picture_runs.rendered(0, 0, light, (0,), picture_runs.ELEVATIONS).images
        # The leading part is taken after 3 iterations, as in the training, and not after the 5 that are shown.
        leading = picture_runs.run_pair(NAME, device(app), pairs[view]).first(3).leading_part
        assert app.number_input(key="part").value == leading + 1
    app.number_input(key="part").set_value(None).run()
    assert not app.exception


def test_the_address_decides_what_is_shown(app):
    address = {
        "iterations": "7",
        "category": "airplane",
        "toy": "3",
        "light": "2",
        "turned": "elevation",
        "azimuth": "80°",
        "view": "6",
        "part": "2",
        "over": "What a score is made of",
        "class": "human",
        "quantity": "cosine",
    }
    for name, value in address.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    iteration, view = component(app, "scrubber")
    assert (iteration["n"], iteration["signals"]["picked"], view["n"]) == (7, 1, 9)
    routed = f"azimuth 80°, elevation 55° ({picture_runs.TOYS[2][2]}, a rendered airplane of the test split)"
    assert any(routed in caption.value for caption in app.caption)
    pair = picture_runs.rendered(2, 2, 1, (80,), picture_runs.ELEVATIONS).images[5]
    scores = picture_runs.run_pair(NAME, device(app), pair).first(7).parts_to_classes.scores
    assert tables(app)["classes"]["scores"].to_numpy().tolist() == scores.ravel().tolist()


def test_an_unknown_checkpoint_is_replaced(app):
    app.query_params["checkpoint"] = "<b>none</b>"
    app.query_params["turned"] = "elevation"
    app.run()
    assert not app.exception
    assert set(CHARTS) <= set(titles(app))
