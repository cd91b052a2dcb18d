"""Predict first: outcomes in the Lab and of edits are hidden until the user has said what they expect."""

import pytest

from dashboard.screen.predict import ANSWER, ON, PARAM, YES
from tests.dashboard.app import component, open_app, shown_as_markdown


def answer(app, label):
    """Click one of the answers."""
    next(button for button in app.button if button.label == label).click().run()


def verdict(app):
    """The data of the classes on screen."""
    return component(app, "verdict")[0]


def said(app):
    """The sentences on the user's prediction."""
    plain = [message.value.replace("\\", "") for message in (*app.success, *app.info)]
    return [value for value in plain if value.startswith("You said")]


def test_the_lab_hides_its_outcome_until_it_was_predicted():
    app = open_app("lab").run()
    assert not component(app, "lab")[0]["hidden"]
    app.toggle(key="predicts in lab").set_value(True).run()
    assert component(app, "lab")[0]["hidden"]
    assert not app.tabs
    answer(app, "They differ")
    assert not component(app, "lab")[0]["hidden"]
    assert said(app) == ["You said: They differ. It is: All the house."]
    app.selectbox(key="start").set_value("Boat").run()
    assert component(app, "lab")[0]["hidden"]
    answer(app, "All the boat")
    assert said(app) == ["You said: All the boat. That is right."]


def test_the_surest_routing_is_predicted_for_clouds():
    app = open_app("lab")
    app.session_state[ON] = True
    app.query_params["scene"] = "Clouds"
    answer(app.run(), "Standard")
    assert said(app) == ["You said: Standard. That is right."]


@pytest.mark.parametrize("page", ["routing", "agt"])
def test_an_edit_is_run_when_its_answer_was_predicted(page):
    app = open_app(page)
    app.session_state[ON] = True
    app.query_params["edit"] = "drop:8" if page == "routing" else "drop:9"
    app.run()
    assert not app.exception
    asked = [text for text in shown_as_markdown(app) if "Which class will lead?" in text]
    assert len(asked) == 1
    before = verdict(app)
    answer(app, "neutral")
    assert len(said(app)) == 1
    assert verdict(app) != before


def test_nonsense_in_the_session_is_no_prediction():
    app = open_app("lab")
    app.session_state[ON], app.session_state[ANSWER] = True, "x"
    assert component(app.run(), "lab")[0]["hidden"]


def test_a_shared_link_asks_for_predictions_too():
    app = open_app("lab").run()
    assert PARAM not in app.query_params
    app.toggle(key="predicts in lab").set_value(True).run()
    assert app.query_params[PARAM] == YES
    opened = open_app("lab")
    opened.query_params[PARAM] = YES
    assert component(opened.run(), "lab")[0]["hidden"]
    opened.toggle(key="predicts in lab").set_value(False).run()
    assert PARAM not in opened.query_params
    assert not component(opened, "lab")[0]["hidden"]


def test_nonsense_in_the_address_asks_for_no_prediction():
    app = open_app("lab")
    app.query_params[PARAM] = "<b>"
    assert not component(app.run(), "lab")[0]["hidden"]
