"""What belongs to one session: found again after a broken connection, closed once the session has ended."""

from collections.abc import Callable, Collection
from contextlib import ExitStack
from functools import wraps
from threading import RLock
from typing import Protocol, TypeVar

from streamlit.runtime.scriptrunner import get_script_run_ctx


class Closable(Protocol):
    """What a session can have."""

    def close(self) -> None:
        """Stop it, and free what it holds."""


T = TypeVar("T", bound=Closable)

_owned: dict[str, dict[Callable, Closable]] = {}  # by the id of the session, and by what made it
_changing = RLock()  # making one thing may ask for another


def session_id() -> str:
    """The id of the session whose page is run in this thread; "" outside of one, as in a thread of the server."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context else ""


def one_a_session(make: Callable[[], T]) -> Callable[[], T]:
    """Keep what a function makes, once for each session that calls it.

    Streamlit's caches would lose it: any visitor's message clears them, and so does each connection that breaks.
    """

    @wraps(make)
    def get() -> T:
        with _changing:
            mine = _owned.setdefault(session_id(), {})
            if make not in mine:
                mine[make] = make()
            return mine[make]

    return get


def owners() -> set[str]:
    """The ids of all sessions that have something."""
    with _changing:
        return set(_owned)


def end(sessions: Collection[str]) -> None:
    """Close what these sessions have."""
    for session in sessions:
        with _changing:
            theirs = _owned.pop(session, {})
        with ExitStack() as closing:  # what fails to close keeps no other one open
            for thing in theirs.values():
                closing.callback(thing.close)
