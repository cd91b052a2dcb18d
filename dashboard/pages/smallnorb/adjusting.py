"""The inputs that crop, level and invert uploaded pictures before the network reads them."""

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from dashboard.components.pictures import crop
from dashboard.figures.pictures import png
from dashboard.runs import pictures as picture_runs

HOW_TO_CROP = "Draw a box around the toy: a new one, or by a corner."
FOR_ALL = " This is the picture that the slider chooses. All pictures are changed in the same way."
UNCHANGED = {"across": (0, 100), "down": (0, 100), "levels": (0, 255), "inverted": False}  # by key of the input


class Adjusting(NamedTuple):
    """The user's adjustment of uploaded pictures.

    Attributes:
        adjustment: adjustment of every picture.
        draw: function that draws the picture of the view with a name, and the box to drag, above the other inputs.
    """

    adjustment: picture_runs.Adjustment
    draw: Callable[[str], None]


def choose_adjustment(files: list) -> Adjusting:
    """Let the user adjust uploaded pictures in a popover. New files start unadjusted."""
    state, subject = st.session_state, [file.file_id for file in files]
    if state.get("adjusted files") != subject:
        state["adjusted files"] = subject
        state.update(UNCHANGED)
    if picture_runs.picture_to_adjust(files) is None:  # matrices, or a refused file
        return Adjusting(picture_runs.Adjustment(), lambda name: None)
    with st.popover("Crop and level", icon=":material/crop:", key="adjust", width="stretch"):
        place = st.container()
        st.caption(HOW_TO_CROP + FOR_ALL * (len(files) > 1 or files[0].name.endswith(".zip")))
        across = _choose_range("Kept from left to right, %", 100, "across")
        down = _choose_range("Kept from top to bottom, %", 100, "down")
        black, white = _choose_range("Greys that become black and white", 255, "levels")
        is_inverted = st.toggle("Invert", key="inverted")
        st.button("Undo all", on_click=lambda: state.update(UNCHANGED))

    def draw(name: str) -> None:
        if (picture := picture_runs.picture_to_adjust(files, name)) is None:
            return
        greys = picture_runs.Adjustment(black=black, white=white, is_inverted=is_inverted)
        with place:
            crop("crop", png(greys.apply(picture)), across, down, _take_box)

    shares = (tuple(edge / 100 for edge in edges) for edges in (across, down))
    return Adjusting(picture_runs.Adjustment(*shares, black, white, is_inverted), draw)


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
