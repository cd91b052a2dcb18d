"""The Routing page with a review, as a person uses it."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.acts import check_reloaded, choose_example, colours, count_messages, step_back, type_text
from tests.browser.server import CELLS

pytestmark = pytest.mark.browser
CAPSULES = 5
LONG = "The first hour of it is slow, and nobody in it behaves like a person. But then it turns. " * 90  # 1,980 words


@pytest.fixture
def page(open_page):
    return open_page("/routing?checkpoint=dragg-imdb&tab=Words+of+a+sentence")


def choose_sentence(page, sentence):
    number = page.get_by_label("Sentence", exact=True)
    number.fill(str(sentence))
    number.press("Enter")
    expect(page.get_by_role("heading", name=f"The words of sentence {sentence}")).to_be_visible()


def wait_until_all_cells_are_alike(page):
    """Wait for the first iteration, at which all shares are equal."""
    fills = f"[...document.querySelectorAll('{CELLS}')].map(c => c.getAttribute('fill'))"
    page.wait_for_function(f"() => new Set({fills}).size === 1")


def test_both_levels_are_scrubbed_chosen_and_opened_from_a_link(page):
    check_scrub_changes_both_levels_and_asks_the_server_nothing(page)
    page.keyboard.press("End")
    check_a_sentence_is_chosen_and_its_words_are_shown(page)
    check_two_thousand_words_stay_fluid(page)
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    check_a_reloaded_link_shows_the_same_picture(page)


def check_a_sentence_is_chosen_and_its_words_are_shown(page):
    choose_sentence(page, 6)
    expect(page.locator(".rs-shading p").last).to_have_text("Avoid.")
    expect(page.locator(CELLS)).to_have_count(6 * CAPSULES + 2 * CAPSULES)
    page.locator(CELLS).nth(2 * CAPSULES).click()
    expect(page.get_by_role("heading", name="The words of sentence 3")).to_be_visible()


def check_scrub_changes_both_levels_and_asks_the_server_nothing(page):
    count_messages(page)
    step_back(page, 2)
    expect(page.locator(".rs-value")).to_have_text("1 of 10")
    wait_until_all_cells_are_alike(page)
    assert page.evaluate("window.sent") == 0


def check_a_reloaded_link_shows_the_same_picture(page):
    choose_example(page, "I went in with low hopes")
    expect(page.get_by_role("textbox", name="Your text")).to_have_value(re.compile("^I went in with low hopes"))
    choose_sentence(page, 4)
    step_back(page)
    page.wait_for_function("['t=2', 'sentence=4'].every(s => location.search.includes(s))")
    check_reloaded(page, colours)
    expect(page.get_by_role("heading", name="The words of sentence 4")).to_be_visible()


def check_two_thousand_words_stay_fluid(page):
    type_text(page, LONG)
    choose_sentence(page, 1)
    expect(page.locator(CELLS)).to_have_count(180 * CAPSULES + 17 * CAPSULES)
    count_messages(page)
    page.locator(".rs-range").first.focus()
    page.keyboard.press("Home")
    wait_until_all_cells_are_alike(page)
    assert page.evaluate("window.sent") == 0
