"""The formula of a page with the numbers of a cell."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from core.inputs.text import tokenize
from tests.dashboard.app import component, open_app, text_in_box

SCRIPT = """
import streamlit as st
from dashboard.runs import texts
from dashboard.screen.formula import draw_formula_with_numbers

name, cell, edits = st.session_state.case
text = "The film `is` **good** $x$"
from core.edits import parse_edit
trace = texts.run(name, "cpu", text, 3 if "drnn" not in name else None, [parse_edit(edit) for edit in edits])
draw_formula_with_numbers(trace, cell, 3, "cpu", text)
"""
CASES = {"dragg-reversed-sst5": (2, 0), "cccaps-ag": (2, 0), "drnn-ag": (2, 0)}


@pytest.mark.parametrize("name", CASES)
def test_the_formula_ends_at_the_share_and_gives_its_path(name):
    app = AppTest.from_string(SCRIPT, default_timeout=60)
    app.session_state["case"] = (name, CASES[name], ())
    app.run()
    assert not app.exception
    if name != "cccaps-ag":
        assert app.text[0].value.startswith("“`#1”")  # as plain text: no text of a user is in a formula or in Markdown
    written = [element.value for element in (*app.latex, *app.markdown, *app.caption)]
    assert len(app.latex) >= 2
    assert not [value for value in written if "`" in value]
    assert app.code[-1].value.startswith("trace.")
    before = [element.value for element in app.latex]
    app.number_input[0].set_value(1).run()
    assert [element.value for element in app.latex] != before


def test_an_edited_share_is_worked_out_with_its_edit():
    app = AppTest.from_string(SCRIPT, default_timeout=60)
    app.session_state["case"] = ("dragg-reversed-sst5", (2, 0), ("couple:2,0=0.5",))
    app.run()
    assert not app.exception
    assert app.caption[-1].value == "Your edits put this number in its place."


@pytest.mark.parametrize("page", ["routing", "kmeans", "sentiment_capsules", "agt", "drnn"])
def test_a_page_opens_on_the_cell_that_its_finding_names(page, no_sweeps):
    app = open_app(page).run()
    assert not app.exception
    (finding,), (slider,) = component(app, "finding"), component(app, "scrubber")
    words = [word.text for word in tokenize(text_in_box(app))]
    picked = words[int(app.number_input(key="word").value) - 1]
    assert re.search(rf"\b{re.escape(picked)}\b[^“]*”", finding["sentences"][slider["start"] - 1])
    assert app.code[0].value.startswith("trace.")  # the path of its number, with a button that copies it
