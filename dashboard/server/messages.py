"""Drops browser messages that concern more than the sender's own session, or exceed limits."""

from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from dashboard.sessions.uploads import MB

OWN = {"rerun_script", "stop_script", "file_urls_request", "app_heartbeat"}  # clear_cache would affect all sessions
OPERATIONS = {"deferred_file", "dataframe_chunk"}  # allowed backend_operation_requests; others write to the disk
MAX_MESSAGE = 8 * MB  # bytes; Compare sends two pasted texts and notes, with up to three bytes per character
MAX_FILES, MAX_STATES = 1_000, 10_000  # per message; our largest page has some hundred widgets
NOT_BINARY, TOO_LARGE = 1003, 1009  # websocket codes for a message of the wrong kind, and for a large one


class OwnMessages:
    """ASGI middleware that drops messages that our pages never send.

    It closes a connection that sends text or a message that is too large.

    Args:
        app: next ASGI application.
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
                if len(message["bytes"]) > MAX_MESSAGE:  # even parsing it would keep everybody waiting
                    return {"type": "websocket.disconnect", "code": TOO_LARGE}
                if is_own(message["bytes"]):
                    return message

        await self._app(scope, receive_own, send)


def is_own(content: bytes) -> bool:
    """Whether a message concerns only its sender's session and stays within the limits.

    Bytes that are not a message count as own, because Streamlit itself refuses them.
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
