"""The tab What if as a person uses it."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.acts import check_accessible, check_phone_width, count_messages, step_back, type_text
from tests.browser.server import CELLS, wait_until_rested

pytestmark = pytest.mark.browser

FILLS = "cells => cells.map(cell => cell.getAttribute('fill'))"
CHIPS = ".st-key-chips [data-testid=stButtonGroup] button"


@pytest.fixture
def page(open_page):
    page = open_page("/routing?tab=What+if")
    expect(page.locator(".rs-pair")).to_have_count(5)
    return page


def press(page, name):
    page.get_by_role("button", name=name, exact=True).first.click()
    wait_until_rested(page)


def numbers(page):
    """The numbers of each class before and after the edits, as text."""
    return page.locator(".rs-from-to").all_inner_texts()


def test_edits_are_made_undone_switched_off_and_brought_back(page):
    check_a_cell_is_cut_and_the_cut_undone(page)
    check_a_chip_is_switched_off_and_cleared(page)
    check_a_link_brings_its_edits_back(page)


def check_a_cell_is_cut_and_the_cut_undone(page):
    before = numbers(page)
    page.locator(CELLS).nth(3 * 5 + 2).click()  # “superb”, capsule 3
    wait_until_rested(page)
    press(page, "Cut")
    expect(page.locator(CHIPS)).to_have_text(["share of “superb” for capsule 3: 0"])
    assert numbers(page) != before
    expect(page.locator(".rs-change")).to_contain_text(re.compile("before, .* now"))
    press(page, "Undo")
    expect(page.locator(CHIPS)).to_have_count(0)
    assert numbers(page) == before


def check_a_chip_is_switched_off_and_cleared(page):
    before = numbers(page)
    press(page, "Remove")
    changed = numbers(page)
    page.locator(CHIPS).click()
    wait_until_rested(page)
    assert numbers(page) == before
    assert "edit=-capsule" in page.url
    page.locator(CHIPS).click()
    wait_until_rested(page)
    assert numbers(page) == changed
    press(page, "Clear")
    assert "edit=" not in page.url


def check_a_link_brings_its_edits_back(page):
    press(page, "Remove")
    page.get_by_role("radio", name="Equal", exact=True).click()
    wait_until_rested(page)
    before = page.locator(CHIPS).all_inner_texts(), numbers(page)
    page.reload()
    expect(page.locator(".rs-pair")).to_have_count(5)
    wait_until_rested(page)
    assert (page.locator(CHIPS).all_inner_texts(), numbers(page)) == before


def test_a_word_is_picked_replaced_and_dropped_by_keyboard_too(page):
    check_a_word_is_dropped_by_keyboard(page)
    press(page, "Clear")
    check_a_word_is_replaced_from_the_shaded_text(page)
    press(page, "Clear")
    check_another_text_keeps_the_edits_that_fit(page)


def check_a_word_is_replaced_from_the_shaded_text(page):
    page.locator(".rs-shading [data-word='3']").first.click()
    wait_until_rested(page)
    expect(page.get_by_label("Word", exact=True)).to_have_value("4")
    press(page, "Replace")
    page.get_by_role("radio", name="terrible", exact=True).click()
    wait_until_rested(page)
    expect(page.locator(CHIPS)).to_have_text(["“superb” → “terrible”"])
    expect(page.locator(".rs-change")).to_contain_text("→ very negative")
    page.get_by_role("textbox", name="Instead of").fill("<b>dull</b>")
    page.keyboard.press("Enter")
    wait_until_rested(page)
    expect(page.locator(CHIPS)).to_have_text(["“superb” → “<b>dull</b>”"])


def test_a_click_on_a_word_opens_the_tab(open_page):
    page = open_page("/agt")
    page.locator(".rs-shading [data-word='3']").first.click()
    expect(page.locator(".rs-pair")).to_have_count(5)
    expect(page.get_by_role("tab", name="What if")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("button", name="Delete")).to_be_in_viewport(ratio=1)


def test_a_dose_moves_the_classes_at_once_and_becomes_an_edit(page):
    check_undo_sets_the_bars_back_wherever_the_slider_was_left(page)
    check_a_dose_moves_the_classes_in_the_browser_and_becomes_an_edit(page)
    check_a_moving_dose_does_not_edit_the_next_picked_cell(page)


def check_undo_sets_the_bars_back_wherever_the_slider_was_left(page):
    before = numbers(page)
    page.locator(".rs-dose-range").focus()
    for _ in range(20):
        page.keyboard.press("ArrowLeft")
    dosed = numbers(page)
    assert dosed != before
    expect(page.locator(CHIPS)).to_have_count(1)
    while page.locator(CHIPS).count():  # one edit for every dose at which the slider rested
        press(page, "Undo")
    assert numbers(page) == before


def check_a_dose_moves_the_classes_in_the_browser_and_becomes_an_edit(page):
    before, picture = numbers(page), page.locator(CELLS).evaluate_all(FILLS)
    slider, share = page.locator(".rs-dose-range"), page.get_by_text("Its share for")
    expect(share).to_contain_text(", 0.81")
    count_messages(page)
    slider.evaluate("slider => { slider.value = 1; slider.dispatchEvent(new Event('input')); }")
    assert numbers(page) != before
    assert page.evaluate("window.sent") == 0
    moved = numbers(page)
    slider.dispatch_event("change")
    expect(page.locator(CHIPS)).to_have_text(["share of “hours” for capsule 3: 0.05"])
    wait_until_rested(page)
    assert numbers(page) == moved
    expect(share).to_contain_text(", 0.05")
    expect(page.locator(".rs-dose output")).to_have_text("0.05")
    assert page.locator(CELLS).evaluate_all(FILLS) != picture  # the edited picture is drawn too


def test_shares_are_frozen_and_both_pictures_are_scrubbed(page):
    check_shares_are_frozen_at_the_iteration_of_the_slider(page)
    press(page, "Clear")
    check_scrubbing_moves_both_pictures_and_a_map_is_compared(page)
    check_a_tip_takes_no_clicks_and_differences_agree(page)
    check_everybody_can_use_the_tab(page)


def check_a_tip_takes_no_clicks_and_differences_agree(page):
    page.get_by_role("button", name="Cut", exact=True).hover()
    tip = page.get_by_test_id("stTooltipContent")
    expect(tip).to_be_visible()
    assert tip.evaluate("tip => getComputedStyle(tip).pointerEvents") == "none"
    for name in ("Cut", "All"):
        press(page, name)
        for pair, difference in zip(numbers(page), page.locator(".rs-difference").all_inner_texts(), strict=True):
            first, second = (float(number.rstrip("%")) for number in pair.split(" → "))
            assert float(difference.replace("−", "-")) == pytest.approx(second - first, abs=1e-9)


def check_shares_are_frozen_at_the_iteration_of_the_slider(page):
    expect(page.get_by_role("radio", name="Equal", exact=True)).to_be_visible()
    # The first shares are equal, so that First would repeat Equal.
    assert page.get_by_role("radio", name="First", exact=True).count() == 0
    step_back(page)
    page.get_by_role("button", name="Freeze", exact=True).click()
    expect(page.locator(CHIPS)).to_have_text(["shares kept from iteration 2 on"])
    step_back(page)
    page.get_by_role("button", name="Freeze", exact=True).click()
    expect(page.locator(CHIPS)).to_have_text(["shares kept from iteration 1 on"])


def check_a_word_is_dropped_by_keyboard(page):
    word = page.locator(".rs-shading [data-word='0']").first
    word.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    wait_until_rested(page)
    expect(page.get_by_label("Word", exact=True)).to_have_value("4")
    button = page.get_by_role("button", name="Drop", exact=True)
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator(CHIPS)).to_have_text(["without “superb”"])


def check_scrubbing_moves_both_pictures_and_a_map_is_compared(page):
    page.locator(".rs-range").first.focus()
    page.keyboard.press("End")
    press(page, "Remove")
    count_messages(page)
    before = numbers(page)
    page.locator(".rs-range").first.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".rs-value")).to_have_text("2 of 3")
    assert numbers(page) != before
    assert page.evaluate("window.sent") == 0
    page.locator(".rs-range").first.focus()
    page.keyboard.press("End")
    press(page, "Clear")
    page.get_by_text("Causal map").click()
    expect(page.get_by_text("here: tau")).to_be_visible()
    expect(page.get_by_text("How large each share is, after 3 iterations")).to_be_visible()


def check_another_text_keeps_the_edits_that_fit(page):
    press(page, "Drop")
    press(page, "Remove")
    type_text(page, "A dull film.")
    expect(page.locator(CHIPS)).to_have_count(2)
    assert "edit=-drop" in page.url
    assert "edit=capsule" in page.url


def check_everybody_can_use_the_tab(page):
    page.mouse.move(0, 0)  # away from the button, whose tip Streamlit draws outside of every landmark
    check_accessible(page)
    check_phone_width(page)


PLACES = [  # page, number of a cell, and its word and layer
    ("/agt", 5, "6", "1"),
    ("/sentiment_capsules", 3 * 5 + 1, "4", None),
    pytest.param("/drnn", 4, "5", None, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("path", "cell", "word", "layer"), PLACES)
def test_a_click_on_a_cell_opens_what_if_for_its_word(page, path, cell, word, layer):
    page.get_by_label("Word", exact=True).fill("2")  # a choice on another page must not be kept
    page.keyboard.press("Enter")
    wait_until_rested(page)
    page.locator(f"[data-testid=stSidebarNav] a[href$='{path}']").click()
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Dynamic routing")
    wait_until_rested(page)
    page.locator(CELLS).nth(cell).click()
    wait_until_rested(page)
    expect(page.get_by_role("tab", name="What if")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_label("Word", exact=True)).to_have_value(word)
    page.get_by_role("tab", name="Measured" if path != "/sentiment_capsules" else "Formula").click()
    wait_until_rested(page)
    page.locator(CELLS).nth(cell).click()  # from another tab too
    wait_until_rested(page)
    expect(page.get_by_role("tab", name="What if")).to_have_attribute("aria-selected", "true")
    if layer:
        expect(page.get_by_role("spinbutton", name="Layer", exact=True)).to_have_value(layer)


def check_a_moving_dose_does_not_edit_the_next_picked_cell(page):
    sent = page.locator(".rs-paired").evaluate("""async (root) => {
        const sent = [];
        const { component } = root;
        component.send = (...what) => sent.push(what);
        const rest = (dose) => {
            component.range.dispatchEvent(new Event("change"));
            component.update({ ...component.data, dose });
            return new Promise((done) => setTimeout(done, 800));
        };
        const { dose } = component.data;
        await rest({ ...dose, label: "of another cell" });
        await rest(null);
        component.update({ ...component.data, dose });
        await rest({ ...dose });  // the same cell, drawn again
        return sent.map(([, value]) => dose.values.includes(value));
    }""")
    assert sent == [True]
