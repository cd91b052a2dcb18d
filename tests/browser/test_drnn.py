"""The DRNN page as a person uses it."""

import pytest
from playwright.sync_api import expect

from tests.browser.acts import (
    check_reloaded,
    check_scrubbed_to_the_first,
    shaded_heading,
    shades,
    step_back,
    type_text,
)

pytestmark = pytest.mark.browser
PATH = "/drnn"


@pytest.fixture
def page(open_page):
    return open_page(PATH)


def test_paste(page):
    type_text(page, "The striker scored twice.")
    expect(page.locator(".rs-shading")).to_contain_text("The striker scored twice.")
    expect(shaded_heading(page)).to_contain_text("Window 15 · ")


def test_scrub_walks_the_windows_and_asks_the_server_nothing(page):
    expect(shaded_heading(page)).to_contain_text("Window 15 · ")
    check_scrubbed_to_the_first(page, "window", 15, 40, "Window 1 · 1 word for")


def test_play(page):
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".rs-value")).to_have_text("16 of 40")


def test_a_reloaded_link_shows_the_same_picture(page):
    page.get_by_text("Merger", exact=True).click()
    expect(page.locator(".rs-shading")).to_contain_text("Shares in the software maker")
    step_back(page, 4, param="window")
    page.wait_for_function("['window=11', 'example=Merger'].every(s => location.search.includes(s))")
    check_reloaded(page, shades)
    expect(page.locator(".rs-value")).to_have_text("11 of 40")
    expect(shaded_heading(page)).to_contain_text("Window 11 · ")
