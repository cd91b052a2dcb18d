"""Closes the sessions of users who have left or lost their connection."""

import asyncio
import ctypes
import logging
import sys
from time import monotonic
from typing import Any

from streamlit.config import get_option
from streamlit.runtime import get_instance

from dashboard.sessions import owned

LIBRARY = ctypes.CDLL(None) if sys.platform == "linux" else None  # the C library
LOG = logging.getLogger(__name__)
CHECK_INTERVAL = 1.0  # seconds between two checks of the sessions


async def close_left_sessions() -> None:
    """Close overdue sessions until cancelled.

    A session without a connection is kept for ``server.disconnectedSessionTTL`` seconds, so that its user can return.
    Then it is closed with everything that it owns. Streamlit would close it only when another session disconnects.
    """
    left: dict[str, float] = {}  # time at which each session lost its connection
    known: set[str] = set()  # sessions that were open at the last check
    while True:
        await asyncio.sleep(CHECK_INTERVAL)
        try:
            owners = owned.owners()  # first, so that a new session is among the living ones
            left = close_overdue(left, monotonic())
            living = {info.session.id for info in get_instance()._session_mgr.list_sessions()}
            ended, known = (owners | known) - living, living
            if ended:
                await _close_owned(ended)
        except Exception:  # one session must not keep the others open
            LOG.exception("A session could not be closed")


async def _close_owned(ended: set[str]) -> None:
    """Close everything that these sessions own, and return free memory to the system."""
    try:
        await asyncio.to_thread(owned.end, ended)  # a job may take a while to end
    finally:
        arrow_pool = await asyncio.to_thread(_trim)
        arrow_pool.release_unused()  # on the main thread: only there does mimalloc free the memory of ended threads


def _trim() -> Any:
    """Return the free memory of the C library to the system, and return Arrow's pool, which has its own memory."""
    import pyarrow as pa  # slow to import, and the server should answer at once

    if hasattr(LIBRARY, "malloc_trim"):
        LIBRARY.malloc_trim(0)
    return pa.default_memory_pool()


def close_overdue(left: dict[str, float], now: float) -> dict[str, float]:
    """Close the sessions that have been without a connection for too long.

    Args:
        left: time at which each session was first seen without a connection.
        now: current time.

    Returns:
        The same times for the remaining sessions without a connection.
    """
    # Sessions are closed a little before Streamlit would forget them, because it would not close them.
    runtime, kept = get_instance(), get_option("server.disconnectedSessionTTL") - 2 * CHECK_INTERVAL
    manager = runtime._session_mgr
    sessions = [info.session.id for info in manager.list_sessions()]
    unconnected = [session for session in sessions if not manager.is_active_session(session)]
    since = {session: left.get(session, now) for session in unconnected}
    overdue = [session for session in unconnected if now - since[session] >= kept]
    for session in overdue:
        runtime.close_session(session)
    return {session: at for session, at in since.items() if session not in overdue}
