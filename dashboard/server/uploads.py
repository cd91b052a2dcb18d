"""Takes uploads in Streamlit's place: to the disk instead of into memory, within limits."""

import asyncio
import logging
import re
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import BinaryIO

from starlette.datastructures import Headers, UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.config import get_option
from streamlit.runtime import get_instance
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.web.server.starlette.starlette_app_utils import validate_xsrf_token
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME

from dashboard.sessions.folders import make_folder
from dashboard.sessions.uploads import MB, Content, contents

LOG = logging.getLogger(__name__)
ROUTE = re.compile(r".*/_stcore/upload_file/([^/]+)/([^/]+)")
MAX_UPLOAD = 150 * MB  # the largest file that a page takes; each page says how much it takes itself
OF_SESSION, MAX_FILES, OF_SERVER, SPARE = 400 * MB, 1_000, 4096 * MB, 512 * MB  # SPARE: what the disk keeps free
AROUND = 64 << 10  # bytes around the file in the body of a request
PATIENCE, SLOWEST = 30, 50_000  # seconds, and bytes a second: an upload that is slower is ended
SILENCE = 10.0  # seconds without a byte after which it is ended, too
UNCLAIMED, LOOKS = 45.0, 5.0  # seconds after which a file that no page has opened is deleted; between two looks
NO_ROOM = "This server holds too many uploads: try again later."


class NoRoom(Exception):
    """The server holds as much as it may."""


@dataclass(eq=False)
class Coming:
    """An upload that is being sent: bytes that it says it has, and those that have come."""

    size: int
    came: int = 0


