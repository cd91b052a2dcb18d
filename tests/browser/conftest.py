"""Pages of a running dashboard in the system's Chromium. Without a Chromium these tests are skipped."""

from collections import defaultdict

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser import server

pytest.register_assert_rewrite("tests.browser.acts", "tests.browser.edits")  # so that failing checks show their values
PATIENCE = 60_000  # ms, long enough for a busy machine
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def chromium():
    """The system's Chromium."""
    if server.find_chromium() is None:
        pytest.skip("no Chromium on this machine: apt-get install chromium-headless-shell")
    with server.chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def address():
    """The address of the dashboard that is served for this session."""
    with server.dashboard() as running:
        yield running.url


@pytest.fixture(scope="session")
def context_of(chromium):
    """A function that returns the browser context of a screen. It has no animations, which are slow to draw."""
    contexts = {}

    def context_of(screen: dict):
        if str(screen) not in contexts:
            contexts[str(screen)] = chromium.new_context(reduced_motion="reduce", **screen)
        return contexts[str(screen)]

    yield context_of
    for context in contexts.values():
        context.close()


class Tab:
    """A tab of the browser, which tests reuse one after another, because it has loaded Streamlit's scripts.

    Attributes:
        elsewhere: addresses of requests to other hosts.
        refused: actions that the browser refused because of the server's policy.
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

    def open(self, url: str, shows: str) -> None:
        """Open an address as in a new tab, and wait until the page shows the element ``shows``."""
        self.elsewhere.clear()
        self.refused.clear()
        self.page.set_viewport_size(self._screen["viewport"])
        self.page.emulate_media(color_scheme=self._screen.get("color_scheme", "light"))
        self.page.goto(url)
        server.wait_until_drawn(self.page, shows)


@pytest.fixture(scope="session")
def free_tabs():
    """The tabs that no test uses, by screen."""
    return defaultdict(list)


@pytest.fixture
def open_page(context_of, address, free_tabs):
    """A function that opens a page in a new session and waits for its pictures.

    The page must not send requests to other hosts, or do anything that the server's policy forbids.
    """
    taken = []

    def open_page(path: str = "/routing", shows: str = server.CELLS, **options):
        screen = {"viewport": {"width": 1280, "height": 900}} | options
        free = free_tabs[str(screen)]
        taken.append((free, free.pop() if free else Tab(context_of(screen), screen, address)))
        tab = taken[-1][1]
        tab.open(address + path, shows)
        return tab.page

    yield open_page
    for free, tab in taken:
        tab.page.evaluate("sessionStorage.clear()")
        tab.page.goto("about:blank")  # ends the page, which may still be working
        free.append(tab)
    assert not [asked for _, tab in taken for asked in tab.elsewhere]
    assert not [done for _, tab in taken for done in tab.refused]


@pytest.fixture
def page(open_page):
    """The page Dynamic routing in a new session."""
    return open_page()
