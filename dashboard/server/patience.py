"""Ends connections on which half a request came: uvicorn waits for ever, and Streamlit sets it no limit.

The half may be answered already, as one for a path that leads nowhere is, while the rest still trickles in.
"""

import asyncio
from functools import wraps

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 15.0  # seconds for the head of a request, and for its rest once it is answered, or up to twice that


def limit_waiting() -> None:
    """Look after every connection that uvicorn accepts from now on, whose class Streamlit lets nobody choose."""
    made = H11Protocol.connection_made

    @wraps(made)
    def connection_made(connection: H11Protocol, transport: asyncio.Transport) -> None:
        made(connection, transport)
        _look(connection, None)

    H11Protocol.connection_made = connection_made


def _look(connection: H11Protocol, before: tuple | None) -> None:
    """Close a connection that waits for the same request as at the look before; otherwise look again."""
    transport = connection.transport
    if transport.is_closing() or transport.get_protocol() is not connection:  # it is a websocket by now
        return
    state, cycle = connection.conn.their_state, connection.cycle
    waits = state is h11.IDLE or (state is h11.SEND_BODY and cycle.response_complete)
    waits_after = (cycle, state) if waits else None
    if waits_after is not None and waits_after == before:
        transport.close()
    else:
        connection.loop.call_later(PATIENCE, _look, connection, waits_after)
