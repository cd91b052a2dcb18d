"""The end of the page Start: the papers, the code, how to cite the program, and its version."""

import streamlit as st

from core import __version__
from dashboard.screen.about import CITE, CODE, papers
from dashboard.screen.read_more import draw_read_more


def draw_footer() -> None:
    """Draw the footer."""
    with st.container(key="start_footer", gap="small"):
        st.caption(f"Papers: {' · '.join(f'{title}: {link}' for title, link in papers())}")
        draw_read_more("start")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(f"Routescope {__version__}. {CODE}", width="stretch")
            with st.popover("Cite", icon=":material/format_quote:", type="tertiary"):
                st.code(CITE, language="bibtex", wrap_lines=True)
