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
BUILT_IN, OFFICIAL, UPLOADED = "Built-in toys", "smallNORB's files", "Your pictures"


class ToyView(NamedTuple):
    """A toy and how it is looked at.

    Attributes:
        category, instance, lighting: counted from 0.
        turned: what changes from view to view: one of ``TURNS``, or ``LIGHT``.
        fixed: degrees of the other direction; of the azimuth where the light changes.
        elevation: in degrees, where the light changes.
    """

    category: int
    instance: int
    lighting: int
    turned: str
    fixed: int
    elevation: int = 50


class Look(NamedTuple):
    """How a toy is seen from further directions.

    Attributes:
        steps: of azimuth and elevation, in degrees.
        elevations: the lowest and the highest.
        lights: of the views, counted from 0.
        pair: (azimuth, elevation, light) -> uint8 [2, y, x]; ValueError if there is none.
        sample: (azimuth, elevation, light) -> Python that makes the pair.
    """

    steps: tuple[int, int]
    elevations: tuple[int, int]
    lights: tuple[int, ...]
    pair: Callable[[int, int, int], np.ndarray]
    sample: Callable[[int, int, int], str]


class ToyViews(NamedTuple):
    """Views of one toy.

    Attributes:
        turned: what changes from view to view: one of ``TURNS``, or ``LIGHT``; None if it is not known.
        toy: a few words on the toy.
        samples: for each view, Python that makes its pair of pictures; None for pictures that a user uploaded.
        look: None where there are no further directions.
        built_in: the toy that was rendered, if it was.
    """

    pictures: Pictures
    turned: str | None
    toy: str
    samples: tuple[str, ...] | None = None
    look: Look | None = None
    built_in: ToyView | None = None

    @property
    def degrees(self) -> np.ndarray | None:
        """[view], of the direction that changes, or the light's number."""
        if self.turned == LIGHT:
            return np.arange(1.0, len(self.pictures) + 1)
        return getattr(self.pictures, self.turned) if self.turned else None

    @property
    def labels(self) -> list[str]:
        """What changes, of each view, in short."""
        if self.degrees is None:
            return [str(k + 1) for k in range(len(self.pictures))]
        return [f"light {k:.0f}" if self.turned == LIGHT else f"{k:.0f}°" for k in self.degrees]


def other_direction(turned: str) -> str:
    """The direction that stays while this one changes."""
    return TURNS[turned == TURNS[0]]


def is_of_photographs() -> bool:
    """Whether the pictures that are chosen, or named in the address, are photographs, and not rendered."""
    source, sample, uploaded = (_chosen(key) for key in ("source", "sample", "upload"))
    if source == UPLOADED:
        return bool(uploaded) or not sample  # samples are rendered
    return source == OFFICIAL and picture_runs.are_official_files_photographs()


def _chosen(key: str) -> Any:
    """The value of an input that is drawn later, as the user or the address has it."""
    return st.session_state.get(key) or st.query_params.get(key)


def draw_scrubbers(shown: Shown, n_iters: int, n_views: int, part: int) -> None:
    """Draw the scrubber of the iterations and, where there are several views, that of the views beside it.

    Args:
        part: that is looked at, counted from 0.
    """
    left, right = st.columns([13, 12], gap="small")
    with left:
        shown.draw_scrubber(slider(n_iters, "Iteration", signals={"picked": part, "turn": count_picks(part)}))
    if n_views > 1:
        with right:
            shown.draw_scrubber(slider(n_views, "View", param="view", address="v", start=1, follows="views"))


def draw_strip(shown: Shown, views: ToyViews, place: DeltaGenerator) -> None:
    """Draw all views side by side."""
    names = list(views.pictures.names)
    figure = strip(views.pictures.images, names, views.labels)
    with place, st.container(key="views"):  # by which the scrubber finds the strip
        shown.draw_heatmap("Views", figure, "strip", "The views, left eye above right eye")
