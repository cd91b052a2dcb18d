"""The documentation at /docs: files of the built site, and plain pages without it."""

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from dashboard.docs.contents import PAGES, VARIABLE
from dashboard.server.documentation import Documentation
from dashboard.server.front import Front
from dashboard.server.paths import NOT_FOUND

HERE = "http://localhost:8501"


@pytest.fixture
def client(tmp_path, monkeypatch):
    """A client of the middleware, without a built site."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "site"))
    return TestClient(Front(Documentation(PlainTextResponse("a page"))), HERE)


@pytest.fixture
def built(client, tmp_path):
    """A client, and a site with two files."""
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "site/runs").mkdir(parents=True)
    (tmp_path / "site/index.html").write_text("<h1>Built</h1>")
    (tmp_path / "site/runs/a.svg").write_text("<svg/>")
    (tmp_path / "site/runs/a.html").write_text("<script>1</script>")
    return client


def test_the_built_site_is_shown(built):
    assert built.get("/docs").text == built.get("/docs/").text == built.get("/docs/index.html").text == "<h1>Built</h1>"
    picture = built.get("/docs/runs/a.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert "script-src 'self'" in picture.headers["content-security-policy"]
    assert built.get("/agt").text == "a page"


def test_a_widget_runs_its_scripts_apart_from_the_site(built):
    policy = built.get("/docs/runs/a.html").headers["content-security-policy"]
    assert policy.startswith("sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'")
    assert policy.endswith("frame-ancestors 'self'")


@pytest.mark.parametrize("path", ["none.html", "runs", "..%2fsecret.txt", "%2e%2e/secret.txt", "runs/../../secret.txt"])
def test_nothing_outside_the_site_is_shown(built, path):
    answer = built.get(f"/docs/{path}")
    assert (answer.status_code, answer.text) == (404, NOT_FOUND)


def test_only_get_is_answered(built):
    assert built.head("/docs/index.html").status_code == 200
    assert built.post("/docs/index.html").status_code == 405


@pytest.mark.parametrize("address", PAGES)
def test_without_a_site_a_page_is_plain(client, address):
    answer = client.get(f"/docs/{address}.html")
    assert answer.status_code == 200
    assert "python -m dashboard.docs" in answer.text
    assert "<h1" in answer.text
    assert "<script" not in answer.text
    assert "src=" not in answer.text


def test_a_plain_page_has_equations_and_ids(client):
    text = client.get("/docs/em.html").text
    assert '<math tabindex="0" xmlns="http://www.w3.org/1998/Math/MathML" display="block">' in text
    assert '<h2 id="em-routing-over-pictures">' in text
    assert 'href="training.html#a-loss-on-views"' in text
    assert client.get("/docs/").text == client.get("/docs/index.html").text
    assert client.get("/docs/none.html").status_code == 404
