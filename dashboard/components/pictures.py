"""Pictures to drag: a box over what is kept of one, and a toy that turns."""

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
    """A picture with a box to drag over what is kept of it; arrow keys move it, with Shift they change its size.

    Args:
        url: of the picture.
        across, down: left and right, upper and lower edge, in percent.
        on_box: takes left, right, upper and lower edge in percent, once the user has changed them.
        label: of the box, for screen readers.
        is_cover: whether the box hides what is in it, instead of what is around it.
    """

    def changed() -> None:
        on_box([int(edge) for edge in st.session_state[key]["box"]])

    data = {"url": url, "across": across, "down": down, "label": label, "isCover": is_cover}
    _crop(key=key, data=data, on_box_change=changed)


def toy(
    key: str,
    urls: list[str],
    direction: tuple[int, int] | None = None,
    steps: tuple[int, int] | None = None,
    elevations: tuple[int, int] | None = None,
    on_direction: Callable[[int, int], None] | None = None,
) -> None:
    """A pair of pictures, side by side or as an anaglyph, of a toy that turns as it is dragged or by arrow keys.

    Args:
        urls: of the left eye's picture and the right eye's.
        direction: azimuth and elevation that it is seen from, in degrees; None for a pair that does not turn.
        steps: of azimuth and elevation, in degrees.
        elevations: the lowest and the highest.
        on_direction: takes azimuth and elevation that the user turns it to.
    """

    def changed() -> None:
        if on_direction:
            on_direction(*(int(degrees) for degrees in st.session_state[key]["direction"]))

    data = {"urls": urls, "direction": direction, "steps": steps, "elevations": elevations}
    _toy(key=key, data=data, on_direction_change=changed)
