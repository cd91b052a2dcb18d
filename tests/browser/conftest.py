"""A page of a running dashboard in the system's Chromium. Without a Chromium these tests skip, and say so."""

import pytest
from playwright.sync_api import expect

from tests.browser import server

pytest.register_assert_rewrite("tests.browser.acts")  # so that a failing check says what it found
PATIENCE = 60_000  # ms, for a machine that is busy with other things
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def chromium():
    if server.find_chromium() is None:
        pytest.skip("no Chromium on this machine: apt-get install chromium-headless-shell")
    with server.chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def address():
    """Where the dashboard is served for this session."""
    with server.dashboard() as running:
        yield running.url


@pytest.fixture(scope="session")
def context_of(chromium):
    """The context of a kind of screen. Its pages share the browser's cache: all but the first open sooner."""
    contexts = {}

    def context_of(screen: dict):
        if str(screen) not in contexts:
            contexts[str(screen)] = chromium.new_context(**screen)
        return contexts[str(screen)]

    yield context_of
    for context in contexts.values():
        context.close()


@pytest.fixture
def open_page(context_of, address):
    """Opens the first page, pictures drawn: a session of its own.

    It must ask no other host for anything, and do nothing that the server tells browsers to refuse.
    """
    pages, elsewhere, refused = [], [], []

    def open_page(path: str = "", **options):
        pages.append(context_of({"viewport": {"width": 1280, "height": 900}} | options).new_page())
        page = pages[-1]
        page.set_default_timeout(PATIENCE)
        ours = (address, "data:", "blob:")
        page.on("request", lambda r: elsewhere.append(r.url) if not r.url.startswith(ours) else None)
        page.on("console", lambda line: refused.append(line.text) if "Content Security Policy" in line.text else None)
        page.goto(address + path)
        server.drawn(page)
        return page

    yield open_page
    for page in pages:
        page.close()
    assert not elsewhere
    assert not refused


@pytest.fixture
def page(open_page):
    return open_page()
