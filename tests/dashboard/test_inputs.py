"""Inputs that start at their first value again when their subject changes."""

from streamlit.testing.v1 import AppTest

INPUTS = """
import streamlit as st
from dashboard.screen.inputs import choose_number_from, choose_option_from

subject = st.session_state.get("subject", "a cat")
choose_number_from(9, "Part", "part", 3, subject)
choose_option_from(["animal", "car", "plane"], "Class", "class", "car", subject)
"""


CLASS = """
import streamlit as st
from dashboard.screen.inputs import choose_class

if not st.session_state.get("closed"):
    choose_class(["animal", "car", "plane"], st.session_state.get("leading", 0), "net")
"""


PICK = """
import streamlit as st
from dashboard.screen.inputs import MOVED, pick_number, picked_number

st.session_state[MOVED] = {"word": [0, 2]}  # the second word is gone
pick_number(1, "word")
st.session_state["picked"] = st.session_state["word"]
pick_number(1, "capsule")
st.session_state["shown"] = picked_number("word")
st.session_state["word"] = 2
st.session_state["shown after"] = picked_number("word")
"""


def test_a_click_in_an_edited_picture_picks_the_word_that_is_there():
    state = AppTest.from_string(PICK).run().session_state
    assert (state["picked"], state["capsule"]) == (3, 2)
    assert (state["shown"], state["shown after"]) == (1, None)


def chosen(app):
    """The chosen part and class."""
    return app.number_input(key="part").value, app.selectbox(key="class").value


def test_another_subject_resets_the_inputs():
    app = AppTest.from_string(INPUTS).run()
    assert chosen(app) == (4, "car")
    app.number_input(key="part").set_value(7)
    app.selectbox(key="class").set_value("plane").run()
    assert chosen(app.run()) == (7, "plane")
    app.session_state["subject"] = "a dog"
    assert chosen(app.run()) == (4, "car")
    assert app.session_state["in address"] == {"part": True, "class": True}
    assert not app.exception


def test_a_class_follows_the_leading_one_until_the_user_chooses():
    app = AppTest.from_string(CLASS).run()
    menu = "class of net"
    for leading in (1, 0):
        app.session_state["leading"] = leading
        assert app.run().selectbox(key=menu).value == leading
    app.selectbox(key=menu).set_value(2).run()
    for closed, leading in ((False, 1), (True, 0), (False, 0)):
        app.session_state["closed"], app.session_state["leading"] = closed, leading
        app.run()
    assert app.selectbox(key=menu).value == 2
    assert not app.exception
