"""The Ledger page as a person uses it."""

import pytest
from playwright.sync_api import expect

from tests.browser.acts import STREAMLITS_MENU, Axe, check_downloads, check_phone_width, open_tab
from tests.browser.looks import check_look
from tests.browser.server import wait_until_rested

pytestmark = pytest.mark.browser
BARS = ".stVegaLiteChart svg .mark-rect.role-mark path"


@pytest.fixture
def page(open_page):
    return open_page("/ledger", shows=BARS)


def test_everybody_can_read_the_ledger_and_pick_a_paper(page, tmp_path):
    check_look(page, "ledger")
    check_everybody_can_read_and_download_the_ledger(page, tmp_path)
    check_a_click_on_a_bar_picks_its_paper_and_its_verdict(page)


def check_a_click_on_a_bar_picks_its_paper_and_its_verdict(page):
    page.locator(BARS).first.click()
    wait_until_rested(page)
    assert "paper=" in page.url
    assert "judgement=" in page.url
    open_tab(page, "In words")
    expect(page.locator(".st-key-tabs h3")).to_have_count(1)


def check_everybody_can_read_and_download_the_ledger(page, tmp_path):
    check_accessible_by_axe(page)
    check_phone_width(page)
    page.set_viewport_size({"width": 1280, "height": 900})
    check_downloads(page, tmp_path, {"SVG": "<svg", "HTML": "<!DOCTYPE html>", "CSV, claims": "paper,place,claim"})
    page.keyboard.press("Escape")


def check_accessible_by_axe(page):
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        wait_until_rested(page)
        violations = Axe().run(page, {"exclude": [[STREAMLITS_MENU]]}).response["violations"]
        assert not [(scheme, v["id"], [n["html"] for n in v["nodes"]]) for v in violations]
