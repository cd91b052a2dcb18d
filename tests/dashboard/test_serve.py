"""Several servers at one address."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest

from dashboard import serve
from tests.benchmarks.visitor import visit
from tests.browser.server import ROOT, free_port


def test_without_haproxy_one_line_says_how_to_have_it(monkeypatch, capsys):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert serve.main([]) == 2
    assert capsys.readouterr().err == f"dashboard.serve: {serve.MISSING}\n"


def test_no_server_is_refused():
    with pytest.raises(SystemExit):
        serve.main(["--replicas", "0"])


def test_a_server_that_ends_again_and_again_is_not_started_again(monkeypatch):
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: ENDED)
    replica = serve.Replica(1, "secret")
    for _ in range(serve.TRIES - 1):
        replica.keep_alive()
    with pytest.raises(RuntimeError, match="ended 3 times running"):
        replica.keep_alive()


class ENDED:
    """A process that is over."""

    returncode = 1
    poll = staticmethod(lambda: 1)


def servers_of(supervisor: int) -> set[int]:
    """The processes of the servers."""
    actual = subprocess.run(["pgrep", "-P", str(supervisor), "-f", "streamlit run"], capture_output=True, text=True)
    return {int(pid) for pid in actual.stdout.split()}


@pytest.mark.skipif(shutil.which("haproxy") is None, reason="HAProxy is not installed: apt-get install haproxy")
def test_users_stay_at_their_server_and_go_on_at_another_when_it_dies():
    port = free_port()
    command = [sys.executable, "-m", "dashboard.serve", "--replicas", "2", "--port", str(port)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == f"Routescope is at http://localhost:{port}, with 2 servers.\n"
            before = servers_of(process.pid)
            assert len(before) == 2
            # In a thread: a browser of another test may have an event loop running in this one.
            with ThreadPoolExecutor() as thread:
                broken = thread.submit(in_loop, f"http://localhost:{port}", before).result()
            assert 0 < broken < 4
            deadline = time.monotonic() + 60
            while len(servers_of(process.pid)) < 2:
                assert time.monotonic() < deadline
                time.sleep(0.1)
        finally:
            process.terminate()
        assert process.wait(60) == 0
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(f"http://localhost:{port}", timeout=5)


@pytest.mark.skipif(shutil.which("haproxy") is None, reason="HAProxy is not installed: apt-get install haproxy")
def test_a_server_below_a_path(monkeypatch):
    monkeypatch.setenv("STREAMLIT_SERVER_BASE_URL_PATH", "demo/")
    port = free_port()
    command = [sys.executable, "-m", "dashboard.serve", "--replicas", "1", "--port", str(port)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            address = f"http://localhost:{port}/demo"
            assert process.stdout.readline() == f"Routescope is at {address}, with 1 server.\n"
            assert answer_of(f"{address}/_stcore/health") == b"ok"
        finally:
            process.terminate()
        assert process.wait(60) == 0


def answer_of(url: str) -> bytes:
    """What is answered there, as soon as HAProxy has found its servers."""
    deadline = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(url, timeout=30) as answer:
                return answer.read()
        except OSError:
            assert time.monotonic() < deadline
            time.sleep(0.1)


def in_loop(url: str, servers: set[int]) -> int:
    return asyncio.run(pasted_around_a_death(url, servers))


async def pasted_around_a_death(url: str, servers: set[int]) -> int:
    """How many of four users lose their connection when one of two servers is killed; all of them get their answer."""
    users = [visit(url, "agt") for _ in range(4)]
    visitors = [await user.__aenter__() for user in users]
    for visitor in visitors:
        await visitor.open()
        await visitor.paste("A warm film.")
    os.kill(min(servers), signal.SIGKILL)
    for visitor in visitors:
        await visitor.paste("A dull film.")
        assert any("agt-sst5" in text.replace("\\", "") for text in visitor.texts)
    for user in users:
        await user.__aexit__(None, None, None)
    return sum(visitor.broken > 0 for visitor in visitors)
