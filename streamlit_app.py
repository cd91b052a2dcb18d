"""Routescope: streamlit run streamlit_app.py"""

import streamlit as st

st.set_page_config(page_title="Routescope", page_icon=":material/hub:", layout="wide")
st.html("dashboard/style.css")
st.navigation([st.Page("dashboard/pages/routing.py", title="Routing", icon=":material/hub:", default=True)]).run()
