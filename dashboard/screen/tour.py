"""The tour of a page that shows a routing: six parts of the screen, one sentence each, and a challenge."""

import streamlit as st

from dashboard.components.tour import tour_button

ENTRY = "tour"  # entry of an address that starts the tour
STEPS = (  # key of a part of the screen, and its sentence
    ("input", "Type a sentence here, or choose an example, and run it: everything below shows how it was read."),
    (
        "picture",
        "A column is a word and a row a capsule: the stronger the blue, the larger the share between the two.",
    ),
    ("scrubber", "Drag this, or press Play, to see the shares move from equal to what the network was trained to use."),
    ("verdict", "This is what the network predicts at the iteration that you have chosen."),
    ("badge", "This says whether the words with large shares are the words that matter, as measured on many texts."),
    (
        "inspector",
        "Click a word or a cell, then change it and test it here. Your challenge: find a share that is large and does "
        "not matter.",
    ),
)


def draw_tour() -> None:
    """Draw the button that starts the tour. An address with ``ENTRY`` starts it, until the user leaves it."""
    state = st.session_state

    def leave() -> None:
        state.touring = False

    if st.query_params.pop(ENTRY, None) is not None:
        state.touring = True
    tour_button("tour", STEPS, state.get("touring", False), leave)
