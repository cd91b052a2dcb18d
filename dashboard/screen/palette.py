"""The palette of shares, which a user can choose."""

import streamlit as st

from dashboard.theme import CIVIDIS, PALETTES

DEFAULT, *_ = PALETTES


def palette() -> str:
    """The chosen palette, a key of ``PALETTES``."""
    chosen = st.session_state.get("palette")
    return chosen if chosen in PALETTES else DEFAULT


def choose_palette() -> None:
    """Draw the choice of the palette. It must be drawn in every run, as Streamlit forgets inputs that are not."""
    st.radio("Palette", list(PALETTES), key="palette", horizontal=True)


def ranges(chosen: str) -> dict[str, list[str]]:
    """The ranges that a chart on screen names, if they are not those of the page's theme."""
    return {"ramp": CIVIDIS, "heatmap": CIVIDIS} if chosen == "Cividis" else {}
