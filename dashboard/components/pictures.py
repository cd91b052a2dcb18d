"""Pictures to drag: a box over a picture, and a toy that turns."""

from collections.abc import Callable

import streamlit as st

from dashboard.components.component import Component

_crop = Component("crop", follows=False)
_toy = Component("toy", follows=False)


def crop(
    key: str,
    url: str,
    across: tuple[int, int],
    down: tuple[int, int],
    on_box: Callable[[list[int]], None],
    label: str = "What is kept of the picture. Arrow keys move it, Shift and arrow keys change its size.",
    is_cover: bool = False,
) -> None:
    """Draw a picture with a box to drag. Arrow keys move it, and with Shift they change its size.

    Args:
        key: key of the component.
        url: URL of the picture.
        across, down: left and right, upper and lower edge of the box, in percent.
        on_box: function to call with the left, right, upper and lower edge in percent after the user has changed them.
        label: label of the box, for screen readers.
        is_cover: whether the box hides its inside; otherwise it hides its outside.
    """

    def report_box() -> None:
        on_box([int(edge) for edge in st.session_state[key]["box"]])

    data = {"url": url, "across": across, "down": down, "label": label, "isCover": is_cover}
    _crop(key=key, data=data, on_box_change=report_box)


def toy(
    key: str,
    urls: list[str],
    direction: tuple[int, int] | None = None,
    steps: tuple[int, int] | None = None,
    elevations: tuple[int, int] | None = None,
    on_direction: Callable[[int, int], None] | None = None,
) -> None:
    """Draw a pair of pictures, side by side or as an anaglyph, of a toy that turns by dragging or arrow keys.

    Args:
        key: key of the component.
        urls: URLs of the left and the right eye's picture.
        direction: azimuth and elevation of the view, in degrees; None for a pair that does not turn.
        steps: steps of azimuth and elevation, in degrees.
        elevations: lowest and highest elevation.
        on_direction: function to call with the new azimuth and elevation.
    """

    def report_direction() -> None:
        if on_direction:
            on_direction(*(int(degrees) for degrees in st.session_state[key]["direction"]))

    data = {"urls": urls, "direction": direction, "steps": steps, "elevations": elevations}
    _toy(key=key, data=data, on_direction_change=report_direction)
