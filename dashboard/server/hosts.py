"""The names that this server answers to. A name that its owner does not know may belong to somebody else's page."""

import os
import re
import socket
from fnmatch import fnmatch
from ipaddress import ip_address

from starlette.datastructures import Headers
from streamlit.config import get_option

VARIABLE = "ROUTESCOPE_HOSTS"  # further names, separated by commas; "*.example.org" is every name that ends like this
HOST = re.compile(r"(\[[0-9a-f:.]+\]|[\w.-]+)(:\d+)?", re.ASCII)
REFUSED = f"This server does not answer to this name: its owner can add it to {VARIABLE}."


def is_own(host: str) -> bool:
    """Whether the ``Host`` of a request, with or without a port, is a name of this server.

    A number always is: no page of somebody else can be at the number of this machine.
    """
    match = HOST.fullmatch(host.lower())
    if match is None:
        return False
    name = match[1].strip("[]").rstrip(".")
    try:
        return bool(ip_address(name))
    except ValueError:
        return any(fnmatch(name, pattern) for pattern in _names())


def is_refused(headers: Headers, is_websocket: bool) -> bool:
    """Whether a request is for another server, or opens a websocket from a page of another one.

    Without a ``Host`` it comes from no browser, but from a proxy that asks whether the server is well.
    """
    host, origin = headers.get("host"), headers.get("origin")
    if host is not None and not is_own(host):
        return True
    return (
        is_websocket and origin is not None and _without_port(origin.partition("://")[2]) != _without_port(host or "")
    )


def _without_port(host: str) -> str:
    """The same without the port that browsers leave out."""
    return host.removesuffix(":80").removesuffix(":443")


def _names() -> list[str]:
    names = ["localhost", "*.localhost", socket.gethostname(), *os.environ.get(VARIABLE, "").split(",")]
    names += [get_option("server.address") or "", get_option("browser.serverAddress")]
    return [name.strip().lower() for name in names]
