"""Links to a run: a reload shows the same, and a text is in a link only if it is shared and short."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from tests.browser.acts import check_reloaded, choose_example, colours, step_back, type_text
from tests.browser.server import wait_until_drawn

pytestmark = pytest.mark.browser


def test_a_link_shows_the_same_and_has_only_a_shared_short_text(page):
    check_a_reloaded_link_shows_the_same_picture(page)
    check_a_link_has_the_text_only_if_it_is_shared(page)
    check_a_link_is_in_a_field_unless_the_text_is_too_long(page)


def check_a_reloaded_link_shows_the_same_picture(page):
    choose_example(page, "It's not a bad film")
    expect(page.locator(".rs-shading p").first).to_contain_text("It's not a bad film at all")
    page.get_by_label("Word", exact=True).fill("4")
    page.get_by_label("Word", exact=True).press("Enter")
    expect(page.get_by_text("“a”", exact=True).or_(page.get_by_text("“not”", exact=True)).first).to_be_visible()
    assert page.get_by_label("Word", exact=True).input_value() == "4"
    step_back(page)
    page.wait_for_function("() => location.search.includes('t=2') && location.search.includes('word=4')")
    check_reloaded(page, colours)
    expect(page.locator(".rs-value")).to_have_text("2 of 10")
    expect(page.get_by_label("Word", exact=True)).to_have_value("4")
    expect(page.locator(".rs-shading p").first).to_contain_text("It's not a bad film at all")


def check_a_link_has_the_text_only_if_it_is_shared(page):
    type_text(page, "A film & a <b>half</b>.")
    assert "text" not in page.url
    check_the_tab_keeps_a_text_that_the_address_lacks(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Share", exact=True).click()
    expect(page.get_by_text("Link copied.")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.endswith(urlencode({"text": "A film & a <b>half</b>."}))
    page.wait_for_function("() => location.search.includes('text=')")
    page.goto(link)
    wait_until_drawn(page)
    expect(page.get_by_role("textbox", name="Your text")).to_have_value("A film & a <b>half</b>.")


def check_the_tab_keeps_a_text_that_the_address_lacks(page):
    box, address = page.get_by_role("textbox", name="Your text"), page.url
    page.reload()
    expect(box).to_have_value("A film & a <b>half</b>.")
    page.goto(address)  # somebody opens a link, perhaps another one
    wait_until_drawn(page)
    expect(box).to_have_value(re.compile("^The acting is superb"))
    type_text(page, "A film & a <b>half</b>.")


def check_a_link_is_in_a_field_unless_the_text_is_too_long(page):
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.get_by_role("button", name="Share", exact=True).click()
    field = page.get_by_label("The link")
    expect(field).to_have_value(re.compile(r"/routing\?.*\bt=2\b.*&text=A\+film\+%26\+a\+"))
    assert field.evaluate("field => field.selectionEnd - field.selectionStart === field.value.length")
    page.keyboard.press("Escape")
    type_text(page, "A superb film! " + "x" * 8_000)
    # Wait until the text is drawn, so that a link would have it.
    expect(page.locator(".rs-shading p").first).to_contain_text("A superb film! xxx")
    page.get_by_role("button", name="Share", exact=True).click()
    expect(page.get_by_text("Too long for a link.")).to_be_visible()
