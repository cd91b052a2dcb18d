"""The page Units without a browser, and what other pages say about units."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import streamlit as st

from core.analysis.rules import matching
from core.measured.__main__ import main
from core.networks.base import network_of
from dashboard.figures import units as figures
from dashboard.figures.chart import sheet_as_chart
from dashboard.figures.units import PlaneAxis
from dashboard.pages.units import readings
from dashboard.runs import checkpoints, loaded, unit_ideas
from dashboard.runs.sources import Source
from dashboard.runs.unit_texts import unit_in_text
from dashboard.runs.units import meaning_of, measured_networks, units_of
from dashboard.screen.markdown import escape
from tests.dashboard.app import (
    component,
    download_labels,
    main_picture,
    open_app,
    open_tab,
    shown_as_markdown,
    texts,
    titles,
    type_text,
)

MARKUP = "<b>b</b> **x** [a](http://x.y) $x$"
FIRST = "dragg-reversed-sst5"  # has kept measurements, and so has em-sst5


@pytest.fixture
def app():
    return open_app("units")


@pytest.fixture
def of_pictures(add_model, norb):
    """The name of a tiny network of pictures whose units are measured."""
    add_model("em-smallnorb")
    assert main(["units", "tiny-em-smallnorb", "--data", str(norb), "--device", "cpu"]) == 0
    checkpoints.survey.clear()
    return "tiny-em-smallnorb"


def sentence(app):
    """The sentence that answers the finder; "" without one."""
    return component(app, "finder")[0]["says"]


def test_the_page_opens_with_the_unit_that_matters_most(app):
    app.run()
    assert not app.exception
    units = units_of(FIRST)
    menu = app.selectbox(key="unit")
    assert (menu.label, menu.value) == ("Capsule", units.first)
    assert menu.options == [units.short_label(u) for u in range(len(units.numbers))]
    number = units.numbers[units.first]
    assert titles(app)[0] == "Units: how much it matters by how much it varies. A click on a point opens the unit."
    words = units.words(units.first, 8)["word"]
    assert f"Words that capsule {number} takes: {', '.join(words)}" in titles(app)
    assert f"Effect of capsule {number}" in titles(app)
    data, _ = main_picture(app)
    assert data["number"].tolist() == units.numbers
    assert any("Measured on 2,000 of the 2,210 texts" in text for text in shown_as_markdown(app))
    assert download_labels(app)[-3:] == ["CSV, effects", "LaTeX, zip", "Markdown, zip"]


@pytest.mark.parametrize(
    ("picture", "titles"),
    [
        (None, ["Words that capsule 3 takes", "Effect of capsule 3"]),
        ("All capsules", ["Units: how much it matters by how much it varies"]),
    ],
)
def test_the_user_chooses_the_picture_to_export(app, monkeypatch, picture, titles):
    says = (
        "Each point is a capsule. Across: how much" if picture else "The amount that a capsule takes from each word is"
    )
    files = {}
    monkeypatch.setattr(st, "download_button", lambda label, make, *_, **__: files.update({label: make}))
    app.session_state["export"], app.session_state["export cite"] = True, "Markdown"
    if picture:
        app.session_state["export picture"] = picture
    app.run()
    assert not app.exception
    drawn = texts(files["SVG"]().decode())
    assert [text for text in drawn if text.startswith(("Words that", "Effect of", "Units: "))] == titles
    (citation,) = [code.value for code in app.code if "**Methods.**" in code.value]
    assert titles[0] in citation
    assert says in citation
    assert "Measured on 2,000 of the 2,210 texts" in citation
    assert "Badge of" not in citation
    effects = files["CSV, effects"]().splitlines()
    assert effects[0].startswith("number,class,effect,effect_low,effect_high")
    assert len(effects) == 1 + 5 * 5


@pytest.mark.parametrize("name", ["em-sst5", "agt-sst5"])
def test_other_networks_have_their_own_units(app, name):
    app.query_params["checkpoint"] = name
    app.run()
    assert not app.exception
    units = units_of(name)
    assert app.selectbox(key="unit").label == units.unit.capitalize()
    assert len(main_picture(app)[0]) == len(units.numbers)


def test_the_address_and_the_menu_open_a_unit(app):
    app.query_params["unit"] = "2"
    app.run()
    assert app.selectbox(key="unit").value == 1
    app.selectbox(key="unit").set_value(3).run()
    assert app.query_params["unit"] == "4"
    assert "Effect of capsule 4" in titles(app)
    app.selectbox(key="checkpoint").set_value("em-sst5").run()
    units = units_of("em-sst5")
    assert app.selectbox(key="unit").value == units.first


@pytest.mark.parametrize("value", ["<script>", "inf", "-1", "99999", "", "²"])
def test_nonsense_in_the_address_opens_the_first_unit(app, value):
    for name in ("checkpoint", "unit", "which", "across", "up", "tab", "idea", "other", "read"):
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert app.selectbox(key="unit").value == units_of(FIRST).first
    assert not any("None" in shown for shown in shown_as_markdown(app))


def test_a_network_without_measured_units_says_how_to_measure(app, add_model):
    add_model("dragg")
    app.query_params["checkpoint"] = "tiny"
    app.run()
    assert not app.exception
    assert any("python -m core.measured units tiny" in text for text in shown_as_markdown(app))
    assert not titles(app)
    assert "tiny" not in measured_networks()
    assert meaning_of("tiny", 1) is None


def test_without_any_measured_network_one_sentence_says_so(app, monkeypatch):
    monkeypatch.setattr(checkpoints, "measured", lambda *_: None)
    app.run()
    assert not app.exception
    assert [error.value for error in app.error] == ["No network fits this page."]


def test_the_finder_opens_the_unit_that_takes_a_word(app):
    app.run().text_input(key="word").set_value(" Never ").run()
    assert not app.exception
    assert "“Never”, which occurs " in sentence(app)
    units = units_of(FIRST)
    (place,) = np.flatnonzero(units.kept["words"] == "never")
    assert app.selectbox(key="unit").value == units.kept["lift"][:, place].argmax()
    assert app.query_params["word"] == " Never "
    app.text_input(key="word").set_value("").run()
    assert sentence(app) == ""
    assert "word" not in app.query_params


@pytest.mark.parametrize("word", [MARKUP, "xyzzy", "x" * 500, "a\0b", "שלום \u202e"])
def test_an_odd_word_gives_one_sentence_and_stays_text(app, word):
    app.query_params["word"] = word
    app.run()
    assert not app.exception
    kept = " ".join(word[:60].split())
    single = f"“{kept}” occurs fewer than 5 times in these texts, so nothing is known about it."
    assert sentence(app) == ("Type a single word." if " " in kept else single)
    assert app.selectbox(key="unit").value == units_of(FIRST).first


def test_a_question_opens_its_unit_and_clears_the_word(app):
    app.query_params["word"] = "never"
    app.run()
    app.selectbox(key="which").set_value("is most static").run()
    assert not app.exception
    units = units_of(FIRST)
    assert "is most static" in sentence(app)
    assert app.selectbox(key="unit").value == units.kept["between"].argmin()
    assert app.text_input(key="word").value == ""
    app.text_input(key="word").set_value("great").run()
    assert app.selectbox(key="which").value == ""
    assert "which" not in app.query_params


def test_a_question_of_another_network_is_forgotten(app):
    app.query_params |= {"which": "speaks most for “World”", "checkpoint": FIRST}
    app.run()
    assert not app.exception
    assert app.selectbox(key="which").value == ""
    assert sentence(app) == ""


def test_a_new_network_is_not_asked_the_last_question(app):
    app.query_params["word"] = "never"
    app.run()
    assert sentence(app)
    app.selectbox(key="checkpoint").set_value("em-sst5").run()
    assert (sentence(app), app.text_input(key="word").value) == ("", "")
    assert "word" not in app.query_params
    app.selectbox(key="which").set_value("is most static").run()
    app.selectbox(key="checkpoint").set_value(FIRST).run()
    assert app.selectbox(key="which").value == ""


def test_a_user_names_a_unit(app):
    app.query_params["unit"] = "2"
    app.run()
    app.text_input(key=f"name of {FIRST} 2").set_value(f"  {MARKUP}  ").run()
    assert not app.exception
    named = f"2 · {MARKUP}"[: 2 + 2 + 40]
    assert app.selectbox(key="unit").options[1].startswith("2 · <b>b</b>")
    assert any(text.startswith(f"**Capsule {escape(named)[:12]}") for text in shown_as_markdown(app))
    assert not any("<b>" in text.replace("\\", "!") for text in shown_as_markdown(app))
    data, _ = main_picture(app)
    assert data["meaning"][1].startswith("<b>b</b>")
    app.text_input(key=f"name of {FIRST} 2").set_value("").run()
    assert app.selectbox(key="unit").options[1] == units_of(FIRST).short_label(1)


@pytest.mark.parametrize(
    ("idea", "answer"),
    [
        ("^(not|never|no)$", "Your rule holds for "),
        ("(", "The regular expression '(' is not valid: missing )"),
        ("((x{1,9999}){1,9999}){1,9999}", "Your rule holds for "),
        (MARKUP, f"The regular expression '{MARKUP}' is not valid: multiple repeat"),
    ],
)
def test_an_idea_is_tested_or_refused_in_one_sentence(app, idea, answer):
    app.query_params["idea"] = idea
    open_tab(app, "Test an idea")
    assert not app.exception
    said = [*(text.value for text in app.info), *shown_as_markdown(app)]
    assert any(escape(answer) in text for text in said)
    assert "CSV, units" in download_labels(app)  # the page goes on after the error


@pytest.mark.parametrize("idea", ["^xyzzy$", "Xyzzy, plugh"])
def test_an_idea_is_tested_on_the_official_split_where_it_is(app, monkeypatch, idea):
    units = units_of(FIRST)
    places = np.arange(2_000) * 2_210 // 2_000
    active = np.unpackbits(units.kept["active"][units.first], count=2_000).astype(bool)
    texts = np.full(2_210, "a film", object)
    texts[places[active]] = "a xyzzy"  # the rule is right for each text, so it beats the usual answer
    monkeypatch.setattr(unit_ideas, "may_read_split", lambda name: True)
    monkeypatch.setattr(unit_ideas, "read_test_split", lambda name: Source("split", pa.table({"text": list(texts)})))
    app.query_params["idea"] = idea
    open_tab(app, "Test an idea")
    assert not app.exception
    shown = [text.replace("\\", "") for text in shown_as_markdown(app)]
    usual = 1 - active[1::2].mean()
    assert any(
        f"Your rule holds for {active.mean():.0%} of the 2,000 texts of the official test split. It predicts when "
        f"capsule 3 is active in 100.0% of the 1,000 of them that are kept apart: better than always giving the "
        f"usual answer ({usual:.1%}). The program's rule, “very negative answers”, is right for "
        f"{units.kept['accuracy'][units.first]:.1%} of the same texts." in text
        for text in shown
    )
    assert any("every second of the texts that were measured (" in text for text in shown)


def test_without_the_official_split_an_idea_is_tested_on_sentences(app, monkeypatch):
    units = units_of(FIRST)
    monkeypatch.setattr(unit_ideas, "may_read_split", lambda name: False)
    app.query_params["idea"] = "^never$"
    open_tab(app, "Test an idea")
    shown = [text.replace("\\", "") for text in shown_as_markdown(app)]
    assert any("of the program's 500 sentences. It predicts when capsule 3 is active in " in text for text in shown)
    assert any("every second of the program's 500 sentences" in text for text in shown)
    # A split of another length is not the one that the units were measured on.
    monkeypatch.setattr(unit_ideas, "may_read_split", lambda name: True)
    few = Source("split", pa.table({"text": ["a"] * 2_100}))
    monkeypatch.setattr(unit_ideas, "read_test_split", lambda name: few)
    assert not unit_ideas.reads_split(units)
    assert not unit_ideas.reads_split(replace(units, shown={}))


def test_an_idea_that_takes_too_long_is_refused(app, monkeypatch):
    monkeypatch.setattr(unit_ideas, "matching", lambda pattern, _: matching(pattern, seconds=0))
    app.query_params["idea"] = "(a|aa)+$"
    open_tab(app, "Test an idea")
    assert not app.exception
    assert any("takes too long. Write a simpler one." in text.value for text in app.info)


def test_all_units_are_in_a_table_and_words_are_defined(app):
    open_tab(app, "All units")
    assert app.dataframe[0].value["number"].tolist() == units_of(FIRST).numbers
    assert any("**Idle**" in text for text in shown_as_markdown(open_tab(app, "Definitions")))


def test_texts_are_escaped_and_what_a_unit_takes_is_bold():
    marked = readings.marked("a <b> film", np.array([[6, 10], [0, 1], [-1, -1]]))
    assert marked == "<b>a</b> &lt;b&gt; <b>film</b>"


def test_a_network_of_pictures_shows_places(app, of_pictures):
    app.query_params["checkpoint"] = of_pictures
    app.run()
    assert not app.exception
    units = units_of(of_pictures)
    assert units.places(0).shape == (2, 2)
    assert units.places(0)[1, 0] == units.kept["lift"][0][units.kept["words"].tolist().index("place 3")]
    assert any(title.startswith("Places that part ") for title in titles(app))
    assert not any("word" in text for text in shown_as_markdown(app))
    assert "This network reads pictures, so it has no texts." in shown_as_markdown(app)
    assert [tab.label for tab in app.tabs] == ["All units", "Definitions"]
    app.text_input(key="word").set_value("place 3").run()
    assert "“place 3”, which occurs 10 times, is taken most by parts " in sentence(app)


def test_a_unit_is_shown_in_the_users_own_text(app):
    app.query_params |= {"read": readings.OWN, "unit": "3"}
    type_text(app, "Never dull, <b>never</b> slow.")
    assert not app.exception
    (shaded,) = component(app, "shading")
    assert "".join(piece for piece, _ in shaded["segments"]) == "Never dull, <b>never</b> slow."
    assert shaded["notes"] == [["capsule 3"]]
    assert max(shaded["shares"][0][0]) == 1
    (says,) = [text for text in shown_as_markdown(app) if "Its activation is " in text]
    assert "of the 2,000 texts that were measured" in says
    assert "Without it, the answer " in says


def test_a_units_numbers_in_a_text_are_those_of_its_run():
    units = units_of(FIRST)
    checkpoint = loaded.load(FIRST, checkpoints.about(FIRST).version, "cpu")
    run = network_of(checkpoint).unit_run(checkpoint, "  A dull film")
    read = unit_in_text(units, 1, "cpu", "  A dull film")
    assert (read.text, read.words) == ("A dull film", ["A", "dull", "film"])
    np.testing.assert_allclose(read.shares, run.taken[1] / run.taken[1].sum(), rtol=1e-6)
    assert read.activation == run.activation[1]
    np.testing.assert_array_equal(read.without, run.without[1])


@pytest.mark.parametrize("text", ["", " \n", "\0"])
def test_a_text_without_a_word_gives_one_sentence(app, text):
    app.query_params["read"] = readings.OWN
    type_text(app, text)
    assert not app.exception
    assert len(app.info) == 1
    assert "CSV, units" in download_labels(app)  # the page goes on


TABLE = pd.DataFrame(
    {
        "number": [1, 3],
        "label": ["capsule 1", "capsule 3"],
        "meaning": ["praise", "<b>"],
        "short": ["1", "3"],
        "a": [0.2, 0.4],
        "b": [0, 0],
    }
)
WORDS = pd.DataFrame({"word": ["never", "<b>"], "lift": [3.5, 0.5], "count": [12, 5]})
A, B = PlaneAxis("a", "a", "first"), PlaneAxis("b", "b", "second")


@pytest.mark.parametrize(
    "figure",
    [
        figures.plane(TABLE, A, B, 3),
        figures.plane(TABLE[:1], B, A, 1),
        figures.words(WORDS),
        figures.places(np.arange(81.0).reshape(9, 9)),
        figures.places(np.zeros((1, 1))),
    ],
)
def test_every_figure_of_units_is_valid(figure):
    sheet_as_chart({"figure": figure})  # raises if the figure breaks Vega-Lite's schema


def test_no_point_is_at_the_edge_of_the_plane():
    encoding = figures.plane(TABLE, A, B, 3).spec["encoding"]
    np.testing.assert_allclose(encoding["x"]["scale"]["domain"], [0.176, 0.424])
    low, high = encoding["y"]["scale"]["domain"]  # all points are at 0
    assert (low, high > 0) == (0, True)


def test_labels_of_crowded_points_are_left_out():
    x, y = pd.Series([0, 0.01, 0.01, 1]), pd.Series([0, 0.02, 0.5, 1])
    assert sorted(figures.label_apart(x, y, 0)) == [0, 2, 3]
    assert sorted(figures.label_apart(x, y, 1)) == [1, 2, 3]
    assert figures.label_apart(pd.Series([0.5]), pd.Series([0.5]), 0) == [0]


def test_places_are_numbered_row_by_row():
    data = figures.places(np.arange(6.0).reshape(2, 3)).data.to_pandas()
    row = data[(data["down"] == 2) & (data["across"] == 1)].iloc[0]
    assert (row["place"], row["lift"]) == (4, 3)


PAGES = {"routing": ("capsule", FIRST), "sentiment_capsules": ("part", "em-sst5"), "agt": ("changed", "agt-sst5")}


@pytest.mark.parametrize("page", PAGES)
def test_an_inspector_says_what_the_picked_unit_means(page):
    key, name = PAGES[page]
    app = open_app(page)
    app.query_params |= {"checkpoint": name, key: "1"}
    app.run()
    assert not app.exception
    (link,) = [link.proto for link in app.get("page_link") if link.proto.label == escape(meaning_of(name, 1))]
    assert f"checkpoint%3D{name}%26unit%3D1" in link.query_string


OF_TINY = {"kmeans": ("cccaps", "feature", "Feature capsule 2"), "smallnorb": ("em-smallnorb", "part", "Part 2")}


@pytest.mark.parametrize("page", OF_TINY)
def test_an_inspector_of_a_measured_network_names_its_unit(page, add_model, norb, trees):
    kind, key, begins = OF_TINY[page]
    name, data = add_model(kind).name, norb if kind == "em-smallnorb" else trees
    assert main(["units", name, "--data", str(data), "--device", "cpu"]) == 0
    checkpoints.survey.clear()
    app = open_app(page)
    app.query_params |= {"checkpoint": name, key: "2"}
    app.run()
    assert not app.exception
    assert [link for link in app.get("page_link") if link.proto.label.startswith(escape(f"{begins}:"))]


def test_an_inspector_says_nothing_about_unmeasured_units(add_model):
    add_model("dragg")
    app = open_app("routing")
    app.query_params["checkpoint"] = "tiny"
    app.run()
    assert not app.exception
    assert not [link for link in app.get("page_link") if link.proto.label.startswith("Capsule")]


def test_a_link_opens_a_unit_whatever_was_open_before(app):
    app.query_params["checkpoint"] = "em-sst5"
    app.run()
    app.query_params.clear()
    app.query_params["open"] = f"checkpoint={FIRST}&unit=2"
    app.run()
    assert not app.exception
    assert app.selectbox(key="unit").value == 1


def test_texts_of_the_test_split_are_read_where_they_are(app, monkeypatch):
    monkeypatch.setattr(readings, "may_read_split", lambda name: False)
    (choice,) = [one for one in open_app("units").run().get("button_group") if one.key == "read"]
    assert choice.options == [readings.SENTENCES, readings.OWN]
    monkeypatch.setattr(readings, "may_read_split", lambda name: True)
    texts = pa.table({"text": [f"text {k} <b>x</b>" for k in range(2_210)]})
    monkeypatch.setattr(readings, "read_test_split", lambda name: Source("the test split", texts))
    app.query_params["read"] = readings.SPLIT
    app.run()
    assert not app.exception
    units = units_of(FIRST)
    first = int(units.kept["texts"][units.first, -1, 1])
    (shown,) = [html.proto.body for html in app.get("html") if html.proto.body.startswith('<ol class="rs-tenths"')]
    assert f"text {first} " in shown.replace("<b>", "").replace("</b>", "").replace("&lt;b&gt;", "")
    assert "<b>x" not in shown
    assert any("One text of the test split for each tenth" in text for text in shown_as_markdown(app))
