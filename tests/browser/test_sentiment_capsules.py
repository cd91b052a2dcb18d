"""The Sentiment capsules page as a person uses it."""

import pytest
from playwright.sync_api import expect

from tests.browser.acts import check_reloaded, colours, count_messages, step_back, type_text
from tests.browser.server import CELLS, drawn

pytestmark = pytest.mark.browser
PATH = "/sentiment_capsules"
CREDIT, LAYERS, PARTS = 15 * 5, 15 * 7, 64 * 5  # cells of the three heat maps


@pytest.fixture
def page(open_page):
    page = open_page(PATH)
    expect(page.locator(CELLS)).to_have_count(CREDIT + LAYERS + PARTS)
    return page


def part(page):
    return page.get_by_label("Part", exact=True)


def test_paste(page):
    type_text(page, "An awful, awful film.")
    expect(page.locator(CELLS)).to_have_count(6 * 5 + 6 * 7 + PARTS)


def test_scrub_changes_every_picture_and_asks_the_server_nothing(page):
    count_messages(page)
    last = colours(page)
    step_back(page, 2)
    expect(page.locator(".rs-value")).to_have_text("1 of 3")
    page.wait_for_function(f"before => document.querySelector('{CELLS}').getAttribute('fill') !== before", arg=last[0])
    assert len(set(colours(page)[CREDIT : CREDIT + LAYERS])) == 1  # at the first iteration every share is 1/64
    assert page.evaluate("window.sent") == 0


def test_play(page):
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".rs-value")).to_have_text("1 of 3")
    expect(page.locator(".rs-value")).to_have_text("2 of 3")


def test_a_clicked_part_is_shown_and_the_iteration_kept(page):
    step_back(page)
    page.locator(CELLS).nth(CREDIT + LAYERS + 3 * 5).click()
    expect(part(page)).to_have_value("4")
    expect(page.get_by_text("Bang per bit of part 4", exact=True)).to_be_visible()
    expect(page.locator(".rs-value")).to_have_text("2 of 3")


def test_a_reloaded_link_shows_the_same_picture(page):
    page.get_by_text("Plain", exact=True).click()
    expect(page.locator(CELLS)).to_have_count(9 * 5 + 9 * 7 + PARTS)
    part(page).fill("9")
    part(page).press("Enter")
    page.get_by_role("radio", name="D_ign").click()
    expect(page.get_by_text("Bang per bit of part 9", exact=True)).to_be_visible()
    expect(page.get_by_text("Every word is fully active")).to_be_visible()
    step_back(page)
    page.wait_for_function("['t=2', 'part=9', 'show=D_ign', 'example=Plain'].every(s => location.search.includes(s))")
    check_reloaded(page, colours)
    expect(page.locator(".rs-value")).to_have_text("2 of 3")


def test_the_part_that_decides_is_the_same_after_a_reload(page):
    type_text(page, "A dull film.")
    expect(page.locator(CELLS)).to_have_count(4 * 5 + 4 * 7 + PARTS)
    page.get_by_role("button", name="Put this text in the link").click()
    page.wait_for_function("location.search.includes('text=')")
    led = part(page).input_value()
    page.reload()
    drawn(page)
    expect(part(page)).to_have_value(led)
    part(page).fill("1")
    part(page).press("Enter")
    expect(page.get_by_text("Bang per bit of part 1", exact=True)).to_be_visible()
    page.wait_for_function("location.search.includes('part=1')")
    page.reload()
    drawn(page)
    expect(part(page)).to_have_value("1")


def test_word_pieces_are_on_hover(page):
    type_text(page, "unwatchably <b>dull</b>")
    expect(page.locator(CELLS)).to_have_count(9 * 5 + 9 * 7 + PARTS)
    page.locator(CELLS).first.hover()
    expect(page.locator("#vg-tooltip-element")).to_contain_text("un·watch·ably")


def test_from_page_to_page_and_back(page):
    page.get_by_role("link", name="Routing").click()
    expect(page.get_by_role("heading", name="Routing", exact=True)).to_be_visible()
    expect(page.locator(CELLS)).to_have_count(15 * 5)
    type_text(page, "Carried along.")
    expect(page.locator(CELLS)).to_have_count(3 * 5)  # Streamlit drops what it has not yet run when the page changes
    page.get_by_role("link", name="Sentiment capsules").click()
    expect(page.locator(CELLS)).to_have_count(3 * 5 + 3 * 7 + PARTS)
    expect(page.get_by_role("textbox", name="Your text")).to_have_value("Carried along.")
    expect(page.get_by_text("em-sst5").first).to_be_visible()


def test_keyboard_alone_picks_a_part(page):
    part(page).focus()
    before = int(part(page).input_value())
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"Bang per bit of part {before + 1}", exact=True)).to_be_visible()
