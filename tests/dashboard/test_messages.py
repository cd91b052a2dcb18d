"""Messages to Streamlit: those that no page sends do not reach it."""

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_cache import populate_hash_if_needed

from dashboard.screen.inputs import MAX_PASTE
from dashboard.server import messages


async def echo(scope, receive, send):
    """Stand in for Streamlit: send every message back."""
    websocket = WebSocket(scope, receive, send)
    await websocket.accept()
    try:
        while True:
            await websocket.send_bytes(await websocket.receive_bytes())
    except WebSocketDisconnect as left:
        await websocket.close(left.code)


def test_no_answer_refers_to_one_that_a_browser_may_have_forgotten():
    large = ForwardMsg()
    large.delta.new_element.markdown.body = "word " * 100_000
    populate_hash_if_needed(large)
    assert not large.metadata.cacheable


def message_with(n_names=0, n_states=0, n_hashes=0):
    """A message with so many names of files, or so many states of widgets and hashes of cached messages."""
    message = BackMsg()
    if n_names:
        message.file_urls_request.file_names.extend([""] * n_names)
    else:
        message.rerun_script.cached_message_hashes.extend([""] * n_hashes)
        for _ in range(n_states):
            message.rerun_script.widget_states.widgets.add()
    return message.SerializeToString()


@pytest.mark.parametrize("entries", ["n_names", "n_states", "n_hashes"])
def test_a_message_with_too_many_entries_is_dropped(monkeypatch, entries):
    monkeypatch.setattr(messages, "MAX_FILES", 3)
    monkeypatch.setattr(messages, "MAX_STATES", 3)
    with TestClient(messages.OwnMessages(echo)).websocket_connect("/") as websocket:
        for n in (4, 3):
            websocket.send_bytes(message_with(**{entries: n}))
        assert websocket.receive_bytes() == message_with(**{entries: 3})  # the message with four entries is dropped


def test_a_message_that_is_too_large_is_not_even_parsed(monkeypatch):
    monkeypatch.setattr(messages, "MAX_MESSAGE", 10)
    monkeypatch.setattr(messages, "is_own", lambda content: len(content) <= 10 or pytest.fail("it was parsed"))
    with TestClient(messages.OwnMessages(echo)).websocket_connect("/") as websocket:
        websocket.send_bytes(bytes(10))
        assert websocket.receive_bytes() == bytes(10)
        websocket.send_bytes(bytes(11))
        with pytest.raises(WebSocketDisconnect) as ended:
            websocket.receive_bytes()
    assert ended.value.code == messages.TOO_LARGE


def test_the_message_of_a_page_with_two_texts_is_accepted():
    message = BackMsg()
    for _ in range(2):
        message.rerun_script.widget_states.widgets.add(string_value="字" * MAX_PASTE)
    assert message.ByteSize() <= messages.MAX_MESSAGE
