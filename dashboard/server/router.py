"""The router: sets up the page and runs the chosen one. Streamlit executes it at every rerun."""

import streamlit as st

from core import added  # waits until another thread has imported all of core; importing core.added could deadlock
from dashboard.screen.address import enter_page, remember_address
from dashboard.screen.links import open_old_address, page_file
from dashboard.screen.palette import is_large, palette
from dashboard.screen.pins import follow_link
from dashboard.screen.sidebar import WIDTH, draw_sidebar
from dashboard.server.start import SENT
from dashboard.sessions.turns import turn
from dashboard.sessions.uploads import leave_page
from dashboard.theme import ICON, LARGE_STYLE, STYLE

SLOW = {"smallnorb"}  # pages whose every run takes long


def page(name: str, title: str, icon: str, default: bool = False) -> st.Page:
    """The page in a folder; its address is the folder's name."""
    return st.Page(page_file(name), title=title, icon=f":material/{icon}:", url_path=name, default=default)


# Before the pages: without an icon of ours, Streamlit would fetch the page's from elsewhere for the browser's tab.
st.set_page_config("Routescope", ICON, layout="wide", initial_sidebar_state=WIDTH)
st.html(STYLE[palette()] + LARGE_STYLE * is_large())
chosen = st.navigation(
    {
        "": [page("start", "Start", "home", default=True)],
        "Explore": [
            page("routing", "Dynamic routing", "hub"),
            page("kmeans", "k-means routing", "scatter_plot"),
            page("sentiment_capsules", "EM routing", "bubble_chart"),
            page("agt", "Attention by layer (AGT)", "layers"),
            page("drnn", "Windows (DRNN)", "view_week"),
            page("smallnorb", "smallNORB", "toys"),
            page("units", "Units", "category_search"),
            *(page(name, name.replace("_", " ").capitalize(), "extension") for name in added.added_pages()),
        ],
        "Trust": [
            page("evidence", "Evidence", "fact_check"),
            page("ledger", "Claims", "checklist"),
            page("compare", "Compare", "compare"),
        ],
        "My own": [
            page("corpus", "My texts", "table_rows"),
            page("models", "Models", "deployed_code"),
        ],
        "Learn": [page("lab", "Lab", "science")],
    },
    expanded=True,
)
st.set_page_config(page_title=f"{chosen.title} · Routescope")
draw_sidebar()
leave_page(chosen.url_path, st.session_state.get("page"))
open_old_address(chosen.url_path)
enter_page(chosen.url_path)
follow_link()
with turn(st.empty(), chosen.url_path in SLOW):
    chosen.run()
remember_address()
SENT.set()
