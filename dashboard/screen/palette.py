"""The palette of shares and the size of all text, which a user can choose."""

import streamlit as st

from dashboard.theme import CIVIDIS, PALETTES

KEPT, LARGE = "palette of shares", "large text"  # entries of the session
FIRST, *_ = PALETTES


def palette() -> str:
    """The user's palette, a key of ``PALETTES``."""
    kept = st.session_state.get(KEPT)
    return kept if kept in PALETTES else FIRST


def choose_palette() -> None:
    """Draw the choice of the palette."""

    def keep() -> None:
        st.session_state[KEPT] = st.session_state.palette

    names = list(PALETTES)
    st.radio("Palette", names, names.index(palette()), key="palette", on_change=keep, horizontal=True)


def is_large() -> bool:
    """Whether everything is drawn larger, for a projector."""
    return st.session_state.get(LARGE) is True


def choose_size() -> None:
    """Draw the choice of the size of all text."""

    def keep() -> None:
        st.session_state[LARGE] = st.session_state.projector

    help = "Everything is drawn half as large again: text has 24 pixels instead of 16."
    st.toggle("Projector: large text", is_large(), key="projector", on_change=keep, help=help)


def ranges(chosen: str) -> dict[str, dict[str, list[str]]]:
    """Vega's settings for a palette that differs from that of the page's theme."""
    return {"range": {"ramp": CIVIDIS, "heatmap": CIVIDIS}} if chosen == "Cividis" else {}
