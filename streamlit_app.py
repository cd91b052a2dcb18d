"""Routescope: streamlit run streamlit_app.py"""

import streamlit as st

from dashboard.start import lifespan

app = st.App("dashboard/router.py", lifespan=lifespan)
