"""What becomes of the session of a user who has left, or whose connection has broken."""

import asyncio
import ctypes
import logging
import sys
from time import monotonic
from typing import Any

from streamlit.config import get_option
from streamlit.runtime import get_instance

from dashboard.sessions import owned

LIBRARY = ctypes.CDLL(None) if sys.platform == "linux" else None
LOG = logging.getLogger(__name__)
LOOKS = 1.0  # seconds between two looks at who has left


async def close_those_who_left() -> None:
    """Look after the sessions until cancelled.

    A session whose connection is gone is kept for ``server.disconnectedSessionTTL`` seconds, so that its user finds it
    again; then it is closed, and what belongs to it with it. Streamlit itself would close it when another one leaves.
    """
    left: dict[str, float] = {}  # since when
    lived: set[str] = set()
    while True:
        await asyncio.sleep(LOOKS)
        try:
            owners = owned.owners()  # asked first: whoever comes now is in the list of the living
            left = close_overdue(left, monotonic())
            living = {info.session.id for info in get_instance()._session_mgr.list_sessions()}
            gone, lived = (owners | lived) - living, living
            if gone:
                await _end(gone)
        except Exception:  # of one session: the others are looked after all the same
            LOG.exception("A session could not be closed")


async def _end(gone: set[str]) -> None:
    """Close what belongs to sessions, and give the memory back to the system."""
    try:
        await asyncio.to_thread(owned.end, gone)  # a job may take a while to end
    finally:
        pool = await asyncio.to_thread(_trim)
        pool.release_unused()  # here: mimalloc frees what ended threads have left in the main thread alone


def _trim() -> Any:
    """Give back what the system's library keeps, where it can; Arrow's pool, which keeps its own memory."""
    import pyarrow as pa  # which takes a while, and the server should answer at once

    if hasattr(LIBRARY, "malloc_trim"):
        LIBRARY.malloc_trim(0)
    return pa.default_memory_pool()


def close_overdue(left: dict[str, float], now: float) -> dict[str, float]:
    """Close the sessions that left too long ago.

    Args:
        left: since when each session was seen without a connection.

    Returns:
        The same of those that are without one now.
    """
    runtime, kept = get_instance(), get_option("server.disconnectedSessionTTL") - 2 * LOOKS  # before Streamlit loses it
    manager = runtime._session_mgr
    without = [info.session.id for info in manager.list_sessions() if not manager.is_active_session(info.session.id)]
    since = {session: left.get(session, now) for session in without}
    overdue = [session for session in without if now - since[session] >= kept]
    for session in overdue:
        runtime.close_session(session)
    return {session: at for session, at in since.items() if session not in overdue}
