"""Pictures to drag: a box over a picture, and a toy that turns."""

from collections.abc import Callable
from typing import NamedTuple

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


class KeptViews(NamedTuple):
    """The views of a toy, for a look at them without the server.

    Attributes:
        urls: URLs of the left and the right eye's picture of each view.
        number: number of the view to which the pair on screen is nearest, counted from 1.
        directions: azimuth and elevation of each view, in degrees; empty if they are unknown.
        param: parameter of the slider over the views.
    """

    urls: list[tuple[str, ...]]
    number: int
    directions: list[tuple[int, int]]
    param: str = "view"


class Turning(NamedTuple):
    """The ways in which a toy turns by dragging or arrow keys.

    Attributes:
        direction: azimuth and elevation of the pair on screen, in degrees.
        steps: steps of azimuth and elevation, in degrees.
        elevations: lowest and highest elevation.
        on_direction: function to call with the new azimuth and elevation.
        sides: from where the toy is seen, at equal steps of the azimuth from 0 on; None if that is unknown.
    """

    direction: tuple[int, int]
    steps: tuple[int, int]
    elevations: tuple[int, int]
    on_direction: Callable[[int, int], None]
    sides: tuple[str, ...] | None = None


def toy(key: str, urls: list[str], kept: KeptViews, turning: Turning | None = None) -> None:
    """Draw a pair of pictures, side by side or as an anaglyph, of a toy that may turn by dragging or arrow keys.

    Args:
        key: key of the component.
        urls: URLs of the left and the right eye's picture.
        kept: views that are shown while the slider over them moves, or while the toy turns.
        turning: how the toy turns; None for a pair that does not.
    """

    def report_direction() -> None:
        if turning:
            turning.on_direction(*(int(degrees) for degrees in st.session_state[key]["direction"]))

    data = {"urls": urls, "kept": kept._asdict()}
    data |= {name: getattr(turning, name, None) for name in ("direction", "steps", "elevations", "sides")}
    _toy(key=key, data=data, on_direction_change=report_direction)
