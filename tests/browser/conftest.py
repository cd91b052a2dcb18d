"""A page of a running dashboard in the system's Chromium. Without a Chromium these tests skip, and say so."""

from collections import defaultdict

import pytest
from playwright.sync_api import BrowserContext, expect

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
    """The context of a kind of screen. Nothing moves for its own sake: that would be drawn 60 times a second."""
    contexts = {}

    def context_of(screen: dict):
        if str(screen) not in contexts:
            contexts[str(screen)] = chromium.new_context(reduced_motion="reduce", **screen)
        return contexts[str(screen)]

    yield context_of
    for context in contexts.values():
        context.close()


class Tab:
    """A tab of the browser, which one test after the other has for itself: it has read Streamlit's scripts already.

    Attributes:
        elsewhere: the addresses of other hosts that were asked for anything.
        refused: what the browser did not do because the server forbids it.
    """

    def __init__(self, context: BrowserContext, screen: dict, address: str):
        self.page, self._screen = context.new_page(), screen
        self.elsewhere, self.refused = [], []
        ours = (address, "data:", "blob:")
        self.page.set_default_timeout(PATIENCE)
        self.page.on("request", lambda r: self.elsewhere.append(r.url) if not r.url.startswith(ours) else None)
        self.page.on(
            "console", lambda line: self.refused.append(line.text) if "Content Security Policy" in line.text else None
        )

    def open(self, url: str) -> None:
        """Open an address as in a new tab."""
        self.elsewhere.clear()
        self.refused.clear()
        self.page.set_viewport_size(self._screen["viewport"])
        self.page.emulate_media(color_scheme=self._screen.get("color_scheme", "light"))
        self.page.goto(url)
        server.drawn(self.page)


@pytest.fixture(scope="session")
def free_tabs():
    """The tabs that no test has, by their screen."""
    return defaultdict(list)


@pytest.fixture
def open_page(context_of, address, free_tabs):
    """Opens the first page, pictures drawn: a session of its own.

    It must ask no other host for anything, and do nothing that the server tells browsers to refuse.
    """
    taken = []

    def open_page(path: str = "", **options):
        screen = {"viewport": {"width": 1280, "height": 900}} | options
        free = free_tabs[str(screen)]
        taken.append((free, free.pop() if free else Tab(context_of(screen), screen, address)))
        tab = taken[-1][1]
        tab.open(address + path)
        return tab.page

    yield open_page
    for free, tab in taken:
        tab.page.evaluate("sessionStorage.clear()")
        tab.page.goto("about:blank")  # a page that nobody looks at may go on working
        free.append(tab)
    assert not [asked for _, tab in taken for asked in tab.elsewhere]
    assert not [done for _, tab in taken for done in tab.refused]


@pytest.fixture
def page(open_page):
    return open_page()
