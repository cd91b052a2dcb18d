"""A wait with a progress bar and a button that cancels it."""

import math
from collections.abc import Callable, Hashable
from time import monotonic
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.sessions.turns import pass_on, turn

T = TypeVar("T")

UNSEEN = 0.5  # seconds until a wait shows a bar
CANCELLED = "cancelled"


def run_with_bar(work: str, question: Hashable, run: Callable[[Callable[[float], None]], T]) -> T | None:
    """Run a function with a progress bar; None while the user has cancelled it.

    A click anywhere ends the run: Streamlit raises an error in the next call of the progress function. After a click on
    Cancel, the same question is not run again until the user clicks Go on.

    Args:
        work: name of the work, for the user.
        question: value that identifies this wait.
        run: function that gets a progress function, to call with the finished share at least once a second.
    """
    place = st.empty()
    if st.session_state.get(CANCELLED) == question:
        with place.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(f"{work}: cancelled.")
            st.button("Go on", icon=":material/play_arrow:", key=f"go on {work}", on_click=_set_cancelled)
        return None
    bar = Bar(place, work, question)
    try:
        with turn(place):  # a fragment has no turn yet
            result = run(bar.show)
    except Exception:  # Streamlit stops a run with errors that are no Exceptions; then the next run draws the bar
        place.empty()
        raise
    place.empty()
    return result


class Bar:
    """A progress bar with the remaining time and a button that cancels, which appears after ``UNSEEN`` seconds."""

    def __init__(self, place: DeltaGenerator, work: str, question: Hashable):
        """Remember the place, an ``st.empty``; draw nothing yet. Other arguments as in ``run_with_bar``."""
        self._place, self._work, self._question = place, work, question
        self._began = monotonic()
        self._first: tuple[float, float] | None = None  # the first share, and its time
        self._bar: DeltaGenerator | None = None

    def show(self, share: float) -> None:
        """Show the finished share, and let waiting runs have their turn."""
        now = monotonic()
        self._first = self._first or (share, now)
        if now - self._began >= UNSEEN:
            self._bar = self._bar or self._draw()
            self._bar.progress(min(1.0, share), f"{self._work} … {time_left(*self._first, share, now)}")
        pass_on()

    def _draw(self) -> DeltaGenerator:
        """Draw the bar and the button, and return the bar."""
        with self._place.container(horizontal=True, vertical_alignment="center", gap="small"):
            bar = st.empty()
            cancel = {"icon": ":material/stop:", "key": f"cancel {self._work}"}
            st.button("Cancel", on_click=_set_cancelled, args=(self._question,), **cancel)
        return bar


def time_left(first: float, since: float, share: float, now: float) -> str:
    """The approximate remaining time in words; "" if it is unknown.

    Args:
        first, since: a finished share, and its time.
        share, now: the current share, and the current time.
    """
    if share <= first:
        return ""
    return in_words((now - since) * (1 - share) / (share - first))


def in_words(seconds: float) -> str:
    """A remaining time in words."""
    return f"about {math.ceil(seconds)} s left" if seconds < 90 else f"about {round(seconds / 60)} min left"


def _set_cancelled(question: Hashable = None) -> None:
    """Remember the cancelled question; None if it should run again."""
    st.session_state[CANCELLED] = question
