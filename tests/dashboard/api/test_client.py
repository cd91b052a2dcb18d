"""The client of Python, and the examples of the README, against a running server."""

import doctest
import json
import re
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from core import Client, Trace, client, cuts, explain, explain_many, zoo
from core.edits import DropCapsule
from tests.browser.server import dashboard
from tests.imports import ROOT

SENTENCE = "A warm, funny and deeply moving film."
README = (ROOT / "dashboard/README.md").read_text(encoding="utf-8")
SECTION = README.split("\n## For programs\n")[1].split("\n## ")[0]


@pytest.fixture(scope="module")
def url():
    """The address of a running dashboard."""
    with dashboard() as server:
        yield server.url


def example(language, url):
    """The example of the README in a language, for this server."""
    (block,) = re.findall(rf"```{language}\n(.*?)```", SECTION, re.DOTALL)
    return block.replace("http://localhost:8501", url)


def test_the_client_returns_what_core_returns(url):
    network, remote = zoo.load("dragg-sst5", "cpu"), Client(f"{url}/")
    assert remote.explain("dragg-sst5", SENTENCE) == explain(network, SENTENCE)
    edits = [DropCapsule(0), "drop:warm"]
    assert remote.explain("dragg-sst5", SENTENCE, 2, edits) == explain(network, SENTENCE, 2, edits)
    assert np.array_equal(remote.cuts("dragg-sst5", SENTENCE), cuts(network, SENTENCE))
    assert "dragg-sst5" in {model["network"] for model in remote.models()}


def test_the_client_runs_many_texts(url, monkeypatch):
    monkeypatch.setattr(client, "MAX_TEXTS", 3)
    texts = ["A warm film.", " ", "Dull.", SENTENCE]
    here = list(explain_many(zoo.load("dragg-sst5", "cpu"), texts))
    there = list(Client(url).explain_many("dragg-sst5", iter(texts)))
    assert [type(run) for run in there] == [type(run) for run in here]
    assert str(there[1]) == str(here[1])
    for one, other in zip(there, here, strict=True):
        if isinstance(other, Trace):
            np.testing.assert_allclose(one.probabilities, other.probabilities, atol=1e-5)
    with pytest.raises(TypeError, match="takes a list of texts"):
        next(Client(url).explain_many("dragg-sst5", SENTENCE))


def test_the_client_says_why_a_request_is_refused(url):
    with pytest.raises(ValueError, match=r"^There is no network 'none'\."):
        Client(url).explain("none", SENTENCE)
    with pytest.raises(ValueError, match=r"^There is no network 'none'\."):
        next(Client(url).explain_many("none", [SENTENCE]))
    with pytest.raises(RuntimeError, match=r"^The server answered with status 404\.$"):
        Client(f"{url}/elsewhere").models()


def test_the_examples_of_the_readme_run(url):
    done = subprocess.run(["sh", "-ec", example("sh", url)], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["answer"] == "very positive"
    test = doctest.DocTestParser().get_doctest(example("python", url), {}, "README", None, 0)
    assert len(test.examples) > 5
    assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize("url", ["localhost:8501", "file:///etc/passwd", "ftp://localhost"])
def test_an_address_without_http_is_refused(url):
    with pytest.raises(ValueError, match="wanted http"):
        Client(url)


def test_a_server_that_is_missing_or_another_is_named(tmp_path):
    with pytest.raises(RuntimeError, match=r"^There is no answer from http://localhost:1: "):
        Client("http://localhost:1").models()
    for content in (b"<html>", b"[]", b'{"about": {}}\n'):
        with answering([(200, content)]) as url, pytest.raises(RuntimeError, match="does not answer as a dashboard"):
            list(Client(url).explain_many("dragg-sst5", [SENTENCE]))


def test_the_client_asks_again_when_a_busy_server_says(monkeypatch):
    waited = []
    monkeypatch.setattr(client.time, "sleep", waited.append)
    busy = (429, b'{"error": "Ask again."}')
    with answering([busy, busy, (200, b'{"models": [1]}')]) as url:
        assert Client(url).models() == [1]
    assert waited == [7.0, 7.0]
    with answering([busy]) as url, pytest.raises(RuntimeError, match=r"^Ask again\.$"):
        Client(url, patience=5).models()


class answering:
    """A server that gives these answers, one after another; the block gets its address."""

    def __init__(self, answers):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                status, content = answers.pop(0)
                self.send_response(status)
                self.send_header("Content-Length", str(len(content)))
                self.send_header("Retry-After", "7")
                self.end_headers()
                self.wfile.write(content)

            do_POST = do_GET

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return f"http://127.0.0.1:{self._server.server_port}"

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
