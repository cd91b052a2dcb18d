"""Routescope: streamlit run streamlit_app.py"""

import streamlit as st

from dashboard.server.start import lifespan

app = st.App("dashboard/server/router.py", lifespan=lifespan)
