"""The routes of the interface for programs. ``operations`` has what they do, and is imported with the first request."""

import asyncio
import logging
import math
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from anyio import CapacityLimiter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from dashboard.public import is_public
from dashboard.server.api.limits import (
    MAX_AT_ONCE,
    MAX_BATCHES,
    MAX_BATCHES_EACH,
    MAX_OPEN,
    MAX_OPEN_EACH,
    MAX_WORK,
    PATIENCE,
    PIECE,
    SLOWEST,
    Allowances,
)
from dashboard.server.api.refusals import NO_STORE, Refused, check_sender, read_body
from dashboard.server.paths import NOT_FOUND, root_path

R = TypeVar("R")
LOG = logging.getLogger(__name__)
ROOT = "api"
BATCH = f"{ROOT}/batch"
# The operation of each path. Operations for POST get the body of the request.
READ = {ROOT: "page", f"{ROOT}/openapi.json": "document", f"{ROOT}/models": "models"}
RUN = {f"{ROOT}/explain": "explain", f"{ROOT}/cuts": "cuts", BATCH: "batch"}


class Programs:
    """ASGI middleware that answers programs.

    Args:
        app: next ASGI application.
    """

    def __init__(self, app: ASGIApp):
        self._app, self._base = app, root_path()
        self._limiter, self._allowances = CapacityLimiter(MAX_AT_ONCE), Allowances()
        self._n_open = self._n_batches = 0  # requests that are not answered yet
        self._open_of: Counter[tuple[str, bool]] = Counter()  # the same by address, and whether it is a batch

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"].removeprefix(self._base).rstrip("/") if scope["type"] == "http" else ""
        if not f"{path}/".startswith(f"{ROOT}/"):
            await self._app(scope, receive, send)
            return
        is_batch = path == BATCH and scope["method"] == "POST"
        request = Request(scope, receive)
        self._n_open, self._n_batches = self._n_open + 1, self._n_batches + is_batch
        own = _address(request), is_batch
        self._open_of[own] += 1
        try:
            if is_public() and self._open_of[own] > (MAX_BATCHES_EACH if is_batch else MAX_OPEN_EACH):
                raise Refused(429, "Too many requests of your address are open: wait for one.", {"Retry-After": "1"})
            if self._n_open > MAX_OPEN or self._n_batches > MAX_BATCHES:
                raise Refused(503, "Too many are asking: ask again in a second.", {"Retry-After": "1"})
            if is_batch:
                await self._send_batch(request, send)
            else:
                await _send(await self._answer(path, request), send)
        except Refused as refused:
            await _send(refused.answer, send)
        except TimeoutError:  # the program does not read its answer: the connection breaks
            pass
        finally:
            self._n_open, self._n_batches = self._n_open - 1, self._n_batches - is_batch
            self._open_of -= Counter([own])  # drops an address of which none is open

    async def _answer(self, path: str, request: Request) -> Response:
        """The answer to a request that is not for a batch."""
        methods = ("GET", "HEAD") if path in READ else ("POST",)
        if path not in READ and path not in RUN:
            raise Refused(404, NOT_FOUND)
        if request.method not in methods:
            raise Refused(405, f"Wanted a {methods[0]} request.", {"Allow": ", ".join(methods)})
        body = b"" if path in READ else await self._take(request)
        work = partial(_read, READ[path], self._base) if path in READ else partial(_run, RUN[path], body)
        content = await self._work(_address(request), work, None if path in READ else request)
        kind = "text/html" if path == ROOT else "application/json"
        return Response(content, headers=NO_STORE, media_type=kind)

    async def _take(self, request: Request) -> bytes:
        """The body of a request, if its address may have work done."""
        check_sender(request)
        self._check_allowance(request)
        return await read_body(request)

    def _check_allowance(self, request: Request) -> None:
        """Raise Refused unless the request's address may have work done."""
        if wait := self._wait(request):
            pause = f"{wait} second{'s' * (wait > 1)}"
            sentence = f"{MAX_WORK:.0f} seconds of work were just done for your address: ask again in {pause}."
            raise Refused(429, sentence, {"Retry-After": str(wait)})

    def _wait(self, request: Request) -> int:
        """The whole seconds until an address may have work done; always 0 on a private server."""
        return math.ceil(self._allowances.wait(_address(request))) if is_public() else 0

    async def _work(self, address: str, work: Callable[[], R], request: Request | None = None) -> R:
        """Do some work in a thread, and charge an address for it.

        Args:
            request: request whose address must still have an allowance when its turn comes; None if it need not.
        """

        def charged() -> R:
            began = time.thread_time()
            try:
                return work()
            except ValueError as error:
                raise Refused(400, str(error)) from None
            except Exception:
                LOG.exception("A program's request failed")
                raise Refused(500, "This server could not do this.") from None
            finally:
                self._allowances.charge(address, time.thread_time() - began)

        async with self._limiter:
            if request is not None:
                self._check_allowance(request)
            return await run_in_threadpool(charged)

    async def _send_batch(self, request: Request, send: Send) -> None:
        """Send the lines of a batch as they come.

        If a line cannot be made, the connection breaks, so that nobody takes the lines before it for all.
        """
        address = _address(request)
        lines = await self._work(address, partial(_run, "batch", await self._take(request)))
        some: bytes | None = await self._work(address, partial(next, lines))
        headers = Response(headers=NO_STORE, media_type="application/x-ndjson").headers
        del headers["content-length"]
        await send({"type": "http.response.start", "status": 200, "headers": headers.raw})
        while some is not None:
            await _send_body(some, send, more=True)
            while wait := self._wait(request):
                if await request.is_disconnected():
                    return
                await asyncio.sleep(min(wait, 1))
            if await request.is_disconnected():
                return
            try:
                some = await self._work(address, partial(next, lines, None))
            except Refused:
                return
        await _send_body(b"", send)


async def _send(answer: Response, send: Send) -> None:
    """Send an answer."""
    await send({"type": "http.response.start", "status": answer.status_code, "headers": answer.raw_headers})
    await _send_body(bytes(answer.body), send)


async def _send_body(body: bytes, send: Send, more: bool = False) -> None:
    """Send a body, or a part that has more after it; TimeoutError if the program does not read it, or too slowly."""
    async with asyncio.timeout(PATIENCE + len(body) / SLOWEST):
        for start in range(0, max(1, len(body)), PIECE):
            piece, is_last = body[start : start + PIECE], start + PIECE >= len(body)
            async with asyncio.timeout(PATIENCE):
                await send({"type": "http.response.body", "body": piece, "more_body": more or not is_last})


def _address(request: Request) -> str:
    """The address that a request comes from."""
    return request.client.host if request.client else ""


def _read(operation: str, base: str) -> bytes:
    """Call an operation that takes no request."""
    from dashboard.server.api import document, operations, page  # here, because the server answers before they load

    if operation == "models":
        return operations.models()
    return (page.page if operation == "page" else document.document)(base)


def _run(operation: str, body: bytes) -> Any:
    """Call an operation that takes a request."""
    from dashboard.server.api import operations

    return getattr(operations, operation)(body)
