"""Helpers for the smallNORB page, for the tests of its toys and of its uploads."""

from playwright.sync_api import expect

from tests.browser.server import CELLS, rested

PATH = "/smallnorb"
SQUARES, PARTS = 9 * 9, 64 * 5  # cells of the two pictures with values; the frame of the current view is another mark
CHART = ".stVegaLiteChart[aria-label^='{}']"
STRIP, PLANE, PLACES, HEAT = map(
    CHART.format, ("The views", "The pose vectors", "What a part takes in", "D_use of every part")
)
RECT = " .mark-rect.role-mark path"
PATIENCE = 60_000  # ms, because all views of a toy are rendered and routed


def complete(page, n_views):
    expect(pictures(page)).to_have_count(n_views, timeout=PATIENCE)
    expect(page.locator(CELLS)).to_have_count(1 + SQUARES + PARTS, timeout=PATIENCE)
    rested(page)


def pictures(page):
    return page.locator(f"{STRIP} .mark-image.role-mark image")
