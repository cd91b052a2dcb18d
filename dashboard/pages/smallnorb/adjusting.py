"""The inputs that crop, level and invert uploaded pictures before the network reads them."""

import streamlit as st

from dashboard.components.pictures import crop
from dashboard.figures.pictures import png
from dashboard.runs import pictures as picture_runs

HOW_TO_CROP = "Draw a box around the toy: a new one, or by a corner."
FOR_ALL = " This is the first picture. All pictures are changed in the same way."
UNCHANGED = {"across": (0, 100), "down": (0, 100), "levels": (0, 255), "inverted": False}  # by key of the input


def choose_adjustment(files: list) -> picture_runs.Adjustment:
    """Let the user adjust uploaded pictures in a popover. New files start unadjusted."""
    state, subject = st.session_state, [file.file_id for file in files]
    if state.get("adjusted files") != subject:
        state["adjusted files"] = subject
        state.update(UNCHANGED)
    picture = picture_runs.picture_to_adjust(files)
    if picture is None:  # matrices, or a refused file
        return picture_runs.Adjustment()
    with st.popover("Crop and level", icon=":material/crop:", key="adjust", width="stretch"):
        place = st.container()
        st.caption(HOW_TO_CROP + FOR_ALL * (len(files) > 1 or files[0].name.endswith(".zip")))
        across = _choose_range("Kept from left to right, %", 100, "across")
        down = _choose_range("Kept from top to bottom, %", 100, "down")
        black, white = _choose_range("Greys that become black and white", 255, "levels")
        is_inverted = st.toggle("Invert", key="inverted")
        st.button("Undo all", on_click=lambda: state.update(UNCHANGED))
        with place:
            shown = picture_runs.Adjustment(black=black, white=white, is_inverted=is_inverted).apply(picture)
            crop("crop", png(shown), across, down, _take_box)
    shares = (tuple(edge / 100 for edge in edges) for edges in (across, down))
    return picture_runs.Adjustment(*shares, black, white, is_inverted)


def _choose_range(label: str, largest: int, key: str) -> tuple[int, int]:
    """Let the user choose two numbers from 0, at least one apart. A program may set a single number for both."""
    ends = st.slider(label, 0, largest, key=key)
    low, high = ends if isinstance(ends, tuple) else (ends, ends)
    low = min(low, largest - 1)
    return low, max(low + 1, high)


def _take_box(edges: list[int]) -> None:
    """Set the ranges to the box that the user has drawn."""
    left, right, top, bottom = edges
    st.session_state.update(across=(left, right), down=(top, bottom))
