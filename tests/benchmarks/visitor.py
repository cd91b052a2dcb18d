"""A visitor of the running dashboard without a browser: Streamlit's own messages over its websocket."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

PATIENCE = 120  # seconds for one run of a script
LARGEST_MESSAGE = 64 * 2**20  # bytes


class Visitor:
    """One user on one page of the dashboard.

    text_box: the id of the page's text area. texts: everything that the last run wrote as text.
    """

    def __init__(self, connection: ClientConnection, page: str, query: str):
        self._connection, self._page, self._query = connection, page, query
        self._page_hash = ""
        self._widgets: dict[str, WidgetState] = {}
        self.text_box = ""
        self.texts: list[str] = []

    async def open(self) -> float:
        """Run the page for the first time; seconds until its script has finished."""
        return await self._rerun()

    async def paste(self, text: str) -> float:
        """Send a text as Ctrl+Enter does; seconds until the script has finished."""
        self._widgets[self.text_box] = WidgetState(id=self.text_box, string_value=text)
        return await self._rerun()

    async def _rerun(self) -> float:
        message = BackMsg()
        request = message.rerun_script
        request.query_string, request.page_name, request.page_script_hash = self._query, self._page, self._page_hash
        request.widget_states.widgets.extend(self._widgets.values())
        began = time.perf_counter()
        await self._connection.send(message.SerializeToString())
        self.texts = []
        async with asyncio.timeout(PATIENCE):
            while await self._read() not in ("finished", "failed"):
                pass
        return time.perf_counter() - began

    async def _read(self) -> str:
        """Take in one message; "finished" if it ends a run.

        Raises:
            RuntimeError: the script could not be compiled.
        """
        message = ForwardMsg()
        message.ParseFromString(await self._connection.recv())
        kind = message.WhichOneof("type")
        if kind == "navigation":
            self._page_hash = message.navigation.page_script_hash
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self._look_at(message.delta.new_element)
        elif kind == "script_finished":
            if message.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                raise RuntimeError("the page's script cannot be compiled")
            if message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                return "finished"
        return ""

    def _look_at(self, element) -> None:
        kind = element.WhichOneof("type")
        if kind == "exception":
            raise RuntimeError(f"the page shows an error: {element.exception.message}")
        if kind == "text_area":
            self.text_box = element.text_area.id
        if kind == "markdown":
            self.texts.append(element.markdown.body)
        if kind == "alert":
            self.texts.append(element.alert.body)


@asynccontextmanager
async def visit(url: str, page: str = "", query: str = "") -> AsyncIterator[Visitor]:
    """A new session on a page of the dashboard at this address, not run yet."""
    address = f"ws://{urlsplit(url).netloc}/_stcore/stream"
    options = {"subprotocols": ["streamlit"], "max_size": LARGEST_MESSAGE, "origin": url, "compression": None}
    async with connect(address, **options) as connection:
        yield Visitor(connection, page, query)
