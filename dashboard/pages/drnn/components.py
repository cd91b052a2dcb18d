"""The components that the window of a picked word wins, by name."""

import streamlit as st

from dashboard.loading import LOADING
from dashboard.pages.drnn.texts import COMPONENTS, COMPONENTS_LOAD, COMPONENTS_WITHOUT_EDITS
from dashboard.runs.unit_texts import deciding_units
from dashboard.runs.units import units_of
from dashboard.screen.loading import wait_for_pytorch
from dashboard.screen.outputs import go_on_after_error
from dashboard.screen.unit_link import draw_meaning

N_NAMED = 2  # as many as the inspector has room for


def draw_components(name: str, device: str, text: str, i: int, is_edited: bool) -> None:
    """Draw what the components mean that word i's window wins and that move the answer most; nothing if not measured.

    Args:
        name, device: name and device of the network.
        text: text as typed.
        i: index of the word in it.
        is_edited: whether the picture is of another text, since the user has edited the run.
    """
    units = units_of(name)
    if units is None:
        return
    if is_edited:
        st.caption(COMPONENTS_WITHOUT_EDITS)
    elif LOADING.is_set():  # the first visitor's run comes from a file, which has no components
        wait_for_pytorch(COMPONENTS_LOAD)
    else:
        with go_on_after_error():
            numbers = deciding_units(units, device, text, i)[:N_NAMED]
            if numbers:
                st.caption(COMPONENTS)
            for number in numbers:
                draw_meaning(name, number)
