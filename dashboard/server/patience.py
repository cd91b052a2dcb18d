"""Closes connections with half a request: uvicorn waits for ever, and Streamlit sets no limit.

The request may have been answered already (a 404, for example) while its rest still trickles in.
"""

import asyncio
from functools import wraps

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 15.0  # seconds, at most doubled, for the head of a request and for its rest after the answer


def limit_waiting() -> None:
    """Watch every connection that uvicorn accepts from now on. Streamlit has no option for the protocol's class."""
    accept = H11Protocol.connection_made

    @wraps(accept)
    def connection_made(connection: H11Protocol, transport: asyncio.Transport) -> None:
        accept(connection, transport)
        _check(connection, None)

    H11Protocol.connection_made = connection_made


def _check(connection: H11Protocol, waited_for: tuple | None) -> None:
    """Close a connection that still waits for the same request as in the last check; otherwise check again later.

    Args:
        connection: connection to check.
        waited_for: request that the last check found the connection waiting for, and its state; None if there was none.
    """
    transport = connection.transport
    if transport.is_closing() or transport.get_protocol() is not connection:  # it has become a websocket
        return
    state, cycle = connection.conn.their_state, connection.cycle
    waits = state is h11.IDLE or (state is h11.SEND_BODY and cycle.response_complete)
    waits_for = (cycle, state) if waits else None
    if waits_for is not None and waits_for == waited_for:
        transport.close()
    else:
        connection.loop.call_later(PATIENCE, _check, connection, waits_for)
