"""Words that a person masks and replaces, by mouse and by keyboard, and the edits that another text keeps."""

import pytest
from playwright.sync_api import expect

from tests.browser.acts import CHIPS, press, type_text
from tests.browser.edits import check_changed, open_superb
from tests.browser.server import wait_until_rested

pytestmark = pytest.mark.browser


@pytest.fixture
def page(open_page):
    return open_superb(open_page)


def test_a_word_is_replaced_and_masked_by_keyboard_too(page):
    check_a_word_is_masked_by_keyboard(page)
    press(page, "Undo")
    check_a_word_is_replaced(page)
    press(page, "Clear")
    check_another_text_keeps_the_edits_that_fit(page)


def check_a_word_is_masked_by_keyboard(page):
    word = page.locator(".rs-shading [data-word='0']").first
    word.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    wait_until_rested(page)
    expect(page.get_by_label("Word", exact=True)).to_have_value("4")
    page.get_by_role("button", name="Mask word", exact=True).focus()
    page.keyboard.press("Enter")
    check_changed(page, "without “superb”")


def check_a_word_is_replaced(page):
    page.mouse.move(0, 0)  # closes tips
    page.get_by_role("button", name="Replace word", exact=True).click()
    page.get_by_role("radio", name="terrible", exact=True).click()
    expect(page.locator(CHIPS)).to_contain_text(["“superb” → “terrible”"])
    wait_until_rested(page)
    expect(page.locator(".rs-answer")).to_contain_text("very negative")
    page.get_by_role("textbox", name="Instead of").fill("<b>dull</b>")
    page.keyboard.press("Enter")
    wait_until_rested(page)
    check_changed(page, "“superb” → “<b>dull</b>”")
    page.keyboard.press("Escape")
    press(page, "Switch off")


def check_another_text_keeps_the_edits_that_fit(page):
    press(page, "Mask word")
    press(page, "Switch off")
    type_text(page, "A dull film.")
    expect(page.locator(CHIPS)).to_have_count(2)
    assert "edit=-drop" in page.url
    assert "edit=capsule" in page.url