class Uploads:
    """ASGI middleware that takes what uploaders send, and deletes what no page opens.

    Args:
        app: the next ASGI application.
    """

    def __init__(self, app: ASGIApp):
        self._app = app
        self._coming: dict[str, list[Coming]] = defaultdict(list)  # what each session is sending
        self._folder = Path()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(scope, receive, send)
        elif scope["type"] == "http" and scope["method"] == "PUT" and (match := ROUTE.fullmatch(scope["path"])):
            answer = await self._take(Request(scope, receive), *match.groups())
            await answer(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _live(self, scope: Scope, receive: Receive, send: Send) -> None:
        watch = asyncio.create_task(self._delete_unclaimed())
        try:
            await self._app(scope, receive, send)
        finally:
            watch.cancel()

    async def _delete_unclaimed(self) -> None:
        while True:
            await asyncio.sleep(LOOKS)
            try:
                self.delete_unclaimed(monotonic())
            except Exception:  # of one file: the next look goes on
                LOG.exception("An upload could not be deleted")

    def delete_unclaimed(self, now: float) -> None:
        """Delete what no page has opened though its session has sent all of it a while ago."""
        manager = _manager()
        for session in set(manager.file_storage) - set(self._coming):
            unused = {key: file.came for key, file in contents(manager, session).items() if not file.is_used}
            if unused and now - max(unused.values()) > UNCLAIMED:
                for file_id in unused:
                    manager.remove_file(session, file_id)

    async def _take(self, request: Request, session: str, file_id: str) -> Response:
        """Answer the request that brings a file."""
        size = _size(request.headers)
        coming = Coming(size or 0)
        request = Request(request.scope, self._receive_soon(request.receive, coming))
        if refusal := self._refuse(request, session, size):
            await _hear_out(request, size)
            return refusal
        self._coming[session].append(coming)
        try:
            async with asyncio.timeout(PATIENCE + size / SLOWEST):
                async with request.form(max_files=1, max_fields=0) as form:
                    file = next((part for part in form.values() if isinstance(part, UploadFile)), None)
                    if file is None:
                        return PlainTextResponse("There is no file in this request.", 400)
                    content = await asyncio.to_thread(self._keep, file.file)
                    record = UploadedFileRec(file_id, file.filename or "", file.content_type or "", content)
        except (HTTPException, MultiPartException, ClientDisconnect, TimeoutError):
            return PlainTextResponse("This upload did not end as it should.", 400)
        except NoRoom:
            return PlainTextResponse(NO_ROOM, 507)
        except OSError:
            return PlainTextResponse("The disk of this server takes nothing.", 507)
        finally:
            self._coming[session].remove(coming)
            if not self._coming[session]:
                del self._coming[session]
        if not get_instance().is_active_session(session):
            return _no_session()
        _manager().add_file(session, record)
        return Response(status_code=204)

    def _refuse(self, request: Request, session: str, size: int | None) -> Response | None:
        """The answer to a request whose file is not taken; None if it is."""
        token, cookie = request.headers.get("X-Xsrftoken"), request.cookies.get(XSRF_COOKIE_NAME)
        if get_option("server.enableXsrfProtection") and not validate_xsrf_token(token, cookie):
            return PlainTextResponse("This upload does not come from a page of this server.", 403)
        if not get_instance().is_active_session(session):
            return _no_session()
        if size is None or not request.headers.get("content-type", "").startswith("multipart/form-data"):
            return PlainTextResponse("An upload is a form that says how large it is.", 411)
        if size > MAX_UPLOAD + AROUND:
            return PlainTextResponse(f"A file has at most {MAX_UPLOAD // MB} MB.", 413)
        return self._lack_of_room(session, size)

    def _lack_of_room(self, session: str, size: int) -> Response | None:
        """The answer where a session or the server holds too much already."""
        of_session = [*_held(session), *(coming.size for coming in self._coming.get(session, []))]
        if len(of_session) >= MAX_FILES or sum(of_session) + size > OF_SESSION + AROUND:
            return PlainTextResponse("This session holds too many uploads: remove one.", 413)
        if self._together() + size > OF_SERVER or _free() < 2 * size + SPARE:
            return PlainTextResponse(NO_ROOM, 507)
        return None

    def _together(self) -> int:
        """Bytes that the server holds. What is only announced takes nobody's place."""
        came = sum(coming.came for of_session in self._coming.values() for coming in of_session)
        return came + sum(sum(_held(session)) for session in list(_manager().file_storage))

    def _receive_soon(self, receive: Receive, coming: Coming) -> Receive:
        """Receives an upload as long as it does come and there is room.

        Raises:
            TimeoutError: nothing has come for a while.
            NoRoom: the server has taken as much as it may.
        """

        async def receive_soon() -> Message:
            async with asyncio.timeout(SILENCE):
                message = await receive()
            before, coming.came = coming.came, coming.came + len(message.get("body", b""))
            if coming.came // MB > before // MB and self._together() > OF_SERVER:
                raise NoRoom
            return message

        return receive_soon

    def _keep(self, file: BinaryIO) -> Content:
        """Copy a file, which may lie in memory, to one of ours."""
        if not self._folder.name:
            self._folder = make_folder(self)
        handle, path = tempfile.mkstemp(dir=self._folder)
        try:
            with open(handle, "wb") as target:
                shutil.copyfileobj(file, target, MB)
            return Content(Path(path))
        except BaseException:
            with suppress(OSError):
                Path(path).unlink()
            raise


def _manager() -> MemoryUploadedFileManager:
    return get_instance().uploaded_file_mgr


def _held(session: str) -> Iterable[int]:
    """Bytes of each file that a session holds."""
    return (len(file) for file in contents(_manager(), session).values())


def _size(headers: Headers) -> int | None:
    stated = headers.get("content-length", "")
    return int(stated) if stated.isdecimal() and len(stated) < 20 else None


def _free() -> int:
    """Bytes that are free where temporary files lie; 0 where none can lie anywhere."""
    try:
        return shutil.disk_usage(tempfile.gettempdir()).free
    except OSError:
        return 0


async def _hear_out(request: Request, size: int | None) -> None:
    """Read what is refused: a browser whose file is not read sees a broken connection instead of the answer."""
    if size is None or size > MAX_UPLOAD + AROUND:
        return
    with suppress(ClientDisconnect, TimeoutError, NoRoom):
        async with asyncio.timeout(PATIENCE + size / SLOWEST):
            async for _ in request.stream():
                pass


def _no_session() -> Response:
    return PlainTextResponse("There is no such session on this server.", 400)
