"""The sidebar around the pages' names: the program's name and version above, settings and what it is below."""

from pathlib import Path

import streamlit as st

from core import __version__
from dashboard.components.navigation import ease_navigation
from dashboard.screen.about import draw_about
from dashboard.screen.settings import draw_settings
from dashboard.theme import ICON

WIDTH = 220  # pixels
WORDMARK = (Path(__file__).parents[1] / "wordmark.svg").read_text(encoding="utf-8").replace("VERSION", __version__)


def draw_sidebar() -> None:
    """Draw the program's name, which becomes its icon while the sidebar is closed, and the foot of the sidebar."""
    st.logo(WORDMARK, size="large", icon_image=ICON)
    with st.sidebar.container(key="foot", horizontal=True, gap="small"):
        draw_settings()
        draw_about()
        ease_navigation()
