"""Coroutines of the server, run by a test."""

import asyncio
from concurrent.futures import ThreadPoolExecutor


def acted(act, *arguments):
    """What a coroutine returns; in a thread, for a browser of another test may have an event loop running in this."""
    with ThreadPoolExecutor() as thread:
        return thread.submit(asyncio.run, act(*arguments)).result()


def raised(error: BaseException):
    raise error
