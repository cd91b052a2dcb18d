"""Views of a toy: pictures, and the direction that changes from one to the next."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from dashboard.components import scrubber
from dashboard.figures.pictures import strip
from dashboard.runs import pictures as picture_runs
from dashboard.runs.pictures import Pictures
from dashboard.shared.inputs import count_picks
from dashboard.shared.shown import Shown

TURNS = ("azimuth", "elevation")
BUILT_IN, OFFICIAL, UPLOADED = "Built-in toys", "smallNORB's files", "Your pictures"


class Views(NamedTuple):
    """Views of one toy.

    Attributes:
        turned: the direction that changes from view to view, "azimuth" or "elevation"; None if it is not known.
        toy: a few words on the toy.
        samples: for each view, Python that makes its pair of pictures; None for pictures that a user uploaded.
    """

    pictures: Pictures
    turned: str | None
    toy: str
    samples: tuple[str, ...] | None = None

    @property
    def degrees(self) -> np.ndarray | None:
        """[view], of the direction that changes."""
        return getattr(self.pictures, self.turned) if self.turned else None


def other_direction(turned: str) -> str:
    """The direction that stays while this one changes."""
    return TURNS[turned == TURNS[0]]


def is_of_photographs() -> bool:
    """Whether the pictures that are chosen, or named in the address, are photographs, and not rendered."""
    source = st.session_state.get("source") or st.query_params.get("source")
    return source == UPLOADED or (source == OFFICIAL and picture_runs.are_official_files_photographs())


def draw_scrubbers(n_iters: int, n_views: int, part: int) -> None:
    """Draw the scrubber of the iterations and, where there are several views, that of the views beside it.

    Args:
        part: that is looked at, counted from 0.
    """
    left, right = st.columns([13, 12], gap="small")
    with left:
        scrubber(n_iters, "Iteration", signals={"picked": part, "turn": count_picks(part)})
    if n_views > 1:
        with right:
            scrubber(n_views, "View", param="view", address="v", start=1, follows="views")


def draw_strip(shown: Shown, views: Views) -> None:
    """Draw all views side by side."""
    names = list(views.pictures.names)
    numbers = [str(k + 1) for k in range(len(names))]
    labels = numbers if views.degrees is None else [f"{d:.0f}°" for d in views.degrees]
    figure = strip(views.pictures.images, names, labels)
    with st.container(key="views"):  # by which the scrubber finds the strip
        shown.draw_heatmap("Views", figure, "strip", "The views, left eye above right eye")
