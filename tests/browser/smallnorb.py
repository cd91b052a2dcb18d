"""Helpers for the smallNORB page, for the tests of its toys and of its uploads."""

from playwright.sync_api import expect

from tests.browser.server import CELLS, wait_until_rested

PATH = "/smallnorb?tab=One+part&over=What+a+part+takes+in"  # both pictures of parts
SQUARES, PARTS = 9 * 9, 64 * 5  # cells of the pictures PLACES and HEAT
CHART = ".stVegaLiteChart[aria-label^='{}']"
STRIP, PLANE, PLACES, HEAT = map(
    CHART.format, ("The views", "The pose vectors", "What a part takes in", "D_use of every part")
)
RECT = " .mark-rect.role-mark path"
PATIENCE = 60_000  # ms, because all views of a toy are rendered and routed


def wait_for_views(page, n_views):
    """Wait until all views of the toy and both pictures of values are drawn."""
    expect(pictures(page)).to_have_count(n_views, timeout=PATIENCE)
    expect(page.locator(CELLS)).to_have_count(1 + SQUARES + PARTS, timeout=PATIENCE)  # 1: the frame of the view
    wait_until_rested(page)


def pictures(page):
    """The pictures of the views."""
    return page.locator(f"{STRIP} .mark-image.role-mark image")
