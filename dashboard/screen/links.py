"""The scripts of the pages, the page of each checkpoint, and links to it."""

from pathlib import Path

import streamlit as st

from core.added import added_pages
from dashboard.runs import checkpoints
from dashboard.screen.address import link_to
from dashboard.screen.markdown import escape

PAGES = Path(__file__).parents[1] / "pages"  # not next to the main script, where Streamlit would list the pages itself


def page_file(folder: str) -> Path:
    """The script of the page in a folder."""
    return added_pages().get(folder, PAGES / folder) / "page.py"


def page_of(name: str) -> Path:
    """The script of the page that shows a checkpoint."""
    return page_file(checkpoints.record_of(name).page)


def draw_page_link(name: str, label: str = "Open {name} in its page", **address: str) -> None:
    """Draw a link that opens a checkpoint in its page.

    Args:
        name: name of the checkpoint.
        label: label of the link, with {name}.
        address: further entries of the address.
    """
    query = link_to({"checkpoint": name, **address})
    label = label.format(name=escape(name))
    st.page_link(page_of(name), label=label, icon=":material/open_in_new:", query_params=query)
