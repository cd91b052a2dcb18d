"""The middleware in front of Streamlit."""

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from dashboard.public import VARIABLE
from dashboard.server import front, hosts, paths

HERE = "http://localhost:8501"


async def streamlit(scope, receive, send):
    """Stand in for Streamlit: answer every request, and set a cookie."""
    if scope["type"] == "http":
        await PlainTextResponse("a page", headers={"set-cookie": "a=b; Path=/"})(scope, receive, send)
    else:
        websocket = WebSocket(scope, receive, send)
        await websocket.accept(headers=[(b"seen", websocket.headers.get("origin", "").encode())])
        await websocket.close()


@pytest.fixture
def client():
    return TestClient(front.Front(streamlit), HERE)


@pytest.fixture(autouse=True)
def machine(monkeypatch):
    """Give this machine a known name."""
    monkeypatch.setattr(hosts.socket, "gethostname", lambda: "desk.example.org")


# Host names that lead to this machine.
OWN = ["localhost:8501", "127.0.0.1", "[::1]:80", "192.168.1.7:8501", "a.localhost", "desk.example.org", "desk.local"]


@pytest.mark.parametrize("host", OWN)
def test_requests_to_names_of_this_machine_are_answered(client, host):
    assert client.get("/", headers={"host": host}).text == "a page"


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "a;b", "", "."])
def test_requests_to_other_names_are_refused(client, monkeypatch, host):
    refused = client.get("/", headers={"host": host})
    assert (refused.status_code, refused.text) == (421, hosts.REFUSED)
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/_stcore/stream", headers={"host": host}):
        pass


def test_the_owner_may_add_names(client, monkeypatch):
    monkeypatch.setenv(hosts.VARIABLE, "lab.example.org, *.course.example")
    names = ["lab.example.org:80", "a.course.example", "example.org", "course.example.org"]
    assert [client.get("/", headers={"host": name}).status_code for name in names] == [200, 200, 421, 421]


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:9999", "http://127.0.0.1:8501"])
def test_a_page_of_another_site_opens_no_websocket(client, origin):
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/_stcore/stream", headers={"origin": origin}):
        pass


@pytest.mark.parametrize("headers", [{}, {"origin": HERE}, {"host": "localhost", "origin": "http://localhost:80"}])
def test_a_page_of_this_server_opens_a_websocket(client, headers):
    with client.websocket_connect(f"ws{HERE[4:]}/_stcore/stream", headers=headers):
        pass


FORWARDED = "https://x-8501.app.github.dev"


@pytest.mark.parametrize("origin", [FORWARDED, f"{FORWARDED}:8443"])
def test_a_page_at_an_added_name_opens_a_websocket(client, monkeypatch, origin):
    monkeypatch.setenv(hosts.VARIABLE, "lab.example.org, *.app.github.dev")
    address = f"ws{HERE[4:]}/_stcore/stream"
    with client.websocket_connect(address, headers={"origin": origin}) as opened:
        # Streamlit sees its own origin instead of the page's.
        assert (b"seen", HERE.encode()) in opened.extra_headers
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(address, headers={"origin": HERE + "1"}):
        pass


def test_headers_limit_what_a_page_may_do(client, monkeypatch):
    headers = client.get("/").headers
    policy = headers["Content-Security-Policy"]
    assert "'unsafe-eval'" not in policy
    assert "script-src 'self' blob: 'sha256-" in policy
    assert "ws://localhost:8501" in policy
    assert policy.endswith("frame-ancestors 'self'")
    assert (headers["X-Content-Type-Options"], headers["Referrer-Policy"]) == ("nosniff", "no-referrer")
    assert headers["X-Frame-Options"] == "SAMEORIGIN"
    monkeypatch.setenv(front.FRAMES, "https://course.example")
    headers = client.get("/").headers
    assert headers["Content-Security-Policy"].endswith("frame-ancestors 'self' https://course.example")
    assert "X-Frame-Options" not in headers


def test_cookies_stay_on_this_site_and_on_tls_if_set_there(client):
    assert client.get("/").headers["set-cookie"] == "a=b; Path=/; SameSite=Lax"
    behind_tls = client.get("/", headers={"x-forwarded-proto": "https"})
    assert behind_tls.headers["set-cookie"] == "a=b; Path=/; SameSite=Lax; Secure"


# Paths of the server, and paths that it does not have.
FOUND = [
    "/",
    "/agt?text=a",
    "/agt/",
    "/lab",
    "/lab/answer",
    "/docs/index.html",
    "/favicon.png",
    "/media/1.csv",
    "/_stcore/health",
    "/_stcore/host-config",
]
MISSING = [
    "/nothing",
    "/start",
    "/agt/more",
    "/_stcore/agent/mcp",
    "/auth/login",
    "/static/none.js",
    "/_stcore/script-health-check",
]


@pytest.mark.parametrize("base", ["", "demo"])
def test_only_existing_paths_are_found(monkeypatch, base):
    options = {"server.baseUrlPath": base, "server.enableAgentApi": False}
    monkeypatch.setattr(paths, "get_option", options.get)
    client = TestClient(front.Front(streamlit), HERE)
    prefix = f"/{base}".rstrip("/")
    assert {client.get(prefix + path).status_code for path in FOUND} == {200}
    missing = [client.get(prefix + path) for path in MISSING]
    assert {(answer.status_code, answer.text) for answer in missing} == {(404, paths.NOT_FOUND)}
    if base:
        assert client.get("/demo").status_code == 200
        assert client.get("/agt").status_code == client.get("/demonstration").status_code == 404


def test_only_the_owner_reads_metrics(client, monkeypatch):
    monkeypatch.setenv(VARIABLE, "0")
    assert client.get("/_stcore/metrics").status_code == 200
    monkeypatch.setenv(VARIABLE, "1")
    assert client.get("/_stcore/metrics").status_code == 404
