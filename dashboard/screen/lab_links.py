"""Links between the Lab and the pages of networks, by the routing that both show."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.runs import checkpoints
from dashboard.screen.address import link_to
from dashboard.screen.evidence import routing_of
from dashboard.screen.links import draw_page_link, page_file
from dashboard.screen.outputs import draw_limits

# The Lab's name of each way in which a network may weigh its inputs.
TITLES = {"dynamic": "Standard", "reversed": "Reversed", "k-means": "k-means", "EM": "EM"}
SCENE = {"start": "Two parts of a house"}
FROM_LAB = {"from": "lab"}  # entry of the address of a page that was opened from the Lab


def draw_link_to_lab(name: str) -> None:
    """Draw a link that opens the Lab with the routing of a checkpoint alone, if the Lab has it."""
    title = TITLES.get(routing_of(name))
    if title:
        query = link_to({**SCENE, "only": title})
        label = "See this routing with two parts, in the Lab"
        st.page_link(page_file("lab"), label=label, icon=":material/science:", query_params=query)


def draw_limits_and_link(place: DeltaGenerator, not_shown: str, name: str) -> None:
    """Say what the picture does not show, and link to the Lab. Arguments as in ``draw_limits``, and a checkpoint."""
    draw_limits(place, not_shown)
    with place:
        draw_link_to_lab(name)


def draw_links_to_networks(titles: Sequence[str]) -> None:
    """Draw a link for each of the Lab's routings to the first shipped network that has it.

    Args:
        titles: titles of the routings that are shown; all if there are none.
    """
    networks: dict[str, str] = {}
    for name in checkpoints.known():
        networks.setdefault(TITLES.get(routing_of(name), ""), name)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("In a trained network:", width="content")
        for title in TITLES.values():
            if title in networks and (title in titles or not titles):
                draw_page_link(networks[title], title, **FROM_LAB)


def draw_link_back_to_lab() -> None:
    """Draw a link that opens the Lab as the user left it, if they came from there."""
    ((key, lab),) = FROM_LAB.items()
    if st.query_params.get(key) == lab and lab in st.session_state.get("left", {}):
        st.page_link(page_file(lab), label="Back to the Lab", icon=":material/arrow_back:")
