"""The EM routing page as a person uses it."""

import pytest
from playwright.sync_api import expect

from tests.browser.acts import check_reloaded, choose_example, colours, count_messages, shades, step_back, type_text
from tests.browser.server import CELLS, wait_until_drawn

pytestmark = pytest.mark.browser
PATH = "/sentiment_capsules?tab=One+part"
CREDIT, PARTS, LAYERS = 13 * 5, 64 * 5, 13 * 7  # cells of the three heat maps, in their order


@pytest.fixture
def page(open_page):
    page = open_page(PATH)
    expect(page.locator(CELLS)).to_have_count(CREDIT + PARTS + LAYERS)
    return page


def part(page):
    """The field with the number of the picked part."""
    return page.get_by_label("Part", exact=True)


def test_the_page_plays_and_a_part_is_picked_and_kept(page):
    check_all_follows_the_scrubber_and_plays(page)
    page.get_by_role("button", name="Pause").click()
    page.locator(".rs-range").first.focus()
    page.keyboard.press("End")
    check_a_clicked_part_is_shown_and_the_iteration_kept(page)
    check_a_clicked_word_fills_the_inspector(page)
    check_a_part_is_kept_while_another_tab_is_open(page)
    check_the_keyboard_picks_a_part(page)


def test_a_text_is_kept_by_reloads_read_in_pieces_and_carried_along(page):
    check_the_part_that_decides_is_the_same_after_a_reload(page)
    check_a_reloaded_link_shows_the_same_picture(page)
    check_a_new_text_has_its_cells(page)
    check_a_tip_shows_the_pieces_of_a_word(page)
    check_the_text_is_carried_to_another_page_and_back(page)


def check_a_new_text_has_its_cells(page):
    type_text(page, "An awful, awful film.")
    expect(page.locator(CELLS)).to_have_count(6 * 5 + PARTS + 6 * 7)


def check_all_follows_the_scrubber_and_plays(page):
    count_messages(page)
    last, answer = colours(page), page.locator(".rs-answer").inner_text()
    shade = shades(page)
    step_back(page, 2)
    expect(page.locator(".rs-value")).to_have_text("1 of 3")
    page.wait_for_function(f"before => document.querySelector('{CELLS}').getAttribute('fill') !== before", arg=last[0])
    assert len(set(colours(page)[CREDIT + PARTS :])) == 1  # at the first iteration every share is 1/64
    assert page.locator(".rs-answer").inner_text() != answer
    assert shades(page) != shade
    assert page.evaluate("window.sent") == 0
    page.keyboard.press("End")
    expect(page.locator(".rs-value")).to_have_text("3 of 3")
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".rs-value")).to_have_text("1 of 3")
    expect(page.locator(".rs-value")).to_have_text("2 of 3")


def check_a_clicked_part_is_shown_and_the_iteration_kept(page):
    step_back(page)
    page.locator(CELLS).nth(CREDIT + 3 * 5).click()
    expect(part(page)).to_have_value("4")
    expect(page.get_by_text("Bang per bit of part 4", exact=True)).to_be_visible()
    expect(page.locator(".rs-value")).to_have_text("2 of 3")


def check_a_clicked_word_fills_the_inspector(page):
    page.locator(CELLS).nth(3 * 5 + 1).click()
    expect(page.get_by_label("Word", exact=True)).to_have_value("4")
    expect(page.get_by_text("credit of “lifeless”")).to_be_visible()
    expect(page.get_by_role("tab", name="One part")).to_have_attribute("aria-selected", "true")


def check_a_reloaded_link_shows_the_same_picture(page):
    choose_example(page, "A warm, funny and deeply")
    expect(page.locator(CELLS)).to_have_count(9 * 5 + PARTS + 9 * 7)
    part(page).fill("9")
    part(page).press("Enter")
    page.get_by_role("radio", name="D_ign").click()
    expect(page.get_by_text("Bang per bit of part 9", exact=True)).to_be_visible()
    expect(page.get_by_text("Every word is fully active")).to_be_visible()
    step_back(page)
    page.wait_for_function("['t=2', 'part=9', 'show=D_ign', 'example=Plain'].every(s => location.search.includes(s))")
    check_reloaded(page, colours)
    expect(page.locator(".rs-value")).to_have_text("2 of 3")


def check_the_part_that_decides_is_the_same_after_a_reload(page):
    type_text(page, "A dull film.")
    expect(page.locator(CELLS)).to_have_count(4 * 5 + PARTS + 4 * 7)
    page.get_by_role("button", name="Share").click()
    page.wait_for_function("() => location.search.includes('text=')")
    deciding = part(page).input_value()
    page.reload()
    wait_until_drawn(page)
    expect(part(page)).to_have_value(deciding)
    part(page).fill("1")
    part(page).press("Enter")
    expect(page.get_by_text("Bang per bit of part 1", exact=True)).to_be_visible()
    page.wait_for_function("() => location.search.includes('part=1')")
    page.reload()
    wait_until_drawn(page)
    expect(part(page)).to_have_value("1")


def check_a_tip_shows_the_pieces_of_a_word(page):
    type_text(page, "unwatchably <b>dull</b>")
    expect(page.locator(CELLS)).to_have_count(9 * 5 + PARTS + 9 * 7)
    page.locator(CELLS).first.hover()
    expect(page.locator("#vg-tooltip-element")).to_contain_text("un·watch·ably")


def check_a_part_is_kept_while_another_tab_is_open(page):
    page.get_by_role("tab", name="Capsules").click()
    expect(page.get_by_text("Parts, part 4 in a ring")).to_be_visible()
    page.get_by_role("tab", name="One part").click()
    expect(page.get_by_text("Bang per bit of part 4", exact=True)).to_be_visible()


def check_the_text_is_carried_to_another_page_and_back(page):
    page.get_by_role("link", name="Dynamic routing").click()
    expect(page.get_by_role("heading", name="Dynamic routing", exact=True)).to_be_visible()
    expect(page.locator(CELLS)).to_have_count(9 * 5)
    type_text(page, "Carried along.")
    expect(page.locator(CELLS)).to_have_count(3 * 5)  # wait, because a page change drops runs that have not begun
    page.get_by_role("link", name="EM routing").click()
    expect(page.locator(CELLS)).to_have_count(3 * 5 + PARTS + 3 * 7)
    expect(page.get_by_role("textbox", name="Your text")).to_have_value("Carried along.")


def check_the_keyboard_picks_a_part(page):
    part(page).focus()
    before = int(part(page).input_value())
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"Bang per bit of part {before + 1}", exact=True)).to_be_visible()
