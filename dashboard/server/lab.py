"""Routes the parts of the Lab's scene while one is dragged, without a run of the page, which would take too long."""

import asyncio
import json

from anyio import CapacityLimiter
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

ROUTE = "lab/answer"  # path below the server's base
MAX_BYTES = 8 << 10  # of a message; eight parts take 600
PATIENCE = 10.0  # seconds until a message must have come
MAX_AT_ONCE, MAX_WAITING = 2, 20  # answers; others are refused, and their browsers ask the page instead


class LabAnswers:
    """ASGI middleware that answers a browser in which a part is dragged.

    Args:
        app: next ASGI application.
    """

    def __init__(self, app: ASGIApp):
        self._app, self._limiter = app, CapacityLimiter(MAX_AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_asked = scope["type"] == "http" and scope["path"].rstrip("/").endswith(f"/{ROUTE}")
        answer = await self._answer(Request(scope, receive)) if is_asked else self._app
        await answer(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        if request.method != "POST":
            return PlainTextResponse("Wanted a POST request.", 405)
        if self._limiter.statistics().tasks_waiting >= MAX_WAITING:
            return PlainTextResponse("Too many are asking.", 503)
        content = b""
        try:
            async with asyncio.timeout(PATIENCE):
                async for chunk in request.stream():
                    content += chunk
                    if len(content) > MAX_BYTES:
                        return PlainTextResponse("This message is too long.", 413)
        except TimeoutError:
            return PlainTextResponse("This message did not come to its end in time.", 408)
        except ClientDisconnect:
            return Response(status_code=400)
        async with self._limiter:
            data = await run_in_threadpool(_answer, content)
        if data is None:
            return PlainTextResponse("This message holds no scene.", 400)
        return Response(data, media_type="application/json")


def _answer(content: bytes) -> bytes | None:
    """The answer to a message as JSON; None if the message is invalid."""
    from dashboard.pages.lab.answer import answer  # here, because the server answers before it has imported pages

    try:
        message = json.loads(content)
    except (ValueError, RecursionError):
        return None
    data = answer(message)
    return None if data is None else json.dumps(data).encode()
