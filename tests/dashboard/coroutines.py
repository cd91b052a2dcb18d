"""Runs coroutines of the server in tests."""

import asyncio
from concurrent.futures import ThreadPoolExecutor


def acted(act, *arguments):
    """Run a coroutine and return its result, in a thread because this one may have the event loop of a browser."""
    with ThreadPoolExecutor() as thread:
        return thread.submit(asyncio.run, act(*arguments)).result()


def raised(error: BaseException):
    raise error
