"""The Lab without a browser: its scenes, its experiments, and the values that the browser may send."""

import json
import math

import numpy as np
import pyarrow as pa
import pytest
import streamlit as st

from core import lab
from core.analysis.scenes import KINDS, MAX_PARTS, means
from core.routing import ROUTINGS, kmeans_routing
from core.sentences.clouds import describe_equal_shares
from core.sentences.findings import in_words
from dashboard.figures.chart import sheet_as_chart
from dashboard.pages.lab import inputs, parts, results, scenes
from dashboard.pages.lab.experiments import EXPERIMENTS, FREE
from dashboard.pages.lab.parts import STARTS, Part
from dashboard.pages.lab.texts import CLOUDS, SCENES, TEXT
from dashboard.screen.address import LeftPage
from dashboard.screen.shown import Shown
from tests.dashboard.app import component, download_labels, open_app, open_tab, shown_as_markdown, type_text

TWO_PARTS = "Two parts of a house"
BOAT_OF_TWO = "t0.95,1.5,0,1~r0,-0.65,0,1"
NAMES = [run.name for run in lab.compare(scenes.scene_of_clouds(n_inputs=3).votes)]
NONSENSE = ["<script>", "inf", "-inf", "1e400", "nan", "-1", "99999", "", "²", "t1,2,3", "x0,0,0,1", "t0,0,0,nan"]


@pytest.fixture
def app():
    return open_app("lab")


def shown(app):
    """The data of the Lab's component."""
    assert not app.exception
    return component(app, "lab")[0]


def all_choose(data, whole):
    """The sentence that all routings choose this whole."""
    return f"All {in_words(len(data['runs']))} routings choose the {whole}."


def last_sentences(app):
    """The sentence of every routing after the last iteration, by its title."""
    return {run["title"]: run["sentences"][-1] for run in shown(app)["runs"]}


def test_at_first_each_routing_treats_the_roof_in_its_own_way(app):
    data = shown(app.run())
    assert [part["kind"] for part in data["parts"]] == list(KINDS)
    assert [run["title"] for run in data["runs"]][:4] == ["Standard", "Reversed", "k-means", "EM"]
    assert data["outcomes"][-1]["verdict"] == all_choose(data, "house")
    difference = "They differ most on the triangle: of it, the house gets 71% in Standard, 45% in k-means and 0% in EM"
    assert data["outcomes"][-1]["status"] == f"{difference}; in Reversed, it is 13% of what the house takes."
    assert [run["coupling"][-1][0][0] for run in data["runs"]] == pytest.approx([0.71, 0.13, 0.45, 0.0], abs=0.005)
    assert all(len(run["coupling"]) == 5 for run in data["runs"])


def test_every_part_has_its_reason_and_clouds_have_one(app):
    data = shown(app.run())
    for run in data["runs"][:4]:
        assert [len(reasons) for reasons in run["reasons"]] == [4] * 5
        named = [kind in reason for kind, reason in zip(KINDS, run["reasons"][-1], strict=True)]
        assert all(named)
    app.session_state["scene"] = CLOUDS
    assert [len(reasons) for reasons in shown(app.run())["runs"][0]["reasons"]] == [1] * 5


def test_every_kind_of_part_has_its_roles(app):
    roles = shown(app.run())["roles"]
    assert roles.keys() == set(KINDS)
    assert all("house" in role and "boat" in role for role in roles.values())


def test_both_parts_of_a_house_vote_alike(app):
    app.query_params["start"] = TWO_PARTS
    data = shown(app.run())
    used = "In EM, the house uses two parts and ignores none: using brings 2.0, ignoring costs 0.0."
    assert last_sentences(app)["EM"] == used
    assert data["votes"][0][0] == pytest.approx([0, 0, 1, 0], abs=1e-9)  # both vote for an upright house in the middle
    assert data["votes"][1][0] == pytest.approx([0, 0, 1, 0], abs=1e-9)


