"""The host names that this server answers to. An unknown name may belong to somebody else's page."""

import os
import re
import socket
from collections.abc import Iterable
from fnmatch import fnmatch
from ipaddress import ip_address

from starlette.datastructures import Headers
from streamlit.config import get_option

VARIABLE = "ROUTESCOPE_HOSTS"  # more names, separated by commas; "*.example.org" is every name with this end
HOST = re.compile(r"(\[[0-9a-f:.]+\]|[\w.-]+)(:\d+)?", re.ASCII)  # a name or an address, and a port
REFUSED = f"This server does not answer to this name: its owner can add it to {VARIABLE}."


def is_own(host: str) -> bool:
    """Whether the ``Host`` of a request, with or without a port, is a name of this server.

    An IP address always is: no page of somebody else can be at the address of this machine.
    """
    match = HOST.fullmatch(host.lower())
    if match is None:
        return False
    name = match[1].strip("[]").rstrip(".")
    try:
        ip_address(name)
    except ValueError:
        return _is_among(host, _names())
    return True


def is_refused(headers: Headers, is_websocket: bool) -> bool:
    """Whether a request is for another server, or opens a websocket from another server's page.

    A request without a ``Host`` is a proxy's health check, because browsers always send one.
    """
    host, origin = headers.get("host"), headers.get("origin")
    if host is not None and not is_own(host):
        return True
    if not is_websocket or origin is None:
        return False
    origin_host = origin.partition("://")[2]
    return _without_port(origin_host) != _without_port(host or "") and not _is_among(origin_host, _names_by_owner())


def _is_among(host: str, patterns: Iterable[str]) -> bool:
    """Whether the name in a host, with or without a port, matches one of the patterns."""
    match = HOST.fullmatch(host.lower())
    return match is not None and any(fnmatch(match[1].rstrip("."), pattern) for pattern in patterns)


def _without_port(host: str) -> str:
    """The host without a default port, which browsers leave out."""
    return host.removesuffix(":80").removesuffix(":443")


def _names() -> list[str]:
    """The patterns of all names of this server."""
    machine = socket.gethostname()
    in_local_network = f"{machine.partition('.')[0]}.local"
    names = ["localhost", "*.localhost", machine, in_local_network]
    names += [get_option("server.address") or "", get_option("browser.serverAddress")]
    return [*_cleaned(names), *_names_by_owner()]


def _names_by_owner() -> list[str]:
    """The names in ``VARIABLE``. A proxy may pass on one of them as the origin, and its own name as the host."""
    return _cleaned(os.environ.get(VARIABLE, "").split(","))


def _cleaned(names: Iterable[str]) -> list[str]:
    """The names in lower case, without blanks around them and without empty ones."""
    return [name.strip().lower() for name in names if name.strip()]
