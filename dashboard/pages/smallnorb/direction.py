"""The pair of pictures to route: one of the views, or the toy as the user has turned it."""

import hashlib
import re
from typing import NamedTuple

import numpy as np
import streamlit as st

from dashboard.components.pictures import toy
from dashboard.figures.pictures import png
from dashboard.pages.smallnorb.views import LIGHT, Look, ToyViews
from dashboard.runs.pictures import ELEVATIONS
from dashboard.screen.outputs import stop_on_error

DIRECTION_KEY = "from"  # entry of the address with the toy's azimuth and elevation, such as from=35,55


class RoutedPair(NamedTuple):
    """The pair of pictures to route.

    Attributes:
        pair: pictures, uint8 [2, y, x].
        name: name of the view.
        sample: Python that makes the pair; None for an upload.
    """

    pair: np.ndarray
    name: str
    sample: str | None

    @property
    def digest(self) -> str:
        """A checksum of the pair."""
        return hashlib.sha256(self.pair.tobytes()).hexdigest()


def draw_toy(views: ToyViews, view: int) -> RoutedPair:
    """Draw the pair to route, which the user can turn if there are more directions.

    Args:
        views: views of the toy.
        view: index of the view to route until the user turns the toy.
    """
    pictures = views.pictures
    routed = RoutedPair(pictures.images[view], pictures.names[view], views.samples and views.samples[view])
    if views.look is None:
        toy("pair", [png(eye) for eye in routed.pair])
        return routed
    view_direction = int(pictures.azimuth[view]), int(pictures.elevation[view])
    light = f", light {view + 1}" if views.turned == LIGHT else ""
    direction = _direction_in_address(views.look, (views.turned, view_direction, light)) or view_direction
    if direction != view_direction:
        seen_from = *direction, views.look.lights[view]
        with stop_on_error():
            routed = RoutedPair(
                views.look.pair(*seen_from),
                f"azimuth {direction[0]}°, elevation {direction[1]}°{light}",
                views.look.sample(*seen_from),
            )
    toy("pair", [png(eye) for eye in routed.pair], direction, views.look.steps, views.look.elevations, _put_in_address)
    if direction != view_direction:
        st.caption(_describe_turned(direction[1]))
    return routed


def _describe_turned(elevation: int) -> str:
    """A sentence on a turned toy: it is not among the views, and perhaps outside the training directions."""
    sentence = "This direction is not among the views."
    low, high = ELEVATIONS[0], ELEVATIONS[-1]
    if low <= elevation <= high:
        return sentence
    return f"{sentence} The network was trained at elevations from {low}° to {high}°: do not trust the answer."


def _put_in_address(azimuth: int, elevation: int) -> None:
    """Remember in the address the direction to which the user has turned the toy."""
    st.query_params[DIRECTION_KEY] = f"{azimuth},{elevation}"


def _direction_in_address(look: Look, subject: tuple) -> tuple[int, int] | None:
    """The direction in the address; None if the toy does not have it.

    Args:
        look: directions of the toy.
        subject: value that identifies the chosen view; if it changes, the direction is removed from the address.
    """
    before = st.session_state.get("turned from")
    st.session_state["turned from"] = subject
    match = re.fullmatch(r"(\d{1,3}),(\d{1,2})", st.query_params.get(DIRECTION_KEY, ""))
    direction = (int(match[1]), int(match[2])) if match else None
    if before in (None, subject) and direction and _has_direction(look, *direction):
        return direction
    st.query_params.pop(DIRECTION_KEY, None)
    return None


def _has_direction(look: Look, azimuth: int, elevation: int) -> bool:
    """Whether the toy can be seen from a direction, in degrees."""
    low, high = look.elevations
    is_in_range = 0 <= azimuth < 360 and low <= elevation <= high
    return is_in_range and azimuth % look.steps[0] == 0 and (elevation - low) % look.steps[1] == 0
