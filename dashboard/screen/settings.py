"""Settings of all pages, in a menu at the foot of the sidebar, which draws them only while it is open."""

import streamlit as st

from dashboard.runs import loaded
from dashboard.screen.palette import choose_palette, choose_size
from dashboard.screen.predict import choose_predicting

DEVICE = "device of runs"  # entry of the session


def draw_settings() -> None:
    """Draw the menu of settings."""
    menu = st.popover("Settings", icon=":material/settings:", type="tertiary", on_change="rerun", key="settings")
    if menu.open:
        with menu:
            _draw_device()
            choose_palette()
            choose_size()
            choose_predicting("predicts in settings")


def choose_device() -> str:
    """The device that models run on: the user's choice, or at first a GPU if there is one."""
    names, kept = loaded.devices(), st.session_state.get(DEVICE)
    return kept if kept in names else next(iter(names))


def _draw_device() -> None:
    def keep() -> None:
        st.session_state[DEVICE] = st.session_state.device

    names = loaded.devices()
    help = "The GPU if there is one, the CPU otherwise."
    first = list(names).index(choose_device())
    st.selectbox("Device", list(names), first, format_func=names.get, key="device", on_change=keep, help=help)
