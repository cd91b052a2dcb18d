"""The k-means page as a person uses it."""

import pytest
from playwright.sync_api import expect

from tests.browser.acts import check_reloaded, colours, count_messages, step_back
from tests.browser.server import CELLS

pytestmark = pytest.mark.browser
PATH = "/kmeans"


@pytest.fixture
def page(open_page):
    return open_page(PATH)


def test_scrub_changes_the_shares_and_asks_the_server_nothing(page):
    expect(page.locator(".rs-value")).to_have_text("3 of 10")
    count_messages(page)
    before = colours(page)[:64]
    step_back(page, 2)
    expect(page.locator(".rs-value")).to_have_text("1 of 10")
    page.wait_for_function(
        f"before => JSON.stringify([...document.querySelectorAll('{CELLS}')].slice(0, 64)"
        ".map(c => c.getAttribute('fill'))) != JSON.stringify(before)",
        arg=before,
    )
    assert page.evaluate("window.sent") == 0


def test_play(page):
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".rs-value")).to_have_text("4 of 10")


def test_a_clicked_cell_chooses_its_feature_capsule(page):
    page.locator(CELLS).nth(5 * 4).click()  # 4 classes a capsule
    expect(page.get_by_role("spinbutton", name="Feature capsule")).to_have_value("6")


def test_a_reloaded_link_shows_the_same_picture(page):
    page.get_by_text("Merger", exact=True).click()
    expect(page.get_by_role("textbox", name="Your text")).to_contain_text("Shares in the software maker")
    step_back(page, 2)
    page.wait_for_function("['t=1', 'example=Merger'].every(s => location.search.includes(s))")
    check_reloaded(page, colours)
    expect(page.locator(".rs-value")).to_have_text("1 of 10")
