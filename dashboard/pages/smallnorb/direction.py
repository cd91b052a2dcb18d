"""The pair of pictures to route: one of the views, or the toy as the user has turned it."""

import hashlib
import re
from typing import NamedTuple

import numpy as np
import streamlit as st

from dashboard.components.pictures import KeptViews, Turning, toy
from dashboard.figures.pictures import png, webp
from dashboard.pages.smallnorb.views import LIGHT, VIEW_KEY, Look, ToyViews, chosen_view, put_view_in_address
from dashboard.screen.outputs import stop_on_error

DIRECTION_KEY = "from"  # entry of the address with the toy's azimuth and elevation, such as from=35,55


SIDES = ("from behind", "from behind, left", "from its left", "from the front, left", "from the front")
SIDES += ("from the front, right", "from its right", "from behind, right")


class RoutedPair(NamedTuple):
    """The pair of pictures to route.

    Attributes:
        pair: pictures, uint8 [2, y, x].
        name: name of the view.
        sample: Python that makes the pair; None for an upload.
        view: index of the view, or of the nearest one if the user has turned the toy.
        direction: azimuth and elevation to which the user has turned the toy, in degrees; None for one of the views.
    """

    pair: np.ndarray
    name: str
    sample: str | None
    view: int
    direction: tuple[int, int] | None = None

    @property
    def digest(self) -> str:
        """A checksum of the pair."""
        return hashlib.sha256(self.pair.tobytes()).hexdigest()


def draw_toy(views: ToyViews) -> RoutedPair:
    """Draw the pair to route: a view, or the toy as the user has turned it, if it can be turned.

    While the slider moves or the toy is turned, the nearest view is shown until the server has the exact pair.
    """
    pictures, look = views.pictures, views.look
    direction = _direction_in_address(views) if look else None
    view = chosen_view(len(pictures)) if direction is None else _nearest(views, *direction)
    routed = RoutedPair(pictures.images[view], pictures.names[view], views.samples and views.samples[view], view)
    kept = KeptViews([tuple(map(webp, pair)) for pair in pictures.images], view + 1, _directions(views))
    if look is None:
        toy("pair", [png(eye) for eye in routed.pair], kept)
        return routed
    if direction is not None and direction != kept.directions[view]:
        seen_from = *direction, look.lights[view]
        light = f", light {view + 1}" if views.turned == LIGHT else ""
        with stop_on_error():
            pair = look.pair(*seen_from)
        name = f"azimuth {direction[0]}°, elevation {direction[1]}°{light}"
        routed = RoutedPair(pair, name, look.sample(*seen_from), view, direction)
    turning = Turning(
        routed.direction or kept.directions[view],
        look.steps,
        look.elevations,
        lambda azimuth, elevation: _put_in_address(views, azimuth, elevation),
        SIDES if views.built_in else None,
    )
    toy("pair", [png(eye) for eye in routed.pair], kept, turning)
    return routed


def _directions(views: ToyViews) -> list[tuple[int, int]]:
    """Azimuth and elevation of each view, in degrees; empty if they are unknown."""
    pictures = views.pictures
    if np.isnan([*pictures.azimuth, *pictures.elevation]).any():
        return []
    return [
        (int(azimuth), int(elevation)) for azimuth, elevation in zip(pictures.azimuth, pictures.elevation, strict=True)
    ]


def _nearest(views: ToyViews, azimuth: int, elevation: int) -> int:
    """The index of the view nearest to a direction, along the direction that changes from view to view."""
    if views.turned == LIGHT:
        return chosen_view(len(views.pictures))
    away = (views.degrees - (azimuth if views.turned == "azimuth" else elevation) + 180) % 360 - 180
    return int(np.abs(away).argmin())


def _put_in_address(views: ToyViews, azimuth: int, elevation: int) -> None:
    """Remember in the address the direction to which the user has turned the toy, and the nearest view."""
    st.query_params[DIRECTION_KEY] = f"{azimuth},{elevation}"
    put_view_in_address(_nearest(views, azimuth, elevation) + 1)


def _direction_in_address(views: ToyViews) -> tuple[int, int] | None:
    """The direction in the address, unless the toy does not have it.

    It is removed from the address if the user has chosen another view or other views since.
    """
    if views.look is None:
        return None
    view = chosen_view(len(views.pictures)) if VIEW_KEY in st.query_params else None
    light = view if views.turned == LIGHT else None
    subject = views.turned, light, float(views.pictures.azimuth[0]), float(views.pictures.elevation[0])
    before = st.session_state.get("turned from")
    st.session_state["turned from"] = subject
    match = re.fullmatch(r"(\d{1,3}),(\d{1,2})", st.query_params.get(DIRECTION_KEY, ""))
    direction = (int(match[1]), int(match[2])) if match else None
    is_for_these_views = before in (None, subject) and direction is not None
    if is_for_these_views and _has_direction(views.look, *direction) and view in (None, _nearest(views, *direction)):
        return direction
    st.query_params.pop(DIRECTION_KEY, None)
    return None


def _has_direction(look: Look, azimuth: int, elevation: int) -> bool:
    """Whether the toy can be seen from a direction, in degrees."""
    low, high = look.elevations
    is_in_range = 0 <= azimuth < 360 and low <= elevation <= high
    return is_in_range and azimuth % look.steps[0] == 0 and (elevation - low) % look.steps[1] == 0
