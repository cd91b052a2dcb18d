"""The routes for programs: their answers, what they refuse, and their limits."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from core import Trace, __version__, cuts, explain, zoo
from dashboard.public import VARIABLE
from dashboard.runs import checkpoints, programs
from dashboard.server.api import limits, operations, routes
from dashboard.server.api.routes import Programs
from dashboard.server.front import Front
from dashboard.server.paths import NOT_FOUND
from dashboard.sessions.models import session_models

SENTENCE = "A warm, funny and deeply moving film."
HERE = "http://localhost:8501"
NETWORKS = ["dragg-sst5", "cccaps-ag", "agt-sst5", "em-sst5", "drnn-ag", "dragg-imdb"]  # one of each kind
ASKED = {"network": "dragg-sst5", "text": SENTENCE}
POSTS = ["explain", "cuts", "batch"]


@pytest.fixture
def client():
    return TestClient(Front(Programs(PlainTextResponse("page"))), HERE)


@pytest.fixture
def public(monkeypatch):
    monkeypatch.setenv(VARIABLE, "1")


@pytest.fixture(scope="module")
def network():
    return zoo.load("dragg-sst5", "cpu")


def refusal(answer):
    """The status and the sentence of a refusal."""
    assert answer.headers["content-type"] == "application/json"
    (sentence,) = answer.json().values()
    return answer.status_code, sentence


@pytest.mark.parametrize("name", NETWORKS)
def test_an_answer_has_the_trace_of_explain(client, name):
    edits = ["drop:0"]
    answer = client.post("/api/explain", json={"network": name, "text": SENTENCE, "edits": edits}).json()
    expected = explain(zoo.load(name, "cpu"), SENTENCE, edits=edits)
    assert Trace.from_stored(answer["trace"]) == expected
    assert answer["answer"] == expected.answer


def test_every_answer_says_what_network_it_is_from(client):
    batch = {"network": "dragg-sst5", "texts": [SENTENCE]}
    answers = [client.post(f"/api/{path}", json=ASKED).json() for path in ("explain", "cuts")]
    answers += [json.loads(client.post("/api/batch", json=batch).text.splitlines()[0])]
    facts = [answer["about"] for answer in answers]
    facts += [next(m for m in client.get("/api/models").json()["models"] if m["network"] == "dragg-sst5")]
    for about in facts:
        assert (about["version"], about["weights"]) == (__version__, zoo.describe("dragg-sst5").sha256)
        assert about["badge"]["text"] == "finds some words that matter (12% of a direct test)"
        assert [deleted["way"] for deleted in about["control"]["deletions"]] == ["masked", "removed"]
        for figure in (deleted[of] for deleted in about["control"]["deletions"] for of in ("picture", "random")):
            assert figure["low"] <= figure["mean"] <= figure["high"]
        assert "shuffled" in about["control"]["couplings"]


@pytest.mark.parametrize("by", ["cell", "input", "capsule"])
def test_cuts_are_those_of_core(client, network, by):
    answer = client.post("/api/cuts", json=ASKED | {"by": by, "iterations": 2}).json()
    assert np.array_equal(np.asarray(answer["cuts"], np.float32), cuts(network, SENTENCE, 2, by=by))
    assert answer["classes"] == list(network.classes)


@pytest.mark.parametrize("traces", [False, True])
def test_a_batch_has_a_line_for_each_text(client, network, monkeypatch, traces):
    monkeypatch.setattr(programs, "CHUNK_TEXTS", 2)
    texts = ["A warm film.", " ", "A dull film.", SENTENCE, "a <b>film</b>"]
    answer = client.post("/api/batch", json={"network": "dragg-sst5", "texts": texts, "traces": traces})
    _, *lines = map(json.loads, answer.text.splitlines())
    assert [line["index"] for line in lines] == list(range(len(texts)))
    assert lines[1] == {"index": 1, "error": "There is no word in this text. Type a sentence."}
    for line, text in zip(lines, texts, strict=True):
        if "error" not in line:
            trace = explain(network, text)
            assert line["answer"] == trace.answer
            np.testing.assert_allclose(line["probabilities"], trace.class_probabilities, atol=1e-5)
            assert ("trace" in line) == traces


def test_models_are_those_that_all_sessions_share(client):
    models = client.get("/api/models").json()["models"]
    assert set(NETWORKS) <= {model["network"] for model in models}
    assert all(0 < model["accuracy"] <= 1 and model["classes"] for model in models)


def test_no_network_of_a_session_is_seen(client, monkeypatch):
    seen = []
    monkeypatch.setattr(checkpoints, "session_models", lambda: seen.append(session_models()))
    client.get("/api/models")
    client.post("/api/explain", json=ASKED)
    assert set(seen) == {None}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"network": "agt-sst"}, "There is no network 'agt-sst'. Did you mean agt-sst5 or dragg-sst5 or dragg-sst2?"),
        ({"network": "../em-sst5"}, "There is no network '../em-sst5'. Did you mean em-sst5 or em-sst2 or em-lm-sst5?"),
        ({"network": "em-smallnorb"}, "em-smallnorb reads pictures, not text."),
        ({"text": " "}, "There is no word in this text. Type a sentence."),
        ({"text": 1}, "text is not valid: expected str, got int."),
        ({"text": "a" * (limits.MAX_TEXT + 1)}, "text is not valid: expected str of length <= 20000."),
        ({"iterations": 11}, "iterations is not valid: expected int <= 10."),
        ({"edits": ["drop:99"]}, "i is 99 in drop:I, wanted 0 to 8"),
        ({"edits": ["drop:0"] * 21}, "edits is not valid: expected array of length <= 20."),
        ({"device": "cuda"}, "The request is not valid: object contains unknown field device."),
    ],
)
def test_bad_input_gets_one_sentence(client, changes, sentence):
    assert refusal(client.post("/api/explain", json=ASKED | changes)) == (400, sentence)


@pytest.mark.parametrize("content", [b"", b"[]", b"null", b"{", b"\xff", b"[" * 5000, b'{"network": "\\ud800"}'])
@pytest.mark.parametrize("path", POSTS)
def test_a_body_without_a_request_is_refused(client, path, content):
    status, sentence = refusal(
        client.post(f"/api/{path}", content=content, headers={"content-type": "application/json"})
    )
    assert status == 400
    assert "valid" in sentence


@pytest.mark.parametrize("path", ["", "batch/", "nothing", "explain/more", "../api/x", "_stcore/health"])
def test_an_unknown_path_below_api_is_a_404_in_json(client, path):
    if path.strip("/") in ("", "batch"):
        assert client.get("/api/").status_code == 200
    else:
        assert refusal(client.get(f"/api/{path}")) == (404, NOT_FOUND)
    assert client.get("/apis").status_code == 404
    assert client.get("/").text == "page"


def test_other_methods_are_refused(client):
    for path in POSTS:
        answer = client.get(f"/api/{path}")
        assert refusal(answer) == (405, "Wanted a POST request.")
        assert answer.headers["allow"] == "POST"
    assert refusal(client.put("/api/models")) == (405, "Wanted a GET request.")
    assert client.head("/api/models").status_code == 200


def test_pages_of_other_sites_run_nothing(client, monkeypatch):
    monkeypatch.setattr(programs, "explain", None)  # nothing may call it
    for origin in ("http://evil.example", "null", "http://localhost:9999"):
        assert refusal(client.post("/api/explain", json=ASKED, headers={"origin": origin}))[0] == 403
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        headers = {"content-type": kind}
        assert refusal(client.post("/api/explain", content=json.dumps(ASKED), headers=headers))[0] == 415
    assert client.post("/api/explain", json=ASKED, headers={"host": "evil.example"}).status_code == 421
    assert "access-control-allow-origin" not in client.options("/api/explain").headers


def test_a_page_of_this_server_may_ask(client):
    assert client.post("/api/explain", json=ASKED, headers={"origin": HERE}).status_code == 200


def test_a_large_body_is_refused_before_it_is_read(client):
    def endless():
        for _ in range(3):
            yield b" " * limits.MAX_BODY
        raise AssertionError("all of it was read")

    headers = {"content-type": "application/json"}
    assert refusal(client.post("/api/explain", content=b" " * (limits.MAX_BODY + 1), headers=headers))[0] == 413
    headers |= {"content-length": "9" * 30}
    assert refusal(client.post("/api/explain", content=b"{}", headers=headers))[0] == 413


def test_a_batch_has_at_most_so_many_characters(client):
    texts = ["a" * limits.MAX_TEXT] * (limits.MAX_BATCH // limits.MAX_TEXT + 1)
    sentence = "These texts have 220,000 characters, and a batch at most 200,000."
    assert refusal(client.post("/api/batch", json={"network": "dragg-sst5", "texts": texts})) == (400, sentence)


def test_a_large_trace_is_refused(client, monkeypatch):
    monkeypatch.setattr(programs, "MAX_BYTES", 1000)
    status, sentence = refusal(client.post("/api/explain", json=ASKED))
    assert (status, sentence[:9]) == (400, "This run ")


def test_long_cuts_are_ended(client, monkeypatch):
    monkeypatch.setattr(programs, "MAX_SECONDS", 0.0)
    monkeypatch.setattr("core.networks.effects.MAX_NUMBERS", 1)
    assert refusal(client.post("/api/cuts", json=ASKED))[1].startswith("These cuts take more than 0 seconds: ")


def test_an_address_has_so_much_work_done(client, public, monkeypatch):
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(routes, "Allowances", lambda: limits.Allowances(lambda: clock.now))
    client = TestClient(Front(Programs(PlainTextResponse("page"))), HERE)
    monkeypatch.setattr(routes.time, "thread_time", iter(range(0, 1000, 20)).__next__)  # 20 seconds each
    assert [client.post("/api/explain", json=ASKED).status_code for _ in range(3)] == [200, 200, 429]
    answer = client.post("/api/explain", json=ASKED)
    sentence = "30 seconds of work were just done for your address: ask again in 20 seconds."
    assert refusal(answer) == (429, sentence)
    assert answer.headers["retry-after"] == "20"
    assert client.get("/api/models").status_code == 200
    clock.now = 60.0
    assert client.post("/api/explain", json=ASKED).status_code == 200


def test_a_private_server_limits_no_work(client, monkeypatch):
    monkeypatch.setattr(routes.time, "thread_time", iter(range(0, 10_000, 100)).__next__)
    assert {client.post("/api/explain", json=ASKED).status_code for _ in range(3)} == {200}


def test_addresses_are_forgotten(monkeypatch):
    monkeypatch.setattr(limits, "MAX_ADDRESSES", 3)
    allowances = limits.Allowances(lambda: 0.0)
    for k in range(5):
        allowances.charge(str(k), limits.MAX_WORK + 1)
    assert [allowances.wait(str(k)) > 0 for k in range(5)] == [False, False, True, True, True]


def test_too_many_open_requests_are_refused(client, monkeypatch):
    for limit, path in (("MAX_OPEN", "models"), ("MAX_BATCHES", "batch")):
        with monkeypatch.context() as context:
            context.setattr(routes, limit, 0)
            answer = client.request("GET" if path == "models" else "POST", f"/api/{path}", json=ASKED)
            assert refusal(answer)[0] == 503
            assert answer.headers["retry-after"] == "1"
    assert client.get("/api/models").status_code == 200


def test_one_address_does_not_take_the_places_of_all(client, monkeypatch):
    for limit, path in (("MAX_OPEN_EACH", "models"), ("MAX_BATCHES_EACH", "batch")):
        method = "GET" if path == "models" else "POST"
        with monkeypatch.context() as context:
            context.setattr(routes, limit, 0)
            context.setattr(routes, "is_public", lambda: True)
            status, sentence = refusal(client.request(method, f"/api/{path}", json=ASKED))
            assert (status, sentence) == (429, "Too many requests of your address are open: wait for one.")
            context.setattr(routes, "is_public", lambda: False)
            assert client.get("/api/models").status_code == 200


def test_an_allowance_is_asked_for_again_when_the_turn_comes(client, monkeypatch):
    waits = iter([0, 7])
    monkeypatch.setattr(routes.Programs, "_wait", lambda *_: next(waits, 0))
    status, sentence = refusal(client.post("/api/explain", json=ASKED))
    assert status == 429
    assert sentence.endswith("ask again in 7 seconds.")


def test_no_error_shows_a_path_of_the_server(client, monkeypatch):
    def fail(*_):
        raise ValueError("/srv/secret/weights.safetensors is damaged")

    monkeypatch.setattr(programs, "load", fail)
    sentence = "The network dragg-sst5 cannot be loaded on this server."
    assert refusal(client.post("/api/explain", json=ASKED)) == (400, sentence)
    monkeypatch.setattr(operations, "explain", lambda body: 1 / 0)
    assert refusal(client.post("/api/explain", json=ASKED)) == (500, "This server could not do this.")


def test_the_page_is_read_without_a_script(client):
    answer = client.get("/api")
    assert answer.headers["content-type"].startswith("text/html")
    for word in ("<script", "http://", "https://", "src=", "@import"):
        assert word not in answer.text
    for path in ("explain", "cuts", "batch", "models"):
        assert f"/api/{path}" in answer.text
    assert "<a href='#EMTextTrace'>EMTextTrace</a>" in answer.text
