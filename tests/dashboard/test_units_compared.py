"""The units of two networks on the page Units, matched."""

import pytest

from dashboard.pages.units import compare
from dashboard.runs.unit_match import match_networks, partners_of, trainings_of
from dashboard.runs.units import units_of
from dashboard.screen.markdown import escape
from tests.dashboard.app import open_app, open_tab, shown_as_markdown, titles

FIRST = "dragg-reversed-sst5"


@pytest.fixture
def app():
    return open_app("units")


def test_units_of_two_networks_are_drawn_next_to_each_other(app):
    app.query_params |= {"unit": "2", "other": "dragg-sst5"}
    open_tab(app, "Compare with")
    assert not app.exception
    matched = match_networks(FIRST, "dragg-sst5")
    k = matched.matches.partner(1)
    second = matched.other.label(matched.matches.second[k])
    says = escape(f"Capsule 2 is matched with {second}: what they take has correlation ")
    assert any(text.startswith(f"**{says}") for text in shown_as_markdown(app))
    assert len([title for title in titles(app) if title.startswith("Effect of capsule")]) == 3
    table = app.dataframe[0].value
    assert table["correlation"].is_monotonic_decreasing
    assert sorted(label[0] for label in table["capsule here"]) == list("12345")


def test_networks_are_matched_on_texts_that_both_read():
    assert match_networks(FIRST, "em-sst5").data == units_of(FIRST).data
    assert match_networks(FIRST, "cccaps-ag").data == "the 500 sentences of the program"
    assert match_networks("em-lm-sst5", "em-sst5").data == units_of("em-sst5").data
    assert match_networks("em-smallnorb", FIRST) is None  # it reads no texts


def test_a_network_is_offered_those_that_are_most_like_it():
    partners = partners_of(FIRST)
    assert partners[0] == "dragg-sst5"
    assert not {FIRST, "cccaps-ag", "drnn-ag"} & {*partners}
    assert trainings_of(FIRST) == {}


def test_a_unit_without_a_match_says_so(app):
    app.query_params |= {"checkpoint": "em-sst5", "unit": "17", "other": "agt-sst5"}
    open_tab(app, "Compare with")
    assert not app.exception
    assert any(text.startswith("Part 17 has no match") for text in shown_as_markdown(app))


def test_other_trainings_say_how_stable_a_unit_is(app, monkeypatch):
    monkeypatch.setattr(compare, "trainings_of", lambda name: {1: "dragg-sst5", 2: "cccaps-ag"})
    app.query_params["unit"] = "2"
    open_tab(app, "Compare with")
    assert not app.exception
    says = [text for text in shown_as_markdown(app) if text.startswith("In the training with seed")]
    assert [text.split("seed ")[1][0] for text in says] == ["1", "2"]


def test_a_unit_says_whether_it_comes_back_in_other_trainings(app):
    app.query_params |= {"checkpoint": "cccaps-ag", "unit": "5", "across": "How stable"}
    app.run()
    assert not app.exception
    assert any(caption.value.startswith("It comes back in 2 of 2 other trainings") for caption in app.caption)
    assert "stable" in units_of("cccaps-ag").table()
    assert "stable" not in units_of("dragg-sst5").table()  # one training
