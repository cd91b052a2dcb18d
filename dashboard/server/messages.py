"""Which messages of a browser reach Streamlit: those that concern its own session alone, within limits."""

from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from dashboard.sessions.uploads import MB

OWN = {"rerun_script", "stop_script", "file_urls_request", "app_heartbeat"}  # clear_cache would clear everybody's
OPERATIONS = {"deferred_file", "dataframe_chunk"}  # of backend_operation_request; the others write to the server's disk
MAX_MESSAGE = 8 * MB  # of a message: the page Compare sends two pastes and its notes, at most three bytes a character
MAX_FILES, MAX_STATES = 1_000, 10_000  # that a message names; our largest page has some hundred widgets
NOT_BINARY, TOO_LARGE = 1003, 1009  # the websocket's codes for a message of a wrong kind, and for one too large


class OwnMessages:
    """ASGI middleware that drops what a visitor's browser has no reason to send.

    It ends a connection that sends text, or a message that is too large.

    Args:
        app: the next ASGI application.
    """

    def __init__(self, app: ASGIApp):
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return

        async def receive_own() -> Message:
            while True:
                message = await receive()
                if message["type"] != "websocket.receive":
                    return message
                if message.get("bytes") is None:
                    return {"type": "websocket.disconnect", "code": NOT_BINARY}
                if len(message["bytes"]) > MAX_MESSAGE:  # even to parse it would keep everybody waiting
                    return {"type": "websocket.disconnect", "code": TOO_LARGE}
                if is_own(message["bytes"]):
                    return message

        await self._app(scope, receive_own, send)


def is_own(content: bytes) -> bool:
    """Whether a message concerns its sender's session alone and names no more than a page of ours does.

    Streamlit itself refuses what is no message.
    """
    message = BackMsg()
    try:
        message.ParseFromString(content)
    except DecodeError:
        return True
    kind = message.WhichOneof("type")
    if kind == "backend_operation_request":
        return message.backend_operation_request.WhichOneof("payload") in OPERATIONS
    asked, names = message.rerun_script, message.file_urls_request.file_names
    n_states = max(len(asked.widget_states.widgets), len(asked.cached_message_hashes))
    return kind in OWN and len(names) <= MAX_FILES and n_states <= MAX_STATES
