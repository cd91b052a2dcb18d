"""What is loaded while the server starts, so that its first user does not wait for it."""

import asyncio
import gc
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Event, Thread
from time import sleep
from typing import Any

from dashboard.loading import LOADING
from dashboard.server.leaving import close_those_who_left
from dashboard.server.patience import limit_waiting
from dashboard.sessions.folders import delete_leftovers

FIRST = "dragg-sst5"  # the checkpoint of the page that opens first
SENT = Event()  # once a first page was sent
SWITCH = 0.001  # seconds after which a thread lets another one run Python; 0.005 unless set, which pastes wait for
PATIENCE, DRAWING = 3.0, 1.5  # seconds: for a first visitor to come, for the browser to draw


@asynccontextmanager
async def lifespan(app: Any) -> AsyncIterator[None]:
    """The server answers at once; the first page is shown from a file, and PyTorch loaded once it is drawn."""
    LOADING.set()
    limit_waiting()
    sys.setswitchinterval(SWITCH)
    Thread(target=_load, name="load the first page", daemon=True).start()
    watch = asyncio.create_task(close_those_who_left())
    yield
    watch.cancel()


def _load() -> None:
    from dashboard.runs.checkpoints import load_ahead

    delete_leftovers()
    if SENT.wait(PATIENCE):
        sleep(DRAWING)  # on two cores PyTorch's import would take from what the browser needs
    try:
        load_ahead(FIRST)
    finally:
        LOADING.clear()
    gc.collect()
    gc.freeze()  # what is loaded by now stays: no later collection has to look at it
