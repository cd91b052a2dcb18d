"""A line on what a capsule, a part or a layer means over many texts, which opens it in the page Units."""

import streamlit as st

from dashboard.runs.units import meaning_of
from dashboard.screen.address import link_to
from dashboard.screen.links import page_file
from dashboard.screen.markdown import escape


def draw_meaning(name: str, number: int) -> None:
    """Draw what a unit means, as a link to it; nothing if its network's units are not measured.

    Args:
        name: name of the network.
        number: number of the unit, from 1.
    """
    says = meaning_of(name, number)
    if says is not None:
        help = f"{escape(says)}. Open what it takes and does over many texts."
        look = {"icon": ":material/category_search:", "help": help}
        query = link_to({"checkpoint": name, "unit": str(number)})
        st.page_link(page_file("units"), label=escape(says), query_params=query, **look)