@pytest.mark.parametrize("tab", ["Shares", "Step by step", "For class", "Iterations", "Formula", "Numbers"])
def test_a_routing_that_is_added_appears(app, monkeypatch, tab):
    monkeypatch.setitem(ROUTINGS, "cosine", kmeans_routing)
    app.query_params.update({"experiment": next(name for name in EXPERIMENTS if name != FREE.name), "tab": tab})
    data = shown(app.run())
    assert [run["title"] for run in data["runs"]][-1] == "Cosine"
    assert data["outcomes"][-1]["status"].startswith(f"None of {in_words(len(data['runs']))} choose the boat.")
    assert data["outcomes"][-1]["verdict"] == all_choose(data, "house")


def test_the_address_holds_the_places_of_the_parts(app):
    app.query_params["parts"] = BOAT_OF_TWO
    app.query_params["iterations"] = "3"
    data = shown(app.run())
    assert data["outcomes"][-1]["verdict"] == all_choose(data, "boat")
    assert len(data["outcomes"]) == 3


@pytest.mark.parametrize("value", NONSENSE)
def test_nonsense_in_the_address_is_ignored(app, value):
    names = (
        "scene",
        "experiment",
        "start",
        "parts",
        "noise",
        "iterations",
        "sharpness",
        "use",
        "ignore",
        "spread",
        "t",
    )
    for name in names:
        app.query_params[name] = value
    data = shown(app.run())
    assert [part["kind"] for part in data["parts"]] == list(KINDS)


@pytest.mark.parametrize("start", STARTS)
def test_every_first_scene_can_be_kept_in_an_address(start):
    assert parts.from_address(parts.to_address(STARTS[start])) == STARTS[start]


@pytest.mark.parametrize(
    "message",
    [
        None,
        {},
        [],
        "t",
        [{"kind": "triangle"}],
        [{"kind": "wheel", "x": 0, "y": 0, "angle": 0, "size": 1}],
        [{"kind": "bar", "x": math.inf, "y": 0, "angle": 0, "size": 1}],
        [{"kind": "bar", "x": "a", "y": 0, "angle": 0, "size": 1}],
        [{"kind": "bar", "x": 0, "y": 0, "angle": 0, "size": 1}] * (MAX_PARTS + 1),
    ],
)
def test_malformed_messages_are_refused(message):
    assert parts.read(message) is None


def test_parts_stay_in_the_plane():
    far = {"kind": "bar", "x": 1e9, "y": -1e9, "angle": 725, "size": 0}
    assert parts.read([far]) == [Part("bar", 5.0, -4.5, 5, 0.3)]


@pytest.mark.parametrize("name", SCENES)
def test_every_scene_has_its_tabs_and_files(app, name):
    app.query_params["scene"] = name
    app.run()
    assert len(shown(app)["runs"]) == len(NAMES)
    assert "None" not in "".join(shown_as_markdown(app))
    labels = ["SVG", "PDF", "PNG, 300 dpi", "HTML", "CSV, shares", "CSV, iterations", "JSON", "npz", "Notebook"]
    assert download_labels(app) == [*labels, "LaTeX, zip", "Markdown, zip"]
    for tab in ("Shares", "Step by step", "For class", "Iterations", "Formula", "Numbers"):
        assert not open_tab(app, tab).exception


def test_the_files_hold_the_runs(app, monkeypatch):
    files = {}
    monkeypatch.setattr(st, "download_button", lambda label, make, *_, **__: files.update({label: make}))
    app.session_state["export"] = True
    app.run()
    content = json.loads(files["JSON"]())
    assert list(content["runs"]) == NAMES
    assert content["outputs"] == ["the house", "the boat"]
    assert files["SVG"]().startswith(b"<svg")
    assert "In EM, the house uses three parts and ignores one" in files["HTML"]()
    assert files["CSV, shares"]().startswith("iteration,routing,input,capsule,share")


