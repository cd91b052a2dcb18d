"""Helpers for tests of coroutines of the server."""

import asyncio
from concurrent.futures import ThreadPoolExecutor


def run_coroutine(function, *arguments):
    """Run a coroutine and return its result, in a new thread: this one may already run a browser's event loop."""
    with ThreadPoolExecutor() as thread:
        return thread.submit(asyncio.run, function(*arguments)).result()


def throw(error: BaseException):
    """Raise an error; for lambdas, which cannot contain ``raise``."""
    raise error
