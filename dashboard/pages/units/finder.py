"""The finder: a question or a word in, one sentence and a unit out."""

import streamlit as st

from core.sentences.unit_finder import Answer, answer, find_word, least_count, questions
from dashboard.components.finder import finder
from dashboard.pages.units.texts import ANY, FIND, FIND_HELP, WHICH
from dashboard.runs.units import Units, words_in_lines
from dashboard.screen.address import remember_key

QUESTION, WORD = "which", "word"  # keys of the menu and of the box, and their entries in the address
OF = f"{WORD} of"  # key of the network that was asked about
MAX_WORD = 60  # characters


def draw_finder(units: Units) -> str:
    """Let the user choose a question, or type a word; each clears the other. Returns what was asked, or ""."""
    state, params = st.session_state, st.query_params
    options = ["", *questions(units.classes)]
    previous, state[OF] = state.get(OF), units.name
    if previous not in (None, units.name):  # the question was about another network
        params.pop(QUESTION, None)
        params.pop(WORD, None)
    for key in (QUESTION, WORD):
        remember_key(key)
        state[key] = params.get(key, "")[:MAX_WORD]
    if state[QUESTION] not in options or state[WORD].strip():
        params.pop(QUESTION, None)
        state[QUESTION] = ""

    def ask(key: str, other: str) -> None:
        params.pop(other, None)
        params[key] = state[key]
        if not state[key].strip():
            del params[key]

    with st.container(horizontal=True, gap="medium"):
        how = {"width": 380, "key": QUESTION, "on_change": ask, "args": (QUESTION, WORD)}
        st.selectbox(WHICH.format(unit=units.unit), options, format_func=lambda one: one or ANY, **how)
        how = {"width": 380, "key": WORD, "on_change": ask, "args": (WORD, QUESTION)}
        label = FIND.format(unit=units.unit, input=units.input)
        st.text_input(label, placeholder=FIND_HELP[units.input], max_chars=MAX_WORD, **how)
    return state[WORD].strip() or state[QUESTION]


def find(units: Units, asked: str) -> Answer:
    """The sentence on what was asked, and the row of the unit; None without one."""
    if asked in questions(units.classes) and not st.session_state[WORD].strip():
        return answer(units.kept, asked, units.unit, units.classes, units.input)
    return find_word(units.kept, asked, units.unit, units.input)


def draw_answer(units: Units, says: str) -> None:
    """Draw the sentence on what was asked, which follows the box while the user types. says: "" if nothing was."""
    least = least_count(units.kept)
    finder("answer", WORD, says, words_in_lines(units), units.unit, units.input, least)
