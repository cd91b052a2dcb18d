"""A wait that shows how far it is, and that can be cancelled."""

import math
from collections.abc import Callable, Hashable
from time import monotonic
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.sessions.turns import pass_on, turn

T = TypeVar("T")

UNSEEN = 0.5  # seconds of a wait before it shows a bar
CANCELLED = "cancelled"


def run_with_bar(what: str, question: Hashable, run: Callable[[Callable[[float], None]], T]) -> T | None:
    """What ``run`` returns; None if the user cancelled it, until they go on.

    A click anywhere ends the run where it next says how far it is: Streamlit raises its own error there. So does a
    click on Cancel, after which the same question is not run again.

    Args:
        what: is done, for the user.
        question: tells this wait from others.
        run: is given a function to call with the share that is done, at least once a second.
    """
    place = st.empty()
    if st.session_state.get(CANCELLED) == question:
        with place.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(f"{what}: cancelled.")
            st.button("Go on", icon=":material/play_arrow:", key=f"go on {what}", on_click=_set_cancelled)
        return None
    bar = Bar(place, what, question)
    try:
        with turn(place):  # a fragment has none
            result = run(bar.show)
    except Exception:  # not Streamlit's own, which end this run of the page: the next one draws the bar again
        place.empty()
        raise
    place.empty()
    return result


class Bar:
    """A bar, the time that is left, and a button that cancels; all of it appears after ``UNSEEN`` seconds."""

    def __init__(self, place: DeltaGenerator, what: str, question: Hashable):
        """Draw nothing yet. Arguments as in ``run_with_bar``; place: an ``st.empty``."""
        self._place, self._what, self._question = place, what, question
        self._began = monotonic()
        self._first: tuple[float, float] | None = None  # the first share that was shown, and when
        self._bar: DeltaGenerator | None = None

    def show(self, share: float) -> None:
        """Show that this share is done, and let others who wait have their turn."""
        now = monotonic()
        self._first = self._first or (share, now)
        if now - self._began >= UNSEEN:
            self._bar = self._bar or self._draw()
            self._bar.progress(min(1.0, share), f"{self._what} … {left(*self._first, share, now)}")
        pass_on()

    def _draw(self) -> DeltaGenerator:
        with self._place.container(horizontal=True, vertical_alignment="center", gap="small"):
            bar = st.empty()
            cancel = {"icon": ":material/stop:", "key": f"cancel {self._what}"}
            st.button("Cancel", on_click=_set_cancelled, args=(self._question,), **cancel)
        return bar


def left(first: float, since: float, share: float, now: float) -> str:
    """About how long a run still takes, from the share that was done at some time, and the share that is done now."""
    if share <= first:
        return ""
    seconds = (now - since) * (1 - share) / (share - first)
    return f"about {math.ceil(seconds)} s left" if seconds < 90 else f"about {round(seconds / 60)} min left"


def _set_cancelled(question: Hashable = None) -> None:
    st.session_state[CANCELLED] = question
