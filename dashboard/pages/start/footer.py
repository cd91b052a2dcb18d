"""The end of the page Start: the papers, how to cite the program, and its version."""

import streamlit as st

from dashboard.pages.start.texts import BIBTEX, LICENCE, PAPERS
from dashboard.runs.stories import VERSION


def draw_footer() -> None:
    """Draw the footer."""
    st.divider()
    with st.container(key="start_papers"):
        papers = " · ".join(f"[{authors}]({address})" for authors, address in PAPERS.items())
        st.caption(f"The papers: {papers}")
    with st.container(key="start_about", horizontal=True, vertical_alignment="center", gap="medium"):
        st.caption(f"Routescope {VERSION}", width="content")
        st.caption(LICENCE, width="content")
        with st.popover("Cite", icon=":material/format_quote:", type="tertiary"):
            st.code(BIBTEX.format(version=VERSION), language="bibtex", wrap_lines=True)
