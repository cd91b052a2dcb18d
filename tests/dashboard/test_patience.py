"""Half a request does not hold a connection for ever."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import uvicorn
from starlette.responses import PlainTextResponse
from uvicorn.protocols.http.h11_impl import H11Protocol

from dashboard.server import patience


def test_half_a_request_is_ended_and_a_whole_one_answered(monkeypatch):
    monkeypatch.setattr(H11Protocol, "connection_made", H11Protocol.connection_made)  # as it was, after the test
    monkeypatch.setattr(patience, "PATIENCE", 0.1)
    patience.limit_waiting()
    with ThreadPoolExecutor() as thread:  # a browser of another test may have an event loop running in this one
        thread.submit(asyncio.run, _ask(b"GET / HTTP/1.1\r\nHost: localhost\r\n")).result()


async def _ask(half):
    config = uvicorn.Config(PlainTextResponse("a page"), port=0, http="h11", lifespan="off", log_level="error")
    config.load()
    state = uvicorn.Server(config).server_state
    make = lambda: H11Protocol(config=config, server_state=state, app_state={})  # noqa: E731
    async with await asyncio.get_running_loop().create_server(make, "localhost", 0) as server, asyncio.timeout(60):
        address = server.sockets[0].getsockname()[:2]
        for sent in (half, half + b"\r\n" + half):  # the second: half a request after a whole one
            reader, writer = await asyncio.open_connection(*address)
            writer.write(sent)
            answer = await reader.read()  # until the server ends the connection
            assert answer.endswith(b"a page") == (sent != half)
            writer.close()
        assert not state.connections
