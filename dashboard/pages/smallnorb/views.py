"""Views of a toy: pictures, and the direction that changes from one to the next."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.components.scrubber import slider
from dashboard.figures.pictures import strip
from dashboard.runs import pictures as picture_runs
from dashboard.runs.pictures import Pictures
from dashboard.screen.inputs import count_picks
from dashboard.screen.shown import Shown

TURNS, LIGHT = ("azimuth", "elevation"), "light"
MAX_DIGITS = 5  # digits of a number in the address
VIEW_KEY = "view"  # entry of the address with the number of the view
BUILT_IN, OFFICIAL, UPLOADED = "Built-in toys", "smallNORB's files", "Your pictures"


class ToyView(NamedTuple):
    """A toy, and the direction of its views.

    Attributes:
        category, instance, lighting: indices.
        turned: quantity that changes from view to view: one of ``TURNS``, or ``LIGHT``.
        fixed: degrees of the other direction, or of the azimuth if the light changes.
        elevation: degrees of the elevation, if the light changes.
    """

    category: int
    instance: int
    lighting: int
    turned: str
    fixed: int
    elevation: int = 50


class Look(NamedTuple):
    """The other directions from which a toy can be seen.

    Attributes:
        steps: steps of azimuth and elevation, in degrees.
        elevations: lowest and highest elevation.
        lights: index of each view's light.
        pair: function of azimuth, elevation and light that returns the pair, uint8 [2, y, x]; ValueError if there is
            none.
        sample: function of azimuth, elevation and light that returns Python that makes the pair.
    """

    steps: tuple[int, int]
    elevations: tuple[int, int]
    lights: tuple[int, ...]
    pair: Callable[[int, int, int], np.ndarray]
    sample: Callable[[int, int, int], str]


class ToyViews(NamedTuple):
    """Views of one toy.

    Attributes:
        pictures: pictures of the views.
        turned: quantity that changes from view to view: one of ``TURNS``, or ``LIGHT``; None if it is unknown.
        toy: a few words on the toy.
        samples: Python that makes the pair of each view; None for uploads.
        look: other directions; None if there are none.
        built_in: the rendered toy; None for other pictures.
        is_one_toy: whether all views show the same toy, so that a path through its poses means something.
    """

    pictures: Pictures
    turned: str | None
    toy: str
    samples: tuple[str, ...] | None = None
    look: Look | None = None
    built_in: ToyView | None = None
    is_one_toy: bool = True

    @property
    def degrees(self) -> np.ndarray | None:
        """The degrees of the changing direction, or the numbers of the lights, [view]."""
        if self.turned == LIGHT:
            return np.arange(1.0, len(self.pictures) + 1)
        return getattr(self.pictures, self.turned) if self.turned else None

    @property
    def noun(self) -> str:
        """The word for one of them: pictures that may show several toys are no views."""
        return "view" if self.is_one_toy else "picture"

    @property
    def labels(self) -> list[str]:
        """A short label for each view."""
        if self.degrees is None:
            return [str(k + 1) for k in range(len(self.pictures))]
        return [f"light {k:.0f}" if self.turned == LIGHT else f"{k:.0f}°" for k in self.degrees]


def other_direction(turned: str) -> str:
    """The direction that stays fixed while this one changes."""
    return TURNS[1] if turned == TURNS[0] else TURNS[0]


def is_of_photographs() -> bool:
    """Whether the pictures chosen by the user or the address are photographs, not rendered."""
    source, sample, uploaded = (_chosen(key) for key in ("source", "sample", "upload"))
    if source == UPLOADED:
        return bool(uploaded) or not sample  # samples are rendered
    return source == OFFICIAL and picture_runs.are_official_files_photographs()


def _chosen(key: str) -> Any:
    """The value of an input that is drawn later, from the user or the address."""
    return st.session_state.get(key) or st.query_params.get(key)


def chosen_view(n_views: int) -> int:
    """The index of the view in the address, which counts from 1; 0 if it has none of these views."""
    before = st.query_params.pop("v", "")  # older addresses have the view under this name, too
    if before and VIEW_KEY not in st.query_params:
        st.query_params[VIEW_KEY] = before
    number = st.query_params.get(VIEW_KEY, "")
    is_number = number.isascii() and number.isdecimal() and len(number) < MAX_DIGITS
    return int(number) - 1 if is_number and 1 <= int(number) <= n_views else 0


def put_view_in_address(number: int) -> None:
    """Remember the number of a view, counted from 1, in the address."""
    st.query_params[VIEW_KEY] = str(number)


def draw_scrubbers(shown: Shown, n_iters: int, views: ToyViews, view: int, part: int, trained: int) -> None:
    """Draw the scrubber of the iterations and, if there are several views, the scrubber of the views next to it.

    Args:
        shown: record of the page.
        n_iters: number of iterations.
        views: views or pictures.
        view: index of the view on screen.
        part: index of the chosen part.
        trained: number of iterations in training, at which the scrubber begins.
    """
    n_views = len(views.pictures)
    left, right = st.columns([15, 11], gap="small")
    with left:
        signals, start = {"picked": part, "turn": count_picks(part)}, min(trained, n_iters)
        shown.draw_scrubber(slider(n_iters, signals=signals, start=start, trained=trained))
    if n_views > 1:
        with right:
            driven = {"param": "view", "address": VIEW_KEY, "start": view + 1, "follows": "views", "tells": True}
            driven["play"] = "Turn" if views.turned in TURNS else "Browse"
            shown.draw_scrubber(slider(n_views, views.noun.capitalize(), **driven), put_view_in_address)


def draw_strip(shown: Shown, views: ToyViews, place: DeltaGenerator) -> None:
    """Draw all views side by side."""
    names = list(views.pictures.names)
    figure = strip(views.pictures.images, names, views.labels)
    with place, st.container(key="views"):  # the scrubber finds the strip by this key
        shown.draw_heatmap("Views", figure, "strip", "The views, left eye above right eye")