@pytest.mark.parametrize("name", SCENES)
def test_the_notebook_makes_the_same_runs(app, monkeypatch, name):
    files, scope = {}, {}
    monkeypatch.setattr(st, "download_button", lambda label, make, *_, **__: files.update({label: make}))
    app.session_state["export"] = True
    app.query_params["scene"] = name
    app.run()
    cells = json.loads(files["Notebook"]())["cells"]
    exec("\n".join("".join(cell["source"]) for cell in cells[1:]), scope)
    for run, shown_run in zip(scope["runs"], json.loads(files["JSON"]())["runs"].values(), strict=True):
        assert run.coupling == pytest.approx(np.array(shown_run["coupling"]), abs=1e-6)


def test_knobs_change_the_clouds_and_the_routings(app):
    app.query_params["scene"] = CLOUDS
    before = shown(app.run())
    app.slider(key="sharpness").set_value(10.0).run()
    sharp = shown(app)
    assert sharp["points"] == before["points"]
    assert max(map(max, sharp["runs"][2]["coupling"][-1])) > max(map(max, before["runs"][2]["coupling"][-1]))
    app.slider(key="outliers").set_value(0.3).run()
    assert shown(app)["points"] != before["points"]
    app.slider(key="inputs").set_value(40.0).run()
    assert len(shown(app)["points"]) == 40


def test_one_or_two_routings_are_drawn_alone(app):
    app.query_params["only"] = "EM"
    data = shown(app.run())
    assert [run["title"] for run in data["runs"]] == ["EM"]
    assert (data["outcomes"][-1]["verdict"], data["outcomes"][-1]["status"]) == ("EM chooses the house.", "")
    app.button_group(key="only").set_value(["Standard", "EM"]).run()
    assert [run["title"] for run in shown(app)["runs"]] == ["Standard", "EM"]
    assert shown(app)["outcomes"][-1]["verdict"] == "Both routings choose the house."
    app.button_group(key="only").set_value([]).run()
    assert len(shown(app)["runs"]) == len(NAMES)


def chart_data(app):
    """The tables of all charts."""
    return [pa.ipc.open_stream(chart.proto.data.data).read_pandas() for chart in app.get("vega_lite_chart")]


def test_sections_show_the_chosen_routings_alone(app):
    app.query_params.update({"only": ["EM", "k-means"], "tab": "Shares"})
    app.run()
    (shares,) = chart_data(app)
    assert set(shares["capsule"]) == {f"{name} · {whole}" for name in ("k-means", "EM") for whole in ("house", "boat")}
    open_tab(app, "Iterations")
    assert len(chart_data(app)) == 4  # entropy, change, and an objective each
    open_tab(app, "Formula")
    (formula,) = app.latex
    assert "Standard" not in formula.value
    assert "text{EM}" in formula.value


def test_shares_of_a_part_and_of_a_whole_have_a_chart_each(app):
    app.query_params["tab"] = "Iterations"
    of_part, of_whole, change, *_ = chart_data(app.run())
    assert set(of_part["series"]) == {"standard", "k-means", "EM", results.EQUAL}
    assert set(of_whole["series"]) == {"reversed", results.EQUAL}
    assert set(change["series"]) == set(NAMES)
    ends = [data[data["series"] == results.EQUAL]["value"].unique().tolist() for data in (of_part, of_whole)]
    assert ends == [[1.0], [2.0]]  # two wholes, four parts
    assert any("where equal shares have 2.00 bits" in caption.value for caption in app.caption)


def test_clouds_are_compared_with_equal_shares(app):
    app.query_params["scene"] = CLOUDS
    data = shown(app.run())
    scene = scenes.scene_of_clouds()
    off = np.linalg.norm(scene.votes.mean(0) - scene.clouds.centres, axis=-1).mean()
    assert {outcome["status"] for outcome in data["outcomes"]} == {describe_equal_shares(scene.clouds)}
    assert f"averages of all votes, are {off:.2f} off." in data["outcomes"][0]["status"]
    assert np.array(data["averages"]) == pytest.approx(scene.drawn.mean(0), abs=1e-4)
    equal = means(np.full((24, 3), 1 / 3), scene.votes)
    assert equal == pytest.approx(scene.votes.mean(0))


