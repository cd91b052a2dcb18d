"""Edits in the inspector as a person makes them, takes them back, and opens them from a link."""

import pytest
from playwright.sync_api import expect

from tests.browser.acts import CHIPS, colours, numbers, press
from tests.browser.edits import HOLLOW, SUPERB, check_changed, check_unchanged, hollow, open_superb
from tests.browser.server import CELLS, wait_until_rested

pytestmark = pytest.mark.browser


@pytest.fixture
def page(open_page):
    return open_superb(open_page)


def test_edits_are_made_undone_removed_and_brought_back(page):
    check_a_share_is_cut_and_the_cut_undone(page)
    check_a_chip_is_removed_and_all_are_cleared(page)


def top_of(page, selector):
    """The height at which the first such element begins."""
    return page.locator(selector).first.evaluate("element => element.getBoundingClientRect().top")


def check_a_share_is_cut_and_the_cut_undone(page):
    before, picture = numbers(page), colours(page)
    widths, cells = page.locator(".rs-bar").evaluate_all(HOLLOW), top_of(page, CELLS)
    press(page, "Set to 0")
    check_changed(page, "share of “superb” for capsule 4: 0")
    expect(page.get_by_test_id("stTooltipContent").filter(visible=True)).to_have_count(0)  # of the clicked button
    assert top_of(page, CELLS) == cells
    assert numbers(page) != before
    assert hollow(page) == widths
    assert colours(page)[SUPERB] != picture[SUPERB]
    press(page, "Undo")
    check_unchanged(page, before)
    assert colours(page) == picture
    assert [page.get_by_label(name, exact=True).input_value() for name in ("Word", "Capsule")] == ["4", "4"]


def check_a_chip_is_removed_and_all_are_cleared(page):
    before = numbers(page)
    press(page, "Set to 1")
    page.locator(CHIPS).click()
    wait_until_rested(page)
    check_unchanged(page, before)
    press(page, "Switch off")
    press(page, "Equal")
    assert page.url.count("edit=") == 2
    check_a_link_brings_its_edits_back(page)
    press(page, "Clear")
    check_unchanged(page, before)
    assert "edit=" not in page.url


def check_a_link_brings_its_edits_back(page):
    press(page, "Shuffled")
    before = page.locator(CHIPS).all_inner_texts(), numbers(page)
    assert len(before[0]) >= 2
    page.reload()
    expect(page.locator(CHIPS)).to_have_count(len(before[0]))
    wait_until_rested(page)
    assert (page.locator(CHIPS).all_inner_texts(), numbers(page)) == before
