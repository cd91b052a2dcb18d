"""The wait of the first visitor, whose run comes from a file while the server loads PyTorch."""

import streamlit as st

from dashboard.loading import LOADING

LOOK = 0.5  # seconds between two looks


@st.fragment(run_every=LOOK)
def wait_for_pytorch() -> None:
    """Say that later iterations are loading, and run the whole page again once PyTorch is loaded."""
    if not LOADING.is_set():
        st.rerun()
    st.caption("Later iterations are loading …", width="content")
