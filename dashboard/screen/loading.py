"""The wait of the first visitor, whose run comes from a file while the server loads PyTorch."""

import streamlit as st

from dashboard.loading import LOADING

LOOK = 0.5  # seconds between two looks


@st.fragment(run_every=LOOK)
def wait_for_pytorch(says: str = "Later iterations are loading …") -> None:
    """Say that something is loading, and run the whole page again once PyTorch is loaded."""
    if not LOADING.is_set():
        st.rerun()
    st.caption(says, width="content")
