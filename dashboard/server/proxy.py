"""HAProxy in front of the servers: its sockets and its configuration."""

import errno
import os
import socket
from collections.abc import Iterable

from streamlit.config import get_option

LOCALHOST = ("127.0.0.1", "::1")  # browsers try both; some machines have no IPv6
CONFIG = """
global
    maxconn 4096
defaults
    mode http
    option redispatch
    # Servers read the address of whoever asks from this header, and count the work that is done for it.
    option forwardfor
    retries 3
    timeout connect 5s
    timeout check 10s
    timeout http-request 10s
    timeout client 1m
    timeout server 5m
    timeout tunnel 24h
frontend dashboard
{binds}
    # Streamlit's figures name functions of the program and count its users.
    http-request deny deny_status 404 if {{ path,url_dec -m sub _stcore/metrics }}
    # Whoever ends TLS says so in this header; the cookie then never travels without it.
    http-request set-var(txn.tls) bool(true) if {{ req.hdr(X-Forwarded-Proto) -i https }}
    http-after-response replace-header Set-Cookie (routescope_replica=.*) "\\1; Secure" if {{ var(txn.tls) -m bool }}
    default_backend replicas
backend replicas
    balance leastconn
    cookie routescope_replica insert indirect nocache httponly attr "SameSite=Lax"
    option httpchk
    http-check send meth GET uri {health} ver HTTP/1.1 hdr Host localhost
    # A server that has ended refuses at once; one that is busy answers late, and keeps its users.
    default-server check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
{servers}
"""


def listen(address: str, port: int) -> list[socket.socket]:
    """Open the port of an address for IPv4 and IPv6. No other program can use it while the sockets are open.

    Raises:
        RuntimeError: another program has the port, or this machine does not have the address.
    """
    opened: list[socket.socket] = []
    reason = ""
    for host in LOCALHOST if address == "localhost" else [address]:
        try:
            for family, *_, socket_address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
                opened.append(socket.create_server(socket_address, family=family))
        except socket.gaierror as error:
            reason = error.strerror
        except OSError as error:
            reason = os.strerror(error.errno)
            if error.errno == errno.EADDRINUSE:
                while opened:
                    opened.pop().close()
                break
    if not opened:
        raise RuntimeError(f"port {port} of {address} cannot be used: {reason}")
    return opened


def config(sockets: Iterable[socket.socket], ports: Iterable[int]) -> str:
    """HAProxy's configuration.

    Args:
        sockets: listening sockets that HAProxy inherits.
        ports: ports of the servers.
    """
    binds = "\n".join(f"    bind fd@{opened.fileno()}" for opened in sockets)
    servers = "\n".join(f"    server replica{k} 127.0.0.1:{port} cookie {k}" for k, port in enumerate(ports, 1))
    return CONFIG.format(binds=binds, health=health_path(), servers=servers)


def base_path() -> str:
    """The path before all addresses of the dashboard, such as "/demo"; "" unless it is configured."""
    path = os.environ.get("STREAMLIT_SERVER_BASE_URL_PATH") or get_option("server.baseUrlPath")
    return f"/{path.strip('/')}".rstrip("/")


def health_path() -> str:
    """The path of a server's health check."""
    return f"{base_path()}/_stcore/health"


def address_of(address: str, port: int) -> str:
    """The URL of an address and a port."""
    return f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"
