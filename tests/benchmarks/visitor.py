"""A visitor of the running dashboard without a browser, who exchanges Streamlit's messages over its websocket."""

import asyncio
import json
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.BidiComponent_pb2 import BidiComponent
from streamlit.proto.Common_pb2 import FileUploaderState, UploadedFileInfo
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

PATIENCE = 120  # seconds for one run of a script
FINISHED = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
RETRY = 0.2  # seconds between two tries to connect
TRIGGERS = ("trigger_value", "string_trigger_value", "json_trigger_value")  # fields whose value counts for one run only


@dataclass(frozen=True)
class Input:
    """An input on the screen: Streamlit's name for its kind, its message, and the fragment that it is in, if any."""

    kind: str
    proto: Any
    fragment: str


class Visitor:
    """One user on one page of the dashboard, who connects to the same session again if a connection breaks.

    Attributes:
        texts: texts that the last run wrote or handed to a component.
        broken: number of broken connections.
        components: last message to each component that was drawn in a fragment, and the fragment, by name.
        inputs: inputs on the screen, by Streamlit's id.
        repeats: fragments that a browser runs again every second or so.
        pages: addresses of all pages.
        session: Streamlit's id of the session.
    """

    def __init__(self, url: str, page: str, query: str):
        self.texts: list[str] = []
        self.broken = 0
        self.components: dict[str, tuple[BidiComponent, str]] = {}
        self.inputs: dict[str, Input] = {}
        self.repeats: list[str] = []
        self.pages: list[str] = []
        self.session = ""
        self._url, self._page, self._query = url, page, query
        self._page_hash, self._text_box, self._cookies = "", "", ""
        self._widgets: dict[str, WidgetState] = {}
        self._connection: ClientConnection | None = None

    async def open(self) -> float:
        """Run the page for the first time, and return the seconds until its script has finished."""
        return await self._rerun()

    async def paste(self, text: str) -> float:
        """Send a text as Ctrl+Enter does, and return the seconds until the script has finished."""
        events = f"$$STREAMLIT_INTERNAL_KEY_{self._text_box}__events"  # the box's triggers are an input of their own
        return await self.set(events, json_trigger_value=json.dumps([{"event": "text", "value": text}]))

    async def tell(self, component: str, **state: object) -> float:
        """Set the state of a component as its script does, and return the seconds until its fragment has finished."""
        proto, fragment = self.components[component]
        return await self.set(proto.id, fragment, json_value=json.dumps(state))

    async def set(self, widget: str, fragment: str = "", **value: Any) -> float:
        """Give an input a value, as a field of ``WidgetState``, and return the seconds until the run has finished."""
        self._widgets[widget] = WidgetState(id=widget, **value)
        try:
            return await self._rerun(fragment)
        finally:
            if next(iter(value)) in TRIGGERS:
                del self._widgets[widget]

    async def act(self, key: str, **value: Any) -> float:
        """Give a value, as in ``set``, to the input that has this key in our code. KeyError if it is not drawn."""
        widget = self.find(key)
        return await self.set(widget, self.inputs[widget].fragment, **value)

    def find(self, key: str) -> str:
        """Streamlit's id of the input that has this key in our code. KeyError if it is not drawn."""
        for widget in self.inputs:
            if widget.split("-", 2)[2:] == [key]:
                return widget
        raise KeyError(key)

    async def repeat(self, fragment: str) -> float:
        """Run a fragment again, as a browser does by its clock, and return the seconds until it has finished."""
        return await self._rerun(fragment)

    async def go_to(self, page: str, query: str = "") -> float:
        """Open another page in the same session, and return the seconds until it is drawn."""
        self._page, self._query, self._page_hash = page, query, ""
        self._widgets.clear()
        return await self._rerun()

    async def upload(self, widget: str, *files: tuple[str, bytes], fragment: str = "") -> list[int]:
        """Upload files, given by name and content, except refused ones, and return the status of each answer."""
        statuses, state = [], FileUploaderState()
        for name, content in files:
            file_id = str(uuid4())
            statuses.append(await asyncio.to_thread(self.put, file_id, name, content))
            if statuses[-1] == 204:  # accepted
                state.uploaded_file_info.append(UploadedFileInfo(name=name, size=len(content), file_id=file_id))
        await self.set(widget, fragment, file_uploader_state_value=state)
        return statuses

    def put(self, file_id: str, name: str, content: bytes) -> int:
        """Send a file as a browser does before it names the file to the uploader; return the status of the answer."""
        border = uuid4().hex
        quoted = name.encode(errors="replace").decode().replace('"', "%22")
        head = f'--{border}\r\nContent-Disposition: form-data; name="file"; filename="{quoted}"\r\n\r\n'
        headers = {"Cookie": self._cookies, "Content-Type": f"multipart/form-data; boundary={border}"}
        if token := SimpleCookie(self._cookies).get("_streamlit_xsrf"):
            headers["X-Xsrftoken"] = token.value
        request = urllib.request.Request(
            f"{self._url}/_stcore/upload_file/{self.session}/{file_id}",
            b"".join((head.encode(), content, f"\r\n--{border}--\r\n".encode())),
            headers,
            method="PUT",
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    async def send(self, message: BackMsg) -> None:
        """Send any message, without waiting for an answer."""
        await self._connect()
        await self._connection.send(message.SerializeToString())

    async def close(self) -> None:
        if self._connection:
            await self._connection.close()

    async def disconnect(self) -> None:
        """Break the connection; the next action makes another one."""
        await self.close()
        self._connection = None

    async def _rerun(self, fragment: str = "") -> float:
        """Run the page or a fragment, on a new connection if one breaks, and return the seconds."""
        began = time.perf_counter()
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    await self._connect()
                    await self._ask(fragment)
                    return time.perf_counter() - began
                except (OSError, ConnectionClosed, InvalidHandshake):
                    self._connection = None
                    self.broken += 1
                    await asyncio.sleep(RETRY)

    async def _connect(self) -> None:
        """Connect as a browser does: the page and its health, which may set cookies, then the websocket."""
        if self._connection is not None:
            return
        for path in ("", "/_stcore/health"):
            await asyncio.to_thread(self._fetch_cookies, path)
        headers = {"Cookie": self._cookies} if self._cookies else {}
        address = f"ws://{urlsplit(self._url).netloc}/_stcore/stream"
        self._connection = await connect(
            address,
            subprotocols=["streamlit", "none", self.session] if self.session else ["streamlit"],
            origin=self._url,
            additional_headers=headers,
            compression=None,
            max_size=None,
            open_timeout=PATIENCE,
        )

    def _fetch_cookies(self, path: str) -> None:
        """Open a path, and keep the cookies of its answer."""
        headers = {"Cookie": self._cookies} if self._cookies else {}
        request = urllib.request.Request(self._url + path, headers=headers)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            answer.read()
            fresh = [SimpleCookie(line) for line in answer.headers.get_all("Set-Cookie", [])]
        kept = SimpleCookie(self._cookies)
        for cookie in fresh:
            kept.update(cookie)
        self._cookies = "; ".join(f"{name}={cookie.value}" for name, cookie in kept.items())

    async def _ask(self, fragment: str) -> None:
        """Ask for a run, of only one fragment if it is named, and receive its messages until it ends.

        Raises:
            RuntimeError: the page shows an error.
        """
        message = BackMsg()
        request = message.rerun_script
        request.query_string, request.page_name, request.page_script_hash = self._query, self._page, self._page_hash
        request.fragment_id = fragment
        request.widget_states.widgets.extend(self._widgets.values())
        await self._connection.send(message.SerializeToString())
        self.texts = []
        self.inputs = {id: one for id, one in self.inputs.items() if fragment and one.fragment != fragment}
        self.repeats = [one for one in self.repeats if fragment and one != fragment]
        while True:
            answer = ForwardMsg.FromString(await self._connection.recv())
            kind = answer.WhichOneof("type")
            if kind == "script_finished" and answer.script_finished in FINISHED:
                return
            if kind == "new_session":
                self.session = answer.new_session.initialize.session_id
            elif kind == "navigation":
                self._page_hash = answer.navigation.page_script_hash
                self.pages = [page.url_pathname for page in answer.navigation.app_pages]
            elif kind == "auto_rerun":
                self.repeats.append(answer.auto_rerun.fragment_id)
            elif kind == "delta":
                self._take(answer.delta)

    def _take(self, delta: Delta) -> None:
        """Record a change of the screen."""
        kind = delta.WhichOneof("type")
        if kind == "add_block":
            block = delta.add_block
            self._keep(block.WhichOneof("type") or "", block, delta.fragment_id)
        elif kind == "new_element":
            element = delta.new_element
            self._read(element)
            self._keep(element.WhichOneof("type"), element, delta.fragment_id)
            if delta.fragment_id and element.WhichOneof("type") == "bidi_component":
                proto = element.bidi_component
                self.components[proto.component_name] = proto, delta.fragment_id

    def _keep(self, kind: str, holder: Any, fragment: str) -> None:
        """Keep an element that has an id, because it takes values."""
        proto = getattr(holder, kind, None)
        if id := getattr(proto, "id", ""):
            self.inputs[id] = Input(kind, proto, fragment)

    def _read(self, element: Element) -> None:
        """Record the text of an element. RuntimeError if it shows an exception."""
        kind = element.WhichOneof("type")
        if kind == "exception":
            raise RuntimeError(f"the page shows an error: {element.exception.message}")
        if kind in ("markdown", "alert"):
            self.texts.append(getattr(element, kind).body)
        elif kind == "bidi_component":
            self.texts.append(element.bidi_component.json)
            if element.bidi_component.component_name == "routescope_text_box":
                self._text_box = element.bidi_component.id


@asynccontextmanager
async def visit(url: str, page: str = "routing", query: str = "") -> AsyncIterator[Visitor]:
    """A new session on a page of the dashboard at this address, not run yet."""
    visitor = Visitor(url, page, query)
    try:
        yield visitor
    finally:
        await visitor.close()
