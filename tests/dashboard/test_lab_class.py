"""The Lab for a class: scenes to open, a quiz whose answers are computed, a handout, and a reset."""

from html.parser import HTMLParser

import pytest
import streamlit as st

from core import lab
from core.sentences.comparison import most_different
from dashboard.pages.lab import handout, quiz, scenes
from dashboard.pages.lab.for_class import PRESETS
from dashboard.pages.lab.parts import STARTS
from dashboard.screen.address import LINK
from tests.dashboard.app import component, open_app


@pytest.fixture
def app():
    app = open_app("lab")
    app.query_params["tab"] = "For class"
    return app.run()


def button(app, label):
    return next(button for button in app.button if button.label == label)


def shown(app):
    """The data of the Lab's component."""
    assert not app.exception
    return component(app, "lab")[0]


@pytest.mark.parametrize("k", range(len(PRESETS)))
def test_every_scene_opens_with_its_settings(app, k):
    question, settings = PRESETS[k]
    button(app, question).click().run()
    data = shown(app)
    for key, value in settings.items():
        assert app.session_state[key] == value
    if "only" in settings:
        assert [run["title"] for run in data["runs"]] == settings["only"]
    assert bool(data["parts"]) == (settings.get("scene", "House or boat") == "House or boat")


def test_reset_opens_the_lab_as_it_is_at_first(app):
    first = shown(app)
    app.number_input(key="noise").set_value(0.5)
    app.selectbox(key="start").set_value("Boat").run()
    assert shown(app)["runs"] != first["runs"]
    button(app, "Reset").click().run()
    assert shown(app)["runs"] == first["runs"]
    assert app.session_state["noise"] == 0


def test_the_quiz_counts_right_answers(app):
    for k, make in enumerate(quiz.QUESTIONS, 1):
        question = make()
        right = question.options[question.right]
        wrong = next(option for option in question.options if option != right)
        app.radio(key=f"answer {k}").set_value(wrong if k == 1 else right).run()
        button(app, "Check").click().run()
        said = [message.value for message in (*app.success, *app.info)]
        assert any(question.why in message for message in said)
        button(app, "Next question" if k < len(quiz.QUESTIONS) else "To the score").click().run()
    assert "**4 of 5 right.**" in [text.value for text in app.markdown]
    button(app, "Again").click().run()
    assert any("Question 1 of 5" in text.value for text in app.markdown)


def test_right_answers_are_among_different_options():
    for make in quiz.QUESTIONS:
        question = make()
        assert 0 <= question.right < len(set(question.options)) == len(question.options)


def test_an_answer_s_scene_opens(app):
    app.radio(key="answer 1").set_value("EM").run()
    button(app, "Check").click().run()
    app.selectbox(key="start").set_value("Boat").run()
    button(app, "Open this scene").click().run()
    assert app.session_state["start"] == quiz.BROKEN


@pytest.mark.parametrize("kept", ["x", {}, [], [1], [None, None], ["x"] * 9, [True] * 7, [[]]])
def test_nonsense_in_the_session_begins_the_quiz(app, kept):
    app.session_state[quiz.KEPT] = kept
    app.run()
    assert any("Question 1 of 5" in text.value for text in app.markdown)


class Texts(HTMLParser):
    """Collects the tags and texts of a page."""

    def __init__(self):
        super().__init__()
        self.tags, self.texts = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        assert not {"src", "href", "onload"} & dict(attrs).keys()

    def handle_data(self, data):
        self.texts.append(data)


def test_the_handout_has_an_empty_table_and_the_answers():
    scene = scenes.scene_of_parts(STARTS["House"], 0.0)
    runs = lab.compare(scene.votes, 3)
    page = Texts()
    page.feed(handout.to_handout(scene, runs, "Is 1 < 2?"))
    assert "Is 1 < 2?" in page.texts
    assert "script" not in page.tags
    assert page.tags.count("polygon") == len(scene.parts)
    assert page.tags.count("td") == 2 * 3 * (1 + 2 * len(runs))
    assert page.texts.count("Scene: House") == 2
    i, j = most_different(runs, 2)
    heading = f"Share of {scene.inputs[i]}, part {i + 1}, that the house gets (in Reversed, of what the house takes)"
    assert page.texts.count(heading) == 2
    assert f"{runs[0].coupling[-1, i, j]:.0%}" in page.texts
    assert f"house ({runs[0].activation[-1, 0]:.2f})" in page.texts


def test_a_scene_has_its_name_or_settings():
    assert scenes.scene_of_parts(STARTS[quiz.BROKEN], 0.2).details == f"{quiz.BROKEN}, noise 0.2"
    assert scenes.scene_of_parts(STARTS["House"][:1], 0.0).details == "parts moved by hand"
    assert scenes.scene_of_clouds(n_inputs=9, spread=0.1).details == "inputs 9, spread 0.1"


def test_the_quiz_asks_about_the_roof_in_every_routing():
    question = quiz.QUESTIONS[0]()
    assert question.options == ["Standard", "Reversed", "k-means", "EM"]
    assert question.options[question.right] == "EM"
    assert "in Reversed, it is 13% of what the house takes" in question.why


def test_a_handout_of_clouds_has_their_dots_and_speaks_of_several():
    scene = scenes.scene_of_clouds(n_inputs=24)
    page = Texts()
    page.feed(handout.to_handout(scene, lab.compare(scene.votes, 5), ""))
    assert page.tags.count("circle") == 24 * len(scene.outputs)
    assert not {text for text in page.texts if text == "both"}
    assert "several" in page.texts


def test_every_opened_scene_moves_the_slider_to_its_own_iteration(app):
    def slider():
        assert not app.exception
        return component(app, "scrubber")[0]

    subjects = [slider()["subject"]]
    for label, start in (("When does standard routing sort eight parts?", 1), ("Why does k-means stay soft?", 5)):
        button(app, label).click().run()
        subjects.append(slider()["subject"])
        assert slider()["start"] == start
    button(app, "Reset").click().run()
    assert len({*subjects, slider()["subject"]}) == 4


def test_a_handout_of_a_text_is_escaped():
    votes = scenes.scene_of_clouds(n_inputs=3)
    runs = lab.compare(votes.votes, 2)
    assert "<b>x</b>" not in handout.to_handout(votes, runs, "<b>x</b>")


def test_the_handout_is_offered(monkeypatch):
    files = {}
    monkeypatch.setattr(st, "download_button", lambda label, make, *_, **__: files.update({label: make}))
    app = open_app("lab")
    app.query_params["tab"] = "For class"
    app.run()
    assert files["Handout to print"]().startswith("<!DOCTYPE html>")


def test_a_link_that_cannot_be_followed_does_not_hang(app):
    app.query_params[LINK] = "noise=0.3"
    assert not app.run().exception
