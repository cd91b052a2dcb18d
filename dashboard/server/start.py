"""Loads the first page and PyTorch while the server starts, so that its first user does not wait."""

import asyncio
import gc
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Event, Thread
from time import sleep
from typing import Any

from dashboard.loading import LOADING
from dashboard.server.leaving import close_left_sessions
from dashboard.server.patience import limit_waiting
from dashboard.sessions.folders import delete_leftovers

SENT = Event()  # set when the first page was sent
SWITCH = 0.001  # seconds after which threads take turns at running Python; with the default, 0.005, pasting feels slow
PATIENCE, DRAWING = 3.0, 0.3  # seconds to wait for a first visitor, and for the browser to get what it draws


@asynccontextmanager
async def lifespan(app: Any) -> AsyncIterator[None]:
    """Answer at once, show the first page from a file, and load PyTorch after that page is drawn."""
    LOADING.set()
    limit_waiting()
    sys.setswitchinterval(SWITCH)
    Thread(target=_load, name="load the first page", daemon=True).start()
    watch = asyncio.create_task(close_left_sessions())
    yield
    watch.cancel()


def _load() -> None:
    """Load the first page's checkpoint, and PyTorch with it."""
    try:
        from dashboard.runs.loaded import load_ahead
        from dashboard.runs.stories import NETWORK

        delete_leftovers()
        if SENT.wait(PATIENCE):
            sleep(DRAWING)  # on two cores, importing PyTorch would slow down the browser
        load_ahead(NETWORK)
    finally:
        LOADING.clear()
    gc.collect()
    gc.freeze()  # later collections can skip what is loaded by now
