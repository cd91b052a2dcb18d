"""The palette of shares, which a user can choose."""

import streamlit as st

from dashboard.theme import CIVIDIS, PALETTES

KEPT = "palette of shares"  # entry of the session
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


def ranges(chosen: str) -> dict[str, dict[str, list[str]]]:
    """Vega's settings for a palette that differs from that of the page's theme."""
    return {"range": {"ramp": CIVIDIS, "heatmap": CIVIDIS}} if chosen == "Cividis" else {}
