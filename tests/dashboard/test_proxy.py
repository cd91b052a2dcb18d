"""HAProxy with our configuration, in front of a server that echoes requests."""

import shutil
import socket
import subprocess
import urllib.request
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.error import HTTPError
from urllib.request import Request

import pytest

from dashboard.server import proxy
from tests.processes import wait_until


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_port_that_another_program_has_is_refused(host):
    with other_program(host) as port, pytest.raises(RuntimeError, match=r"^port .* cannot be used: Address already in"):
        proxy.listen("localhost", port)
    for opened in proxy.listen("localhost", port):
        opened.close()


@contextmanager
def other_program(host):
    """Listen at a port as HAProxy does, which lets other programs listen there too, and yield the port."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        held.bind((host, 0))
        held.listen()
        yield held.getsockname()[1]


@pytest.mark.parametrize("address", ["192.0.2.1", "nowhere.invalid"])
def test_an_address_that_this_machine_does_not_have_is_refused(address):
    with pytest.raises(RuntimeError, match=f"^port 1 of {address} cannot be used: "):
        proxy.listen(address, 1)


def test_an_address_of_ipv6_is_written_in_brackets():
    assert proxy.address_of("::1", 80) == "http://[::1]:80"
    assert proxy.address_of("localhost", 80) == "http://localhost:80"


class HostEcho(BaseHTTPRequestHandler):
    """A handler that answers with the requested host name, or at /address with the asker's, and sets a cookie."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Set-Cookie", "own=1; Path=/")
        self.end_headers()
        values = self.headers.get_all("X-Forwarded-For" if self.path == "/address" else "Host")
        self.wfile.write(", ".join(values).encode())

    def log_message(self, *_):
        """Write nothing."""


@pytest.fixture(scope="module")
def front(tmp_path_factory):
    """The port of a running HAProxy."""
    if (haproxy := shutil.which("haproxy")) is None:
        pytest.skip("HAProxy is not installed: apt-get install haproxy")
    with ThreadingHTTPServer(("127.0.0.1", 0), HostEcho) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        sockets = proxy.listen("127.0.0.1", 0)
        file = tmp_path_factory.mktemp("proxy") / "haproxy.cfg"
        file.write_text(proxy.config(sockets, [server.server_port]).replace("http-request 10s", "http-request 3s"))
        with subprocess.Popen([haproxy, "-q", "-db", "-f", file], pass_fds=[s.fileno() for s in sockets]) as process:
            port = sockets[0].getsockname()[1]
            for opened in sockets:
                opened.close()
            wait_until(lambda: ask(port, "/")[0] == 200)
            yield port
            process.terminate()
        server.shutdown()


def ask(port, path, **headers):
    """The status, the body and the cookies of an answer."""
    try:
        with urllib.request.urlopen(Request(f"http://127.0.0.1:{port}{path}", headers=headers)) as answer:
            return answer.status, answer.read().decode(), answer.headers.get_all("Set-Cookie")
    except HTTPError as error:
        with error:
            return error.code, "", []


def test_the_cookie_stays_on_this_site_and_is_secure_behind_tls(front):
    cookie = "routescope_replica=1; path=/; HttpOnly; SameSite=Lax"
    assert ask(front, "/")[2] == ["own=1; Path=/", cookie]
    behind_tls = {"X-Forwarded-Proto": "https"}
    assert ask(front, "/", **behind_tls)[2] == ["own=1; Path=/", f"{cookie}; Secure"]


def test_the_server_learns_the_host_that_the_browser_asked_for(front):
    assert ask(front, "/", Host="routescope.example")[1] == "routescope.example"


def test_the_server_learns_the_address_that_asks_whatever_it_claims(front):
    assert ask(front, "/address")[1] == "127.0.0.1"
    assert ask(front, "/address", **{"X-Forwarded-For": "192.0.2.1"})[1] == "192.0.2.1, 127.0.0.1"  # the last counts


@pytest.mark.parametrize(
    "path", ["/_stcore/metrics", "//_stcore/metrics?x", "/%5Fstcore/metrics", "/demo/_stcore/metrics"]
)
def test_visitors_get_no_metrics(front, path):
    assert ask(front, path)[0] == 404


def test_an_unfinished_request_is_ended(front):
    with socket.create_connection(("127.0.0.1", front)) as half:
        half.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nA: ")
        assert half.recv(100).startswith(b"HTTP/1.1 408 ")