def test_words_are_written_at_their_dots_once_and_apart(app):
    app.query_params["scene"] = TEXT
    data = shown(app.run())
    words = [data["inputs"][i] for i, _ in data["labels"]]
    assert len(words) == len(set(words)) >= 5
    for i, j in data["labels"]:
        lengths = [math.hypot(*point) for point in data["points"][i]]
        assert lengths[j] == max(lengths)


def test_the_page_says_how_much_of_a_text_its_plane_shows(app):
    app.query_params["scene"] = TEXT
    data = shown(app.run())
    assert len(data["points"]) == 15  # words
    assert any("this plane shows" in text and "% of their variance" in text for text in shown_as_markdown(app))
    type_text(app, "<b>Bad</b> film")
    assert "“Bad”" in str(shown(app)["inputs"])
    type_text(app, " ")
    assert [info.value for info in app.info] == ["There is no word in this text. Type a sentence."]


def test_every_experiment_begins_unsolved_with_a_status(app):
    app.run()
    for name, experiment in EXPERIMENTS.items():
        app.selectbox(key="experiment").set_value(name).run()
        data = shown(app)
        if experiment is FREE:
            continue
        assert experiment.task in shown_as_markdown(app)
        assert all(outcome["status"] for outcome in data["outcomes"])
        assert not data["outcomes"][-1]["done"], name


def test_an_unknown_experiment_is_free_play():
    assert inputs._experiment("<b>") is FREE


def test_solved_experiments_are_recognized(app):
    names = [name for name in EXPERIMENTS if EXPERIMENTS[name] is not FREE]

    def begin(k):
        app.selectbox(key="experiment").set_value(names[k]).run()

    def outcome():
        return shown(app.run())["outcomes"][-1]

    app.run()
    begin(0)
    app.session_state["lab_parts"] = parts.from_address(BOAT_OF_TWO)
    assert outcome()["done"]
    assert " choose the boat. They change their minds at about the same place" in outcome()["status"]
    begin(1)
    moved = list(STARTS["House"])
    moved[3] = Part("semicircle", 3.0, 2.0, 90)
    app.session_state["lab_parts"] = moved
    assert outcome()["done"]
    assert "k-means still gives" in outcome()["status"]
    begin(2)
    done = [one["done"] for one in shown(app)["outcomes"]]
    assert sum(done) == 1
    assert not done[0]
    begin(3)
    assert "standard in 40, reversed in 40, k-means in 40 and EM in 40" in outcome()["status"]
    app.number_input(key="noise").set_value(2.0).run()
    assert outcome()["done"]
    begin(4)
    app.slider(key="sharpness").set_value(10.0).run()
    assert outcome()["done"]


def test_choices_in_draws_are_those_of_single_runs():
    scene = scenes.scene_of_parts(parts.STARTS["House"], 0.8)
    draws = scenes.votes_in_draws(scene, 6)
    np.testing.assert_array_equal(draws[0], scene.votes)
    counts = lab.count_choices(draws, 0, 4)
    singles = [lab.compare(votes, 4) for votes in draws]
    assert list(counts) == [run.name for run in singles[0]]
    for k, name in enumerate(counts):
        assert counts[name] == [sum(runs[k].winners[t] == 0 for runs in singles) for t in range(4)]
    with pytest.raises(ValueError, match=r"wanted \[n, i, j, h\]"):
        lab.count_choices(scene.votes, 0)


def test_each_routing_has_the_largest_share_that_it_can_reach(app):
    ceilings = {run["title"]: run["ceiling"] for run in shown(app.run())["runs"]}
    assert ceilings == pytest.approx(dict.fromkeys(ceilings, 1.0) | {"Reversed": 0.5})


