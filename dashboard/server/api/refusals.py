"""Refused requests, and the limits on a request before anything is run for it."""

import asyncio
import json

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from dashboard.server.api.limits import MAX_BODY, PATIENCE
from dashboard.server.hosts import is_refused

NO_STORE = {"Cache-Control": "no-store"}
UNFINISHED = "This request did not come to its end."


class Refused(Exception):
    """A request that is refused.

    Args:
        status: status of the answer.
        sentence: reason, in one sentence.
        headers: further headers of the answer.
    """

    def __init__(self, status: int, sentence: str, headers: dict[str, str] | None = None):
        super().__init__(sentence)
        content = json.dumps({"error": sentence})
        self.answer = Response(content, status, NO_STORE | (headers or {}), media_type="application/json")


def check_sender(request: Request) -> None:
    """Refuse a browser that sends a request from another site's page.

    Such a page can send JSON only if the server allows it, and can send other types without asking.

    Raises:
        Refused: the page is another site's, or the body is not JSON.
    """
    if is_refused(request.headers, is_websocket=True):  # compares the page's origin with our host
        raise Refused(403, "This request comes from a page of another site.")
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Refused(415, "Wanted JSON, with the header Content-Type: application/json.")


async def read_body(request: Request) -> bytes:
    """The body of a request.

    Raises:
        Refused: the body is too large, or does not come to its end in time.
    """
    stated = request.headers.get("content-length", "")
    if stated.isdecimal() and (len(stated) > 12 or int(stated) > MAX_BODY):
        raise _too_large()
    body = bytearray()
    try:
        async with asyncio.timeout(PATIENCE):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MAX_BODY:
                    raise _too_large()
    except TimeoutError:
        raise Refused(408, UNFINISHED) from None
    except ClientDisconnect:
        raise Refused(400, UNFINISHED) from None
    return bytes(body)


def _too_large() -> Refused:
    return Refused(413, f"A request has at most {MAX_BODY >> 20} MB.")
