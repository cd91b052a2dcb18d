"""Which messages of a browser reach Streamlit: those that concern its own session alone."""

from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

OWN = {"rerun_script", "stop_script", "file_urls_request", "app_heartbeat"}  # clear_cache would clear everybody's
OPERATIONS = {"deferred_file", "dataframe_chunk"}  # of backend_operation_request; the others write to the server's disk
NOT_BINARY = 1003  # the websocket's code for a message of a wrong kind


class OwnMessages:
    """ASGI middleware that drops what a visitor's browser has no reason to send, and ends a connection that sends text.

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
                if is_own(message["bytes"]):
                    return message

        await self._app(scope, receive_own, send)


def is_own(content: bytes) -> bool:
    """Whether a message concerns its sender's session alone. Streamlit itself refuses what is no message."""
    message = BackMsg()
    try:
        message.ParseFromString(content)
    except DecodeError:
        return True
    kind = message.WhichOneof("type")
    if kind == "backend_operation_request":
        return message.backend_operation_request.WhichOneof("payload") in OPERATIONS
    return kind in OWN
