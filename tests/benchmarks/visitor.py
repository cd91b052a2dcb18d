"""A visitor of the running dashboard without a browser: Streamlit's own messages over its websocket."""

import asyncio
import json
import time
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http.cookies import SimpleCookie
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.BidiComponent_pb2 import BidiComponent
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

PATIENCE = 120  # seconds for one run of a script
FINISHED = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
AGAIN = 0.2  # seconds between two tries to connect


class Visitor:
    """One user on one page of the dashboard, who connects again where a connection breaks.

    texts: what the last run wrote as text or handed to a component. broken: how often a connection broke.
    components: the last message to each component that was drawn in a fragment, by name.
    """

    def __init__(self, url: str, page: str, query: str):
        self.texts: list[str] = []
        self.broken = 0
        self.components: dict[str, tuple[BidiComponent, str]] = {}
        self._url, self._page, self._query = url, page, query
        self._page_hash, self._text_box, self._cookies = "", "", ""
        self._widgets: dict[str, WidgetState] = {}
        self._connection: ClientConnection | None = None

    async def open(self) -> float:
        """Run the page for the first time; seconds until its script has finished."""
        return await self._rerun()

    async def paste(self, text: str) -> float:
        """Send a text as Ctrl+Enter does; seconds until the script has finished."""
        self._widgets["text"] = WidgetState(id=self._text_box, string_value=text)
        return await self._rerun()

    async def tell(self, component: str, **state: object) -> float:
        """Set the state of a component as its script does; seconds until its fragment has finished."""
        proto, fragment = self.components[component]
        self._widgets[component] = WidgetState(id=proto.id, json_value=json.dumps(state))
        return await self._rerun(fragment)

    async def close(self) -> None:
        if self._connection:
            await self._connection.close()

    async def _rerun(self, fragment: str = "") -> float:
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
                    await asyncio.sleep(AGAIN)

    async def _connect(self) -> None:
        """As a browser: the page first, which may set cookies, then the websocket."""
        if self._connection is not None:
            return
        self._cookies = await asyncio.to_thread(self._fetch_cookies)
        headers = {"Cookie": self._cookies} if self._cookies else {}
        address = f"ws://{urlsplit(self._url).netloc}/_stcore/stream"
        self._connection = await connect(
            address,
            subprotocols=["streamlit"],
            origin=self._url,
            additional_headers=headers,
            compression=None,
            max_size=None,
            open_timeout=PATIENCE,
        )

    def _fetch_cookies(self) -> str:
        request = urllib.request.Request(self._url, headers={"Cookie": self._cookies} if self._cookies else {})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            answer.read()
            fresh = SimpleCookie(answer.headers.get("Set-Cookie", ""))
        kept = SimpleCookie(self._cookies)
        kept.update(fresh)
        return "; ".join(f"{name}={cookie.value}" for name, cookie in kept.items())

    async def _ask(self, fragment: str) -> None:
        """Ask for a run, of a fragment alone if one is named, and take in what it sends until it ends.

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
        answer = ForwardMsg()
        while True:
            answer.ParseFromString(await self._connection.recv())
            kind = answer.WhichOneof("type")
            if kind == "script_finished" and answer.script_finished in FINISHED:
                return
            if kind == "navigation":
                self._page_hash = answer.navigation.page_script_hash
            elif kind == "delta" and answer.delta.WhichOneof("type") == "new_element":
                self._look_at(answer.delta.new_element)
                if answer.delta.fragment_id and answer.delta.new_element.WhichOneof("type") == "bidi_component":
                    proto = answer.delta.new_element.bidi_component
                    self.components[proto.component_name] = proto, answer.delta.fragment_id

    def _look_at(self, element: Element) -> None:
        kind = element.WhichOneof("type")
        if kind == "exception":
            raise RuntimeError(f"the page shows an error: {element.exception.message}")
        if kind == "text_area":
            self._text_box = element.text_area.id
        elif kind in ("markdown", "alert"):
            self.texts.append(getattr(element, kind).body)
        elif kind == "bidi_component":
            self.texts.append(element.bidi_component.json)


@asynccontextmanager
async def visit(url: str, page: str = "", query: str = "") -> AsyncIterator[Visitor]:
    """A new session on a page of the dashboard at this address, not run yet."""
    visitor = Visitor(url, page, query)
    try:
        yield visitor
    finally:
        await visitor.close()
