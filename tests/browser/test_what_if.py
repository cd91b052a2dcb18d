"""Edits in the inspector as a person makes them."""

import pytest
from playwright.sync_api import expect

from tests.browser.acts import (
    CHIPS,
    check_accessible,
    check_phone_width,
    colours,
    count_messages,
    numbers,
    open_tab,
    press,
    step_back,
    type_text,
)
from tests.browser.server import CELLS, wait_until_rested

pytestmark = pytest.mark.browser

SUPERB = 3 * 5 + 3  # cell of “superb” and capsule 4
OUTLINES = ".stVegaLiteChart svg .before_marks path"
HOLLOW = "hollow => hollow.map(bar => bar.style.width)"


@pytest.fixture
def page(open_page):
    """The section Change it for “superb” and capsule 4."""
    page = open_page("/routing?inspect=Change+it&word=4&capsule=4")
    expect(page.locator(".rs-dose-name")).to_have_text("Share of “superb” → capsule 4")
    return page


def hollow(page):
    """The width of each hollow bar."""
    return page.locator(".rs-hollow").evaluate_all(HOLLOW)


def top_of(page, selector):
    """The height at which the first such element begins."""
    return page.locator(selector).first.evaluate("element => element.getBoundingClientRect().top")


def check_changed(page, *edits):
    """Check the chips, and that hollow bars and outlines show the run before the edits."""
    expect(page.locator(CHIPS)).to_contain_text(list(edits))
    expect(page.locator(".rs-verdict[data-changed]")).to_contain_text("Hollow bars: before the edit.")
    expect(page.locator(OUTLINES).first).to_be_attached()
    assert all(width != "0px" for width in hollow(page))


def check_unchanged(page, before):
    """Check that nothing is edited, and that the numbers are those before."""
    expect(page.locator(CHIPS)).to_have_count(0)
    expect(page.get_by_role("button", name="Undo", exact=True)).to_have_count(0)
    expect(page.locator(".rs-verdict[data-changed]")).to_have_count(0)
    expect(page.locator(OUTLINES)).to_have_count(0)
    assert numbers(page) == before


def test_edits_are_made_undone_removed_and_brought_back(page):
    check_a_share_is_cut_and_the_cut_undone(page)
    check_a_chip_is_removed_and_all_are_cleared(page)
    check_a_link_brings_its_edits_back(page)


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
    press(page, "Clear")
    check_unchanged(page, before)
    assert "edit=" not in page.url


def check_a_link_brings_its_edits_back(page):
    press(page, "Switch off")
    press(page, "Shuffled")
    before = page.locator(CHIPS).all_inner_texts(), numbers(page)
    page.reload()
    expect(page.locator(CHIPS)).to_have_count(2)
    wait_until_rested(page)
    assert (page.locator(CHIPS).all_inner_texts(), numbers(page)) == before


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


def test_a_dose_moves_bars_and_cells_at_once_and_becomes_an_edit(page):
    check_a_dragged_dose_asks_the_server_nothing(page)
    check_a_rested_dose_is_an_edit(page)
    check_undo_sets_the_slider_back(page)
    check_a_moving_dose_does_not_edit_the_next_picked_cell(page)


def check_a_dragged_dose_asks_the_server_nothing(page):
    before, picture = numbers(page), colours(page)
    slider = page.locator(".rs-dose-range")
    count_messages(page)
    for value in (15, 8, 1):
        slider.evaluate("(slider, to) => { slider.value = to; slider.dispatchEvent(new Event('input')); }", value)
    expect(page.locator(".rs-dose output")).to_have_text("0.05")
    assert numbers(page) != before
    expect(page.locator(".rs-verdict[data-changed]")).to_have_count(1)
    page.wait_for_function(
        "([cells, k, before]) => document.querySelectorAll(cells)[k].getAttribute('fill') !== before",
        arg=[CELLS, SUPERB, picture[SUPERB]],
    )
    assert page.evaluate("window.sent") == 0
    expect(page.locator(CHIPS)).to_have_count(0)


def check_a_rested_dose_is_an_edit(page):
    moved = numbers(page)
    page.locator(".rs-dose-range").dispatch_event("change")
    check_changed(page, "share of “superb” for capsule 4: 0.05")
    wait_until_rested(page)
    assert numbers(page) == moved
    expect(page.locator(".rs-dose output")).to_have_text("0.05")


def check_undo_sets_the_slider_back(page):
    press(page, "Undo")
    expect(page.locator(CHIPS)).to_have_count(0)
    expect(page.locator(".rs-dose output")).to_have_text("0.97")
    before = numbers(page)
    page.locator(".rs-dose-range").focus()
    for _ in range(20):
        page.keyboard.press("ArrowLeft")
    assert numbers(page) != before
    expect(page.locator(CHIPS)).to_have_count(1)
    wait_until_rested(page)
    while page.locator(CHIPS).count():  # one edit for every dose at which the slider rested
        press(page, "Undo")
    check_unchanged(page, before)


def check_a_moving_dose_does_not_edit_the_next_picked_cell(page):
    sent = page.locator(".rs-dose").evaluate("""async (root) => {
        const sent = [];
        const { component } = root;
        component.send = (...what) => sent.push(what);
        const rest = (data) => {
            component.range.dispatchEvent(new Event("change"));
            component.update(data);
            return new Promise((done) => setTimeout(done, 800));
        };
        const { data } = component;
        await rest({ ...data, label: "of another cell" });
        component.update(data);
        component.range.dispatchEvent(new Event("change"));
        await new Promise((done) => setTimeout(done, 800));
        return sent.map(([, value]) => data.values.includes(value));
    }""")
    assert sent == [True]


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