def test_an_experiment_of_another_scene_is_not_judged(app):
    app.run()
    app.selectbox(key="experiment").set_value(next(name for name in EXPERIMENTS if name != FREE.name)).run()
    app.session_state["scene"] = CLOUDS
    data = shown(app.run())
    assert all(outcome["status"].startswith("Equal shares") for outcome in data["outcomes"])


def test_kinds_of_parts_begin_with_different_letters():
    assert len({kind[0] for kind in KINDS}) == len(KINDS)


def marks(figure, what, t):
    """The rows of a figure for marks of one kind at an iteration."""
    rows = figure.data.to_pandas()
    return rows[(rows["what"] == what) & rows["t"].isin([0, t])]


def test_the_planes_hold_the_numbers_of_the_runs():
    scene = scenes.scene_of_parts(STARTS["House"], 0.0)
    runs = lab.compare(scene.votes, 3)
    drawn = Shown()
    results.add_planes(drawn, scene, runs)
    figure = drawn.figures[results.PLANES]
    sheet_as_chart({"planes": figure})  # raises if the figure breaks Vega-Lite's schema
    edges = marks(figure, "edge", 2)["share"].to_numpy().reshape(-1, 2, 4)  # routing, whole, part
    for drawn_shares, run in zip(edges, runs, strict=True):
        assert pytest.approx(run.coupling[1]) == drawn_shares.T
    assert marks(figure, "title", 2)["capsule"].tolist() == NAMES
    roof = marks(figure, "part", 2).iloc[:3][["x", "y"]].to_numpy()
    assert roof == pytest.approx(np.array([[-1.9, 0], [1.9, 0], [0, 1.5]]))  # on the wall, whose top is at 0


def test_the_planes_of_clouds_show_dots():
    scene = scenes.scene_of_clouds(n_inputs=20)
    drawn = Shown()
    results.add_planes(drawn, scene, lab.compare(scene.votes, 2))
    figure = drawn.figures[results.PLANES]
    sheet_as_chart({"planes": figure})
    assert len(marks(figure, "dot", 1)) == len(NAMES) * 20 * 3
    assert len(marks(figure, "edge", 1)) == 0


def test_an_iteration_is_worked_out_step_by_step(app):
    app.query_params["tab"] = "Step by step"
    app.run()
    next_step = lambda: next(button for button in app.button if button.label == "Next")  # noqa: E731
    assert len(app.latex) == 1
    next_step().click().run()
    next_step().click().run()
    assert "Step 3 of 6" in shown_as_markdown(app)
    assert len(app.latex) == 3
    next(button for button in app.button if button.label == "Back").click().run()
    assert len(app.latex) == 2
    app.selectbox(key="worked").set_value("EM").run()
    assert len(app.latex) == 1  # another calculation begins again
    app.toggle(key="stepwise True").set_value(False).run()
    assert "R_{ij}" in "".join(equation.value for equation in app.latex)
    assert any("Iteration 5 of 5" in caption.value for caption in app.caption)


def links(app):
    """The labels of all links to pages, with their queries."""
    return {link.proto.label: link.proto.query_string for link in app.get("page_link")}


def test_the_lab_and_the_networks_lead_to_each_other(app):
    found = links(app.run())
    assert {"Standard", "Reversed", "k-means", "EM"} <= found.keys()
    assert "dragg-reversed-sst5" in found["Reversed"]
    assert "from%3Dlab" in found["Reversed"]
    app.button_group(key="only").set_value(["EM"])
    assert set(links(app.run())) & {"Standard", "EM"} == {"EM"}
    back = links(open_app("kmeans").run())["See this routing with two parts, in the Lab"]
    assert "only%3Dk-means" in back


def test_a_network_leads_back_to_the_lab_if_it_was_opened_there():
    app = open_app("routing")
    app.query_params["from"] = "lab"
    assert "Back to the Lab" not in links(app.run())  # somebody else's link
    app.session_state["left"] = {"lab": LeftPage({"start": ["Boat"]}, None)}
    assert links(app.run())["Back to the Lab"] == ""
    del app.query_params["from"]
    assert "Back to the Lab" not in links(app.run())
