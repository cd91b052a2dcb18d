"""``dashboard.serve``: several servers at one address."""

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest

from dashboard import serve
from dashboard.public import VARIABLE
from tests.benchmarks.visitor import visit
from tests.browser.server import ROOT, free_port
from tests.processes import hear_signals, is_running, wait_until

needs_haproxy = pytest.mark.skipif(
    shutil.which("haproxy") is None, reason="HAProxy is not installed: apt-get install haproxy"
)


@pytest.fixture
def own_signals(monkeypatch):
    """Let ``serve`` keep the signal handlers of the test process."""
    monkeypatch.setattr(serve, "SIGNALS", ())


def test_without_haproxy_one_line_says_how_to_install_it(own_signals, monkeypatch, capsys):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert serve.main([]) == 2
    assert capsys.readouterr() == ("", f"dashboard.serve: {serve.MISSING}\n")


@pytest.mark.parametrize("wrong", [["--replicas", "0"], ["--port", "0"], ["--port", "70000"]])
def test_impossible_numbers_are_refused(wrong):
    with pytest.raises(SystemExit):
        serve.main(wrong)


def test_a_port_in_use_is_refused_before_anything_is_started(own_signals, monkeypatch, capsys):
    monkeypatch.setattr(shutil, "which", lambda _: "haproxy")
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert serve.main(["--port", str(port)]) == 2
    refused = f"dashboard.serve: port {port} of localhost cannot be used: Address already in use\n"
    assert capsys.readouterr() == ("", refused)


def test_a_log_that_cannot_be_written_is_refused(own_signals, monkeypatch, capsys):
    monkeypatch.setattr(shutil, "which", lambda _: "haproxy")
    assert serve.main(["--port", str(free_port()), "--log", "/dev/null/log"]) == 2
    refused = "dashboard.serve: the log /dev/null/log cannot be written: Not a directory; --log FILE takes another\n"
    assert capsys.readouterr() == ("", refused)


class Serving:
    """A running ``python -m dashboard.serve``, and its port."""

    def __init__(self, *options, **variables):
        self.port = free_port()
        command = [sys.executable, "-m", "dashboard.serve", "--port", str(self.port), "--log", os.devnull, *options]
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=os.environ | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=hear_signals,
        )
        assert self.line() == f"The servers write to {os.devnull}."

    def line(self):
        """The next line that it prints."""
        return self.process.stdout.readline().rstrip("\n")

    def programs(self, name):
        """The process ids of its children with a name in their command."""
        found = subprocess.run(["pgrep", "-P", str(self.process.pid), "-f", name], capture_output=True, text=True)
        return set(map(int, found.stdout.split()))

    def end(self, number, process=None):
        """Send a signal to it or to another process, and return its exit code, last output and last errors.

        Check that all its programs have ended and that its port is free.
        """
        programs = self.programs(".")
        os.kill(process or self.process.pid, number)
        with self.process:
            try:
                last = self.process.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                self.process.kill()  # otherwise the block would wait for it without end
                raise
        wait_until(lambda: not any(map(is_running, programs)))
        with socket.create_server(("127.0.0.1", self.port)):
            return self.process.returncode, *last


@pytest.fixture
def serving():
    """A function that starts ``dashboard.serve``, which is killed after the test."""
    started = []

    def start(*options, **variables):
        started.append(Serving(*options, **variables))
        return started[-1]

    yield start
    for serving in started:
        serving.process.kill()


@needs_haproxy
def test_users_continue_at_another_server_when_theirs_is_killed(serving):
    server = serving("--replicas", "2")
    assert server.line() == f"Routescope is at http://localhost:{server.port}, with 2 servers."
    assert server.line() == serve.PUBLIC
    before = server.programs("replica")
    assert len(before) == 2
    # In a thread: a browser of another test may have an event loop running in this one.
    with ThreadPoolExecutor() as thread:
        broken = thread.submit(in_loop, f"http://localhost:{server.port}", before).result()
    assert 0 < broken < 4
    wait_until(lambda: len(server.programs("replica")) == 2)
    printed = "Server 1 was killed (SIGKILL). It is started again.\nEnded by SIGTERM.\n"
    assert server.end(signal.SIGTERM) == (0, printed, "")


@needs_haproxy
def test_a_server_below_a_path_ends_when_haproxy_is_killed(serving):
    server = serving("--replicas", "1", STREAMLIT_SERVER_BASE_URL_PATH="demo/", **{VARIABLE: "0"})
    address = f"http://localhost:{server.port}/demo"
    assert server.line() == f"Routescope is at {address}, with 1 server."
    with urllib.request.urlopen(f"{address}/_stcore/health") as answer:
        assert answer.read() == b"ok"
    (haproxy,) = server.programs("haproxy -db")
    assert server.end(signal.SIGKILL, haproxy) == (2, "", "dashboard.serve: HAProxy was killed (SIGKILL)\n")


@needs_haproxy
@pytest.mark.parametrize("name", ["SIGHUP", "SIGINT", "SIGKILL"])
def test_a_signal_during_the_start_leaves_no_program_behind(name, serving):
    server = serving("--replicas", "1")
    wait_until(lambda: server.programs("."))
    number = getattr(signal, name)
    ended = (-number, "", "") if name == "SIGKILL" else (0, f"Ended by {name}.\n", "")
    assert server.end(number) == ended


def test_a_signal_is_remembered_and_ends_the_next_wait(monkeypatch):
    monkeypatch.setattr(serve, "received", [])
    serve._remember(signal.SIGHUP, None)
    with pytest.raises(serve.Ended, match="SIGHUP"):
        serve._wait_for([f"http://127.0.0.1:{free_port()}"], [])


def in_loop(url: str, servers: set[int]) -> int:
    """The result of ``count_broken`` in a new event loop."""
    return asyncio.run(count_broken(url, servers))


async def count_broken(url: str, servers: set[int]) -> int:
    """Kill one of two servers that have four users, and return how many lose their connection; all get an answer."""
    users = [visit(url, "agt") for _ in range(4)]
    visitors = [await user.__aenter__() for user in users]
    for visitor in visitors:
        await visitor.open()
        await visitor.paste("A warm film.")
    os.kill(min(servers), signal.SIGKILL)
    for visitor in visitors:
        await visitor.paste("A dull film.")
        assert any("Final answer" in text for text in visitor.texts)
    for user in users:
        await user.__aexit__(None, None, None)
    return sum(visitor.broken > 0 for visitor in visitors)
