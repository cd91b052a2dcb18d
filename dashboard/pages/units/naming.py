"""The menu of units, and the names that a user gives them, which last as long as the session."""

from dataclasses import replace

import streamlit as st

from core.sentences.words import capital
from dashboard.pages.units.texts import RENAME, RENAME_HELP
from dashboard.runs.units import Units
from dashboard.screen.address import remember_key
from dashboard.screen.unit_link import GIVEN, given_names

UNIT = "unit"  # key of the menu, and its entry in the address
MAX_NAME = 40  # characters


def with_given_names(units: Units) -> Units:
    """The units with the names that the user gave them."""
    return replace(units, given=given_names(units.name))


def choose_unit(units: Units, first: int, subject: str) -> int:
    """Let the user choose a unit in a menu that shows names, while the address holds the number.

    Args:
        units: units of the network.
        first: row of the unit that is chosen for every new subject.
        subject: value that identifies the network and the question.

    Returns:
        The row of the unit.
    """
    state, params = st.session_state, st.query_params
    previous, state[f"{UNIT} of"] = state.get(f"{UNIT} of"), subject
    remember_key(UNIT)
    rows = {str(number): u for u, number in enumerate(units.numbers)}
    if previous not in (None, subject) or params.get(UNIT) not in rows:
        params.pop(UNIT, None)
    state[UNIT] = rows.get(params.get(UNIT, ""), first)

    def keep() -> None:
        pick_unit(units.numbers[state[UNIT]])

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        u = st.selectbox(capital(units.unit), range(len(rows)), format_func=units.short_label, key=UNIT, on_change=keep)
        draw_rename(units, u)
    return u


def pick_unit(number: int) -> None:
    """Open the unit with this number."""
    st.query_params[UNIT] = str(number)


def draw_rename(units: Units, u: int) -> None:
    """Draw a small window in which the user names a unit."""
    number = units.numbers[u]
    key = f"name of {units.name} {number}"

    def keep() -> None:
        given = st.session_state.setdefault(GIVEN, {}).setdefault(units.name, {})
        given[number] = " ".join(st.session_state[key].split())

    with st.popover(RENAME, icon=":material/edit:", type="tertiary", width="content"):
        label = f"Your name for {units.unit} {number}"
        st.text_input(label, units.given.get(number, ""), MAX_NAME, key=key, on_change=keep, help=RENAME_HELP)
