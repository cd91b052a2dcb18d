"""A wait shows how far it is, and can be cancelled."""

from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.screen import waits
from dashboard.screen.outputs import run_models
from dashboard.screen.waits import time_left

WAIT = """
import streamlit as st
from dashboard.screen.waits import run_with_bar

def run(tell):
    st.session_state.ran = st.session_state.get("ran", 0) + 1
    for share in (0.25, 0.5, 0.75):
        tell(share)
    return 3

st.write(f"The answer is {run_with_bar('Counting', st.session_state.get('question', 'a'), run)}.")
"""

FAILS = """
    raise ValueError

try:
    run_with_bar("Counting", "a", run)
except ValueError:
    st.write("It failed.")
"""


def written(app):
    """All texts on the page."""
    return [one.value for one in (*app.markdown, *app.caption)]


def test_the_result_is_returned_and_the_bar_disappears():
    app = AppTest.from_string(WAIT).run()
    assert not app.exception
    assert written(app) == ["The answer is 3."]
    assert not app.button


def test_a_cancelled_question_is_not_run_again_until_the_user_goes_on(monkeypatch):
    monkeypatch.setattr(waits, "UNSEEN", 0)
    app = AppTest.from_string(WAIT)
    app.session_state[waits.CANCELLED] = "a"
    app.run()
    assert written(app) == ["The answer is None.", "Counting: cancelled."]
    assert "ran" not in app.session_state
    app.button(key="go on Counting").click().run()
    assert written(app) == ["The answer is 3."]
    assert app.session_state.ran == 1


def test_another_question_is_run():
    app = AppTest.from_string(WAIT)
    app.session_state[waits.CANCELLED] = "another"
    assert written(app.run()) == ["The answer is 3."]


def test_an_error_leaves_no_bar(monkeypatch):
    monkeypatch.setattr(waits, "UNSEEN", 0)
    app = AppTest.from_string(WAIT.partition("    return 3")[0] + FAILS).run()
    assert not app.exception
    assert written(app) == ["It failed."]
    assert not app.button


@pytest.mark.parametrize(
    ("share", "now", "says"),
    [(0.2, 11, ""), (0.4, 12, "about 6 s left"), (0.21, 12, "about 3 min left"), (1.0, 20, "about 0 s left")],
)
def test_the_remaining_time_by_hand(share, now, says):
    assert time_left(0.2, 10, share, now) == says


def test_a_run_that_takes_long_shows_a_spinner(monkeypatch):
    on_screen = []

    @contextmanager
    def spinner(text):
        on_screen.append(text)
        yield
        on_screen.remove(text)

    monkeypatch.setattr("streamlit.spinner", spinner)
    monkeypatch.setattr("dashboard.runs.texts.run", lambda *run: SimpleNamespace(notices=[], seen=list(on_screen)))
    (trace,) = run_models(["dragg-sst5"], "cpu", "A text.")
    assert trace.seen == ["Reading the text …"]
    assert not on_screen
