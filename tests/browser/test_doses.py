"""The slider for the dose of an edit: bars and cells follow it, and where it rests it becomes an edit."""

import pytest
from playwright.sync_api import expect

from tests.browser.acts import CHIPS, colours, count_messages, numbers, press
from tests.browser.edits import SUPERB, check_changed, check_unchanged, open_superb
from tests.browser.server import CELLS, wait_until_rested

pytestmark = pytest.mark.browser


@pytest.fixture
def page(open_page):
    return open_superb(open_page)


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
    # A timer that starts later and takes longer than the slider's 400 ms ends after it, on a busy machine too.
    sent = page.locator(".rs-dose").evaluate("""async (root) => {
        const sent = [];
        const { component } = root;
        component.send = (...what) => sent.push(what);
        const rest = (data) => {
            component.range.dispatchEvent(new Event("change"));
            component.update(data);
            return new Promise((done) => setTimeout(done, 500));
        };
        const { data } = component;
        await rest({ ...data, label: "of another cell" });
        component.update(data);
        component.range.dispatchEvent(new Event("change"));
        await new Promise((done) => setTimeout(done, 500));
        return sent.map(([, value]) => data.values.includes(value));
    }""")
    assert sent == [True]
