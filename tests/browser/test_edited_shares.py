"""Shares that a person fixes and scrubs, by mouse and by keyboard, in a section that everybody can use."""

import pytest
from playwright.sync_api import expect

from tests.browser.acts import (
    CHIPS,
    check_accessible,
    check_phone_width,
    count_messages,
    numbers,
    open_tab,
    press,
    step_back,
)
from tests.browser.edits import hollow, open_superb
from tests.browser.server import CELLS, wait_until_rested

pytestmark = pytest.mark.browser


@pytest.fixture
def page(open_page):
    return open_superb(open_page)


def test_shares_are_fixed_scrubbed_and_reached_by_keyboard(page):
    check_shares_are_fixed_at_the_iteration_of_the_slider(page)
    press(page, "Clear")
    check_scrubbing_moves_the_edited_picture(page)
    check_tab_reaches_everything(page)
    check_a_tip_takes_no_clicks_and_differences_agree(page)
    check_everybody_can_use_the_page(page)
    check_the_effect_of_cutting_each_is_drawn(page)


def check_shares_are_fixed_at_the_iteration_of_the_slider(page):
    # The first shares are equal, so that "Iteration 1" would repeat "Equal".
    assert page.get_by_role("button", name="Iteration 1", exact=True).count() == 0
    step_back(page)
    page.get_by_role("button", name="Fixed from this iteration", exact=True).click()
    expect(page.locator(CHIPS)).to_contain_text(["shares kept from iteration 2 on"])
    wait_until_rested(page)
    step_back(page)
    page.get_by_role("button", name="Fixed from this iteration", exact=True).click()
    expect(page.locator(CHIPS)).to_contain_text(["shares kept from iteration 1 on"])
    press(page, "Switch off")


def check_scrubbing_moves_the_edited_picture(page):
    page.locator(".rs-range").first.focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    press(page, "Switch off")
    count_messages(page)
    before, hollow_before = numbers(page), hollow(page)
    step_back(page)
    expect(page.locator(".rs-value")).to_have_text("2 of 10")
    assert numbers(page) != before
    assert hollow(page) != hollow_before
    assert page.evaluate("window.sent") == 0


def check_tab_reaches_everything(page):
    page.locator(".rs-play").focus()
    reached = []
    for key in ["Shift+Tab"] * 12 + ["Tab"] * 45:
        page.keyboard.press(key)
        reached.append(
            page.evaluate("""() => {
            const { className, textContent, role, type } = document.activeElement;
            return [type === "range" ? className : textContent.trim(), role ?? ""].join();
        }""")
        )
    wanted = [
        "Set to 0,",
        "Mask word,",
        "Switch off,",
        "Equal,",
        "Fixed from this iteration,",
        "rs-dose-range,",
        "Change it,tab",
    ]
    assert not [one for one in wanted if one not in reached], reached
    assert [one for one in reached if one.startswith("without capsule 4")], reached
    page.get_by_role("tab", name="Change it").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("tab", name="This cell")).to_be_focused()
    wait_until_rested(page)  # the server's answer selects the tab once more
    page.keyboard.press("ArrowRight")
    wait_until_rested(page)
    expect(page.get_by_role("tab", name="Change it")).to_have_attribute("aria-selected", "true")


def check_a_tip_takes_no_clicks_and_differences_agree(page):
    page.get_by_role("button", name="Set to 0", exact=True).hover()
    tip = page.get_by_test_id("stTooltipContent")
    expect(tip).to_be_visible()
    assert tip.evaluate("tip => getComputedStyle(tip).pointerEvents") == "none"
    press(page, "Set to 0")
    befores = page.locator(".rs-verdict .rs-number").evaluate_all("numbers => numbers.map(number => number.title)")
    for now, before, difference in zip(
        numbers(page), befores, page.locator(".rs-difference").all_inner_texts(), strict=True
    ):
        first, second = (float(number.removesuffix(" before").rstrip("%")) for number in (before, now))
        assert float(difference.replace("−", "-")) == pytest.approx(second - first, abs=1e-9)


def check_everybody_can_use_the_page(page):
    page.mouse.move(0, 0)  # away from the button, whose tip Streamlit draws outside of every landmark
    check_accessible(page)
    check_phone_width(page)


def check_the_effect_of_cutting_each_is_drawn(page):
    page.get_by_text("Effect of cutting each").click()
    expect(page.get_by_text("log-odds lost if cut").first).to_be_attached()
    expect(page.locator(CELLS)).to_have_count(15 * 5)
    open_tab(page, "Test it")
    expect(page.get_by_text("Over the test split")).to_be_visible()
    check_test_it_is_read_from_its_top(page)


def check_test_it_is_read_from_its_top(page):
    """Check that the verdict comes first, and that no menu covers a title."""
    page.set_viewport_size({"width": 1280, "height": 900})
    wait_until_rested(page)
    tops = [page.get_by_text(text).bounding_box()["y"] for text in ("In this text, the picture", "Deleted words are")]
    assert tops[0] < tops[1]
    inspector = page.locator(".st-key-inspector")
    chart = inspector.locator(".stElementContainer:has(.stVegaLiteChart)").first
    chart.scroll_into_view_if_needed()
    chart.hover()
    menu = chart.locator("[data-testid=stElementToolbar]")
    assert menu.bounding_box()["y"] >= chart.bounding_box()["y"]
