"""The DRNN page as a person uses it."""

import pytest
from playwright.sync_api import expect

from tests.browser.acts import (
    check_reloaded,
    check_scrubbed_to_the_first,
    choose_example,
    shaded_heading,
    shades,
    type_text,
)

pytestmark = pytest.mark.browser
PATH = "/drnn"


@pytest.fixture
def page(open_page):
    return open_page(PATH)


def test_the_page_plays_is_scrubbed_reads_a_text_and_is_reloaded(page):
    check_all_follows_the_scrubber_and_plays(page)
    check_a_new_text_keeps_the_window(page)
    check_a_reloaded_link_shows_the_same_picture(page)


def check_all_follows_the_scrubber_and_plays(page):
    expect(shaded_heading(page)).to_contain_text("Window 15 · ")
    check_scrubbed_to_the_first(page, "window", 15, 40, "Window 1 · 1 word")
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".rs-value")).to_have_text("2 of 40")
    page.get_by_role("button", name="Pause").click()


def check_a_new_text_keeps_the_window(page):
    window = shaded_heading(page).inner_text().split("·")[0]
    type_text(page, "The striker scored twice.")
    expect(page.locator(".rs-shading")).to_contain_text("The striker scored twice.")
    expect(shaded_heading(page)).to_contain_text(window)


def check_a_reloaded_link_shows_the_same_picture(page):
    choose_example(page, "Shares in the software")
    expect(page.locator(".rs-shading")).to_contain_text("Shares in the software maker")
    page.locator(".rs-range").focus()
    page.keyboard.press("Home")
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    page.wait_for_function("['window=11', 'example=Merger'].every(s => location.search.includes(s))")
    check_reloaded(page, shades)
    expect(page.locator(".rs-value")).to_have_text("11 of 40")
    expect(shaded_heading(page)).to_contain_text("Window 11 · ")
