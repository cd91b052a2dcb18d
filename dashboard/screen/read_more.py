"""The link from a page to the documentation that explains it."""

import streamlit as st

from dashboard.docs.contents import link_of


def draw_read_more(screen: str) -> None:
    """Draw the link.

    Args:
        screen: folder of the page.
    """
    st.markdown(f"[Read more in the documentation]({link_of(screen)})")
