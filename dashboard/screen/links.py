"""The scripts of the pages, the page of each checkpoint, and links to it."""

from pathlib import Path

import streamlit as st

from core.added import added_pages
from dashboard.runs import checkpoints
from dashboard.screen.address import link_to
from dashboard.screen.markdown import escape

FIRST_PAGE, FIRST_NETWORK = "routing", "dragg-sst5"  # what the address without a page or checkpoint opened before Start
# The entries that such an address had. Others, such as those of a search engine, do not leave Start.
ENTRIES = {"checkpoint", "text", "example", "edit", "iterations", "t", "word", "sentence", "capsule", "beside", "tab"}
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
    st.page_link(page_of(name), label=label, icon=":material/arrow_forward:", query_params=query)


def open_old_address(name: str) -> None:
    """Go where an address of an earlier version leads: the page without a name was that of dynamic routing.

    Args:
        name: address of the page that is about to run; Start's is "".
    """
    params = st.query_params.to_dict() if name == "" else {}
    if not params.keys() & ENTRIES:
        return
    address = {"checkpoint": FIRST_NETWORK} | {key: st.query_params.get_all(key) for key in params}
    known, checkpoint = checkpoints.known(), st.query_params.get("checkpoint", FIRST_NETWORK)
    page = checkpoints.record_of(checkpoint).page if checkpoint in known else FIRST_PAGE
    st.switch_page(page_file(page), query_params=address)
