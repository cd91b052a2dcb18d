"""The tour, the words that open their explanation, and the sidebar as icons."""

import pytest
from playwright.sync_api import expect

from tests.browser.server import wait_until_rested

pytestmark = pytest.mark.browser


def test_the_tour_the_words_and_the_sidebar(open_page):
    page = open_page("/routing?tour=1")
    check_the_tour_goes_on_by_keyboard_and_ends_at_escape(page)
    check_a_word_opens_its_explanation(page)
    check_a_closed_sidebar_shows_icons(page)
    check_the_sidebar_of_a_phone_closes_when_a_page_is_chosen(page)
    open_the_sidebar(page)


def check_the_tour_goes_on_by_keyboard_and_ends_at_escape(page):
    says = page.locator(".rs-tour-card p")
    expect(says).to_contain_text("Type a sentence")
    page.keyboard.press("Enter")
    expect(says).to_contain_text("a row is a capsule")
    page.wait_for_function("""() => {
      const box = (at) => document.querySelector(at).getBoundingClientRect();
      const [ring, part] = [box(".rs-tour-ring"), box(".st-key-picture")];
      return ring.left <= part.left && ring.right >= part.right;
    }""")
    for _ in range(4):
        page.keyboard.press("Enter")
    expect(says).to_contain_text("find a share that is large and does not matter")
    page.keyboard.press("Escape")
    expect(says).to_be_hidden()
    expect(page.get_by_role("button", name="Tour")).to_be_focused()
    wait_until_rested(page)
    expect(says).to_be_hidden()


def check_a_word_opens_its_explanation(page):
    page.get_by_role("button", name="How to read this").click()
    word = page.get_by_role("button", name="coupling", exact=True)
    word.focus()
    page.keyboard.press("Enter")
    meaning = page.locator(".rs-meaning:popover-open")
    expect(meaning).to_contain_text("The share of a word's vote")
    page.keyboard.press("Escape")
    expect(meaning).to_have_count(0)
    expect(word).to_be_visible()
    page.keyboard.press("Escape")


def check_a_closed_sidebar_shows_icons(page):
    sidebar = page.get_by_test_id("stSidebar")
    expect(sidebar).to_have_css("width", "220px")
    sidebar.hover()
    page.get_by_role("button", name="Collapse sidebar").click()
    expect(sidebar).to_have_css("width", "52px")
    page.get_by_role("link", name="Claims").click()
    expect(page).to_have_title("Claims · Routescope")


def check_the_sidebar_of_a_phone_closes_when_a_page_is_chosen(page):
    page.set_viewport_size({"width": 390, "height": 844})
    sidebar = page.get_by_test_id("stSidebar")
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(sidebar).to_have_attribute("data-collapsed", "false")
    page.get_by_role("link", name="Models").click()
    expect(sidebar).to_have_attribute("data-collapsed", "true")
    expect(page).to_have_title("Models · Routescope")


def open_the_sidebar(page):
    """Leave the menu open, as the browser remembers for the next test that it was closed."""
    page.set_viewport_size({"width": 1280, "height": 900})
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(page.get_by_test_id("stSidebar")).to_have_css("width", "220px")
    wait_until_rested(page)
