"""Things that one session owns: they survive a broken connection, and are closed when the session ends."""

from collections.abc import Callable, Collection
from contextlib import ExitStack
from functools import wraps
from threading import RLock
from typing import Protocol, TypeVar

from streamlit.runtime.scriptrunner import get_script_run_ctx


class Closable(Protocol):
    """A thing that a session can own."""

    def close(self) -> None:
        """Stop the thing, and free its resources."""


T = TypeVar("T", bound=Closable)

_owned: dict[str, dict[Callable, Closable]] = {}  # by the id of the session, and by the function that made it
_changing = RLock()  # reentrant, because making one thing may ask for another


def session_id() -> str:
    """The id of the session whose page runs in this thread; "" outside of a session, as in a thread of the server."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context else ""


def one_a_session(make: Callable[[], T]) -> Callable[[], T]:
    """Decorate a function so that it runs once per session, and keeps its result for that session.

    Streamlit's caches would lose the result: any visitor's message can clear them, and so does a broken connection.
    """

    @wraps(make)
    def get() -> T:
        with _changing:
            made = _owned.setdefault(session_id(), {})
            if make not in made:
                made[make] = make()
            return made[make]

    return get


def owners() -> set[str]:
    """The ids of all sessions that own something."""
    with _changing:
        return set(_owned)


def end(sessions: Collection[str]) -> None:
    """Close everything that these sessions own."""
    for session in sessions:
        with _changing:
            things = _owned.pop(session, {})
        with ExitStack() as closing:  # closes the others even if one fails
            for thing in things.values():
                closing.callback(thing.close)
