"""Receives uploads instead of Streamlit: on the disk, not in memory, and within limits."""

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
MAX_UPLOAD = 150 * MB  # bytes per file; pages have lower limits of their own
MAX_SESSION_BYTES, MAX_FILES = 400 * MB, 1_000  # size and number of the files of a session
MAX_SERVER_BYTES = 4096 * MB  # size of the files of all sessions together
SPARE_BYTES = 512 * MB  # space on the disk that uploads leave free
FORM_BYTES = 64 << 10  # bytes around the file in the body of a request
PATIENCE, SLOWEST = 30, 50_000  # an upload may take PATIENCE seconds, and another one for SLOWEST bytes of it
SILENCE = 10.0  # seconds without a byte after which an upload is ended
UNCLAIMED, CHECK_INTERVAL = 45.0, 5.0  # seconds until a file that no page has opened is deleted, and between two checks
NO_ROOM = "This server holds too many uploads: try again later."


class NoRoom(Exception):
    """The uploads of the server have reached their limit."""


@dataclass(eq=False)
class Incoming:
    """An upload in progress: its stated size, and the number of bytes received."""

    size: int
    received: int = 0


class Uploads:
    """ASGI middleware that receives uploads, and deletes files that no page opens.

    Args:
        app: next ASGI application.
    """

    def __init__(self, app: ASGIApp):
        self._app = app
        self._incoming: dict[str, list[Incoming]] = defaultdict(list)  # uploads in progress by session
        self._folder = Path()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._run_with_checks(scope, receive, send)
        elif scope["type"] == "http" and scope["method"] == "PUT" and (match := ROUTE.fullmatch(scope["path"])):
            answer = await self._receive_file(Request(scope, receive), *match.groups())
            await answer(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _run_with_checks(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application, and delete unclaimed files meanwhile."""
        watch = asyncio.create_task(self._delete_unclaimed())
        try:
            await self._app(scope, receive, send)
        finally:
            watch.cancel()

    async def _delete_unclaimed(self) -> None:
        """Delete unclaimed files again and again, until cancelled."""
        while True:
            await asyncio.sleep(CHECK_INTERVAL)
            try:
                self.delete_unclaimed(monotonic())
            except Exception:  # one file must not end the checks
                LOG.exception("An upload could not be deleted")

    def delete_unclaimed(self, now: float) -> None:
        """Delete files that no page has opened although their session finished sending a while ago."""
        manager = _manager()
        for session in set(manager.file_storage) - set(self._incoming):
            unused = {key: file.uploaded_at for key, file in contents(manager, session).items() if not file.is_used}
            if unused and now - max(unused.values()) > UNCLAIMED:
                for file_id in unused:
                    manager.remove_file(session, file_id)

    async def _receive_file(self, request: Request, session: str, file_id: str) -> Response:
        """Receive the file of a request, and return the answer."""
        size = _stated_size(request.headers)
        incoming = Incoming(size or 0)
        request = Request(request.scope, self._receive_in_time(request.receive, incoming))
        if refusal := self._refuse(request, session, size):
            await _hear_out(request, size)
            return refusal
        self._incoming[session].append(incoming)
        try:
            async with asyncio.timeout(PATIENCE + size / SLOWEST):
                async with request.form(max_files=1, max_fields=0) as form:
                    file = next((part for part in form.values() if isinstance(part, UploadFile)), None)
                    if file is None:
                        return PlainTextResponse("There is no file in this request.", 400)
                    content = await asyncio.to_thread(self._copy_to_disk, file.file)
                    record = UploadedFileRec(file_id, file.filename or "", file.content_type or "", content)
        except (HTTPException, MultiPartException, ClientDisconnect, TimeoutError):
            return PlainTextResponse("This upload did not end as it should.", 400)
        except NoRoom:
            return PlainTextResponse(NO_ROOM, 507)
        except OSError:
            return PlainTextResponse("This server cannot write to its disk.", 507)
        finally:
            self._incoming[session].remove(incoming)
            if not self._incoming[session]:
                del self._incoming[session]
        if not get_instance().is_active_session(session):
            return _no_session()
        _manager().add_file(session, record)
        return Response(status_code=204)

    def _refuse(self, request: Request, session: str, size: int | None) -> Response | None:
        """The answer to a refused upload; None if it is accepted."""
        token, cookie = request.headers.get("X-Xsrftoken"), request.cookies.get(XSRF_COOKIE_NAME)
        if get_option("server.enableXsrfProtection") and not validate_xsrf_token(token, cookie):
            return PlainTextResponse("This upload does not come from a page of this server.", 403)
        if not get_instance().is_active_session(session):
            return _no_session()
        if size is None or not request.headers.get("content-type", "").startswith("multipart/form-data"):
            return PlainTextResponse("An upload is a form that says how large it is.", 411)
        if size > MAX_UPLOAD + FORM_BYTES:
            return PlainTextResponse(f"A file has at most {MAX_UPLOAD // MB} MB.", 413)
        return self._lack_of_room(session, size)

    def _lack_of_room(self, session: str, size: int) -> Response | None:
        """The refusal if the session or the server holds too much already; None otherwise."""
        sizes = [*_sizes_held(session), *(incoming.size for incoming in self._incoming.get(session, []))]
        if len(sizes) >= MAX_FILES or sum(sizes) + size > MAX_SESSION_BYTES + FORM_BYTES:
            return PlainTextResponse("This session holds too many uploads: remove one.", 413)
        needed = 2 * size + SPARE_BYTES  # the parsed form and our folder each hold the file for a while
        if self._held_bytes() + size > MAX_SERVER_BYTES or _free_bytes() < needed:
            return PlainTextResponse(NO_ROOM, 507)
        return None

    def _held_bytes(self) -> int:
        """The number of bytes that the server holds. Bytes that are only announced do not count."""
        received = sum(incoming.received for uploads in self._incoming.values() for incoming in uploads)
        return received + sum(sum(_sizes_held(session)) for session in list(_manager().file_storage))

    def _receive_in_time(self, receive: Receive, incoming: Incoming) -> Receive:
        """Wrap ``receive``, so that it ends an upload that stops coming or has no room.

        Raises:
            TimeoutError: no byte has come for a while.
            NoRoom: the uploads of the server have reached their limit.
        """

        async def receive_in_time() -> Message:
            async with asyncio.timeout(SILENCE):
                message = await receive()
            previous, incoming.received = incoming.received, incoming.received + len(message.get("body", b""))
            if incoming.received // MB > previous // MB and self._held_bytes() > MAX_SERVER_BYTES:
                raise NoRoom
            return message

        return receive_in_time

    def _copy_to_disk(self, file: BinaryIO) -> Content:
        """Copy a file, which may be in memory, to our folder."""
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
    """Streamlit's list of uploaded files."""
    return get_instance().uploaded_file_mgr


def _sizes_held(session: str) -> Iterable[int]:
    """The size of each file that a session holds."""
    return (len(file) for file in contents(_manager(), session).values())


def _stated_size(headers: Headers) -> int | None:
    """The size in the headers of a request; None if they state none."""
    stated = headers.get("content-length", "")
    return int(stated) if stated.isdecimal() and len(stated) < 20 else None


def _free_bytes() -> int:
    """Free bytes in the folder for temporary files; 0 if there is no such folder."""
    try:
        return shutil.disk_usage(tempfile.gettempdir()).free
    except OSError:
        return 0


async def _hear_out(request: Request, size: int | None) -> None:
    """Read a refused upload to its end: otherwise the browser sees a broken connection instead of the answer."""
    if size is None or size > MAX_UPLOAD + FORM_BYTES:
        return
    with suppress(ClientDisconnect, TimeoutError, NoRoom):
        async with asyncio.timeout(PATIENCE + size / SLOWEST):
            async for _ in request.stream():
                pass


def _no_session() -> Response:
    """The answer to an upload for an unknown session."""
    return PlainTextResponse("There is no such session on this server.", 400)
