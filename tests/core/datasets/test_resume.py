"""python -m core.datasets smallnorb --download, from a server on this machine that may break off."""

import dataclasses
import hashlib
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from core.datasets import CORPORA, smallnorb
from core.datasets import __main__ as command
from core.datasets.corpus import File

CONTENT = {"one.mat.gz": bytes(range(256)) * 500, "two.mat.gz": b"two"}


@pytest.fixture
def server(monkeypatch):
    """A server of CONTENT.

    Attributes:
        asked: requested ranges.
        breaks: number of further answers that stop half-way.
        whole: whether ranges are ignored.
        content: served files by name.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            served.asked.append(self.headers.get("Range"))
            content = served.content[self.path[1:]]
            asked = self.headers.get("Range") or "bytes=0-"
            start = 0 if served.whole else int(asked.removeprefix("bytes=").removesuffix("-"))
            self.send_response(206 if start else 200)
            self.send_header("Content-Length", str(len(content) - start))
            self.end_headers()
            end = (start + len(content)) // 2 if served.breaks else len(content)
            served.breaks = max(0, served.breaks - 1)
            self.wfile.write(content[start:end])

        def log_message(self, *arguments):
            pass

    served = ThreadingHTTPServer(("localhost", 0), Handler)
    served.asked, served.breaks, served.whole, served.content = [], 0, False, dict(CONTENT)
    thread = threading.Thread(target=served.serve_forever)
    thread.start()
    files = {name: File(len(c), hashlib.sha256(c).hexdigest()) for name, c in CONTENT.items()}
    url = f"http://localhost:{served.server_port}/"
    monkeypatch.setitem(CORPORA, "smallnorb", dataclasses.replace(smallnorb.CORPUS, files=files, url=url))
    yield served
    served.shutdown()
    thread.join()
    served.server_close()


def download(tmp_path):
    return command.main(["smallnorb", "--root", str(tmp_path), "--download"])


def written(tmp_path):
    """The downloaded files by name."""
    return {p.name: p.read_bytes() for p in (tmp_path / "smallnorb").iterdir()}


def test_missing_files_are_fetched_once(server, tmp_path):
    assert download(tmp_path) == 0
    assert written(tmp_path) == CONTENT
    assert download(tmp_path) == 0
    assert server.asked == [None, None]


def test_a_broken_download_goes_on_where_it_stopped(server, tmp_path, capsys):
    server.breaks = 1
    assert download(tmp_path) == 2
    assert "core.datasets:" in capsys.readouterr().err
    half = len(CONTENT["one.mat.gz"]) // 2
    assert len(written(tmp_path)["one.mat.gz.part"]) == half
    assert download(tmp_path) == 0
    assert written(tmp_path) == CONTENT
    assert server.asked == [None, f"bytes={half}-", None]


def test_a_server_that_ignores_ranges_is_read_from_the_start(server, tmp_path):
    server.breaks = 1
    assert download(tmp_path) == 2
    server.whole = True
    assert download(tmp_path) == 0
    assert written(tmp_path) == CONTENT


@pytest.mark.parametrize("wrong", [b"xxx", b"two and more"])
def test_a_file_other_than_the_released_one_is_deleted(server, tmp_path, capsys, wrong):
    server.content["two.mat.gz"] = wrong
    assert download(tmp_path) == 2
    assert "is not the released file" in capsys.readouterr().err
    assert written(tmp_path).keys() == {"one.mat.gz"}


def test_a_server_without_http_gives_one_line(tmp_path, monkeypatch, capsys):
    with socket.create_server(("localhost", 0)) as listener:

        def answer():
            connection, _ = listener.accept()
            with connection:
                connection.recv(1 << 16)
                connection.sendall(b"good day\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        url = f"http://localhost:{listener.getsockname()[1]}/"
        monkeypatch.setitem(CORPORA, "smallnorb", dataclasses.replace(smallnorb.CORPUS, url=url))
        assert download(tmp_path) == 2
        thread.join()
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"core.datasets: {url} did not answer")
