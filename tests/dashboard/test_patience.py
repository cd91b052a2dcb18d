"""Half a request does not hold a connection for ever."""

import asyncio
from contextlib import suppress

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from uvicorn.protocols.http.h11_impl import H11Protocol

from dashboard.server import patience
from tests.dashboard.coroutines import run_coroutine


async def _send_halves(address):
    """Send half a request, then a whole one and a half; each time, the server ends the connection."""
    half = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
    for sent in (half, half + b"\r\n" + half):
        reader, writer = await asyncio.open_connection(*address)
        writer.write(sent)
        answer = await reader.read()  # until the server ends the connection
        assert answer.endswith(b"a page") == (sent != half)
        writer.close()


async def _trickle(address):
    """Send the body of a request byte by byte until the server ends the connection."""
    reader, writer = await asyncio.open_connection(*address)
    writer.write(b"PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n")
    assert b"a page" in await reader.readuntil(b"a page")
    with suppress(ConnectionError):
        while not reader.at_eof():
            writer.write(b".")
            await writer.drain()
            await asyncio.sleep(0.01)
    writer.close()


@pytest.mark.parametrize("ask", [_send_halves, _trickle])
def test_half_a_request_is_ended_and_a_whole_one_answered(monkeypatch, ask):
    monkeypatch.setattr(H11Protocol, "connection_made", H11Protocol.connection_made)  # restored at the end
    monkeypatch.setattr(patience, "PATIENCE", 0.1)
    patience.limit_waiting()
    run_coroutine(_serve, ask)


async def _serve(ask):
    """Serve a page while a client asks, and check that no connection is left."""
    config = uvicorn.Config(PlainTextResponse("a page"), port=0, http="h11", lifespan="off", log_level="error")
    config.load()
    state = uvicorn.Server(config).server_state
    make = lambda: H11Protocol(config=config, server_state=state, app_state={})  # noqa: E731
    async with await asyncio.get_running_loop().create_server(make, "localhost", 0) as server, asyncio.timeout(60):
        await ask(server.sockets[0].getsockname()[:2])
        assert not state.connections
