"""Which page is shown: run anew for every message of every user."""

from pathlib import Path

import streamlit as st

from dashboard.server.start import SENT
from dashboard.server.turns import turn
from dashboard.theme import ICON, STYLE

PAGES = Path(__file__).parents[1] / "pages"

st.set_page_config(page_title="Routescope", page_icon=ICON, layout="wide")
st.html(STYLE)
page = st.navigation(
    [
        st.Page(PAGES / "routing.py", title="Routing", icon=":material/hub:", default=True),
        st.Page(PAGES / "kmeans.py", title="k-means", icon=":material/scatter_plot:"),
        st.Page(PAGES / "sentiment_capsules.py", title="Sentiment capsules", icon=":material/bubble_chart:"),
        st.Page(PAGES / "agt.py", title="AGT", icon=":material/layers:"),
        st.Page(PAGES / "drnn.py", title="DRNN", icon=":material/view_week:"),
        st.Page(PAGES / "smallnorb.py", title="smallNORB", icon=":material/toys:"),
    ]
)
with turn(st.empty()):
    page.run()
SENT.set()
