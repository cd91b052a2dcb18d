"""The answers that the Lab's picture gets while a part is dragged: those of the page, and within limits."""

import asyncio
import json

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from core.analysis.scenes import MAX_PARTS
from dashboard.pages.lab.parts import STARTS, to_browser
from dashboard.server import lab
from dashboard.server.lab import MAX_BYTES, LabAnswers
from tests.dashboard.app import component, open_app

PATH = "/lab/answer"


@pytest.fixture
def client():
    return TestClient(LabAnswers(PlainTextResponse("page")))


@pytest.fixture
def page():
    """The data that the page gave the browser."""
    app = open_app("lab")
    app.query_params.update({"start": "House", "noise": "0.2", "iterations": "3", "only": "EM"})
    return component(app.run(), "lab")[0]


def message(page, **changes):
    return {"asked": page["asked"], "version": page["version"], "number": 7, "parts": page["parts"]} | changes


def test_the_answer_is_what_the_page_would_draw(client, page):
    answer = client.post(PATH, json=message(page)).json()
    assert answer.pop("answers") == 7
    assert answer.keys() == page.keys() - {"answers", "hidden", "asked", "param"}
    assert answer == json.loads(json.dumps({key: page[key] for key in answer}))


def test_moved_parts_are_routed(client, page):
    moved = client.post(PATH, json=message(page, parts=to_browser(STARTS["Boat"]))).json()
    assert moved["outcomes"][-1]["verdict"] == "EM chooses the boat."


@pytest.mark.parametrize(
    "changes",
    [
        {"parts": []},
        {"parts": [{"kind": "bar", "x": 0, "y": 0, "angle": 0, "size": 1}] * (MAX_PARTS + 1)},
        {"parts": None},
        {"asked": {}},
        {"asked": None},
        {"number": "7"},
        {"number": True},
        {"version": "x" * 41},
        {"version": None},
    ],
)
def test_an_invalid_message_is_refused(client, page, changes):
    assert client.post(PATH, json=message(page, **changes)).status_code == 400


@pytest.mark.parametrize("key", ["noise", "n_iters", "sharpness", "use", "ignore"])
def test_numbers_are_kept_within_their_limits(client, page, key):
    for value in (1e300, -1e300, 0):
        answer = client.post(PATH, json=message(page, asked=page["asked"] | {key: value}))
        assert answer.status_code == 200
        assert len(answer.json()["outcomes"]) <= 10
    content = json.dumps(message(page, asked=page["asked"] | {key: 0})).replace(f'"{key}": 0', f'"{key}": NaN')
    assert client.post(PATH, content=content).status_code == 400


@pytest.mark.parametrize("content", [b"", b"[]", b"null", b"{", b"\xff", b"[" * 5000])
def test_what_is_no_message_is_refused(client, content):
    assert client.post(PATH, content=content).status_code == 400


def test_other_requests_are_refused_or_passed_on(client):
    assert client.get(PATH).status_code == 405
    assert client.post(PATH, content=b" " * (MAX_BYTES + 1)).status_code == 413
    assert client.get("/lab").text == "page"
    assert client.post(f"/base{PATH}", content=b"{}").status_code == 400  # below another base, too


def test_a_message_that_does_not_end_is_refused(monkeypatch):
    monkeypatch.setattr(lab, "PATIENCE", 0.01)
    sent = []

    async def receive():
        await asyncio.sleep(60)

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": f"/{lab.ROUTE}", "headers": []}
    asyncio.run(LabAnswers(PlainTextResponse("page"))(scope, receive, send))
    assert sent[0]["status"] == 408
