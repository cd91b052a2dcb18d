"""The Routing page as a person uses it."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.acts import (
    check_accessible,
    check_phone_width,
    choose_network,
    colours,
    count_messages,
    step_back,
    type_text,
)
from tests.browser.server import CELLS, wait_until_drawn, wait_until_rested

pytestmark = pytest.mark.browser
MARKUP = (
    "<script>window.hacked = 1</script> <img src=x onerror='window.hacked = 1'>",
    "**bold** [a](b) $x$ :red[c]",
)
# Whether a cell is in sight in its chart, which scrolls sideways.
IS_IN_SIGHT = """framed => {
  const cell = document.querySelector(framed);
  const [inner, outer] = [cell.getBoundingClientRect(), cell.closest(".stVegaLiteChart").getBoundingClientRect()];
  return outer.left <= inner.left && inner.right <= outer.right;
}"""


def test_a_preset_is_scrubbed_played_and_clicked(page):
    check_scrubbed(page)
    check_played(page)
    page.locator(".rs-range").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    check_a_clicked_cell_shows_its_history_and_keeps_the_iteration(page)


def check_scrubbed(page):
    assert page.locator(CELLS).count() == 15 * 5
    expect(page.locator(".rs-value")).to_have_text("3 of 10")
    expect(page.locator(".rs-shading p").first).to_have_text(
        "The acting is superb, but the plot never earns its two long hours."
    )
    cell = page.locator(CELLS).nth(3 * 5 + 3)
    expect(cell).to_have_attribute("aria-label", re.compile(r"^superb, capsule 4: 0"))
    count_messages(page)
    last, shade = colours(page), page.locator(".rs-shading").inner_html()
    step_back(page, 2)
    expect(page.locator(".rs-value")).to_have_text("1 of 10")
    page.wait_for_function(f"before => document.querySelector('{CELLS}').getAttribute('fill') !== before", arg=last[0])
    assert len(set(colours(page))) == 1  # at the first iteration every share is 1/15
    assert page.locator(".rs-shading").inner_html() != shade
    assert "t=1" in page.url
    assert page.evaluate("window.sent") == 0
    bar = page.locator(".st-key-picture .role-legend [fill^=url]")  # the gradient is found in a changed address too
    expect(bar).to_have_attribute("fill", re.compile(r"^url\(#"))


def test_a_typed_text_is_read_and_is_never_markup(page):
    check_never_markup(page)
    check_unknown_words_are_dotted_and_counted(page)
    check_the_framed_cell_of_a_long_text_is_in_sight(page)
    check_phone_width_scrolls_the_chart_and_not_the_page(page)


def check_never_markup(page):
    type_text(page, "An awful, awful film.")
    expect(page.locator(CELLS)).to_have_count(6 * 5)
    expect(page.locator(".rs-shading p").first).to_have_text("An awful, awful film.")
    for text in MARKUP:
        type_text(page, text)
        expect(page.locator(".rs-shading p").first).to_have_text(text)
        assert page.evaluate("window.hacked") is None
        assert page.locator(".stMain img").count() == 0
        assert page.locator(".rs-shading :is(script, img, a, strong)").count() == 0
    type_text(page, "   ")
    expect(page.get_by_text("There is no word in this text. Type a sentence.")).to_be_visible()
    type_text(page, "Better.")
    expect(page.locator(CELLS)).to_have_count(2 * 5)


def check_unknown_words_are_dotted_and_counted(page):
    type_text(page, "Le scénario est superbe.")
    expect(page.get_by_text("3 of 4 words are unknown to this network: its answer means little.")).to_be_visible()
    unknown = page.locator(".rs-shading > div").first.locator(".rs-unknown")
    expect(unknown).to_have_text(["scénario", "est", "superbe"])
    assert unknown.first.evaluate("word => getComputedStyle(word).textDecorationStyle") == "dotted"
    labels = page.locator(".stVegaLiteChart .role-axis-label text")
    expect(labels.filter(has_text="scénario")).to_contain_text("····")
    assert "·" not in labels.filter(has_text="Le").first.text_content()
    expect(page.get_by_text("Dotted: not among the words")).to_be_visible()


def check_played(page):
    rail = page.locator(".rs-rail")
    before = rail.bounding_box()["width"]
    page.keyboard.press("End")
    expect(page.locator(".rs-value")).to_have_text("10 of 10, beyond training")
    assert rail.bounding_box()["width"] == before  # the thumb stays under the mouse
    assert page.locator(".rs-verdict .rs-classes").evaluate("bars => +getComputedStyle(bars).opacity") < 1
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".rs-value")).to_have_text("1 of 10")
    expect(page.locator(".rs-value")).to_have_text("2 of 10")
    page.get_by_role("button", name="Pause").click()
    stopped = page.locator(".rs-value").inner_text()
    page.wait_for_timeout(1200)  # longer than one step of Play
    assert page.locator(".rs-value").inner_text() == stopped
    assert page.evaluate("window.sent") == 0


def check_a_clicked_cell_shows_its_history_and_keeps_the_iteration(page):
    tip = page.locator("#vg-tooltip-element.visible")
    page.locator(CELLS).nth(2 * 5 + 3).hover()
    expect(tip).to_be_visible()
    page.locator(CELLS).nth(2 * 5 + 3).click()
    expect(tip).to_have_count(0)  # it would cover the words
    expect(page.get_by_label("Word", exact=True)).to_have_value("3")
    expect(page.get_by_label("Capsule", exact=True)).to_have_value("4")
    expect(page.get_by_text("“is”", exact=True)).to_be_visible()
    expect(page.get_by_text(re.compile("of what capsule 4 receives after"))).to_be_visible()
    expect(page.locator(".rs-value")).to_have_text("2 of 10")
    framed = "cells => cells.findIndex(c => c.getAttribute('stroke-width') === '4')"
    page.wait_for_function(f"() => ({framed})([...document.querySelectorAll('{CELLS}')]) === {2 * 5 + 3}")
    inside = "cell => getComputedStyle(cell).clipPath"  # the frame lies inside its cell, where no neighbour covers it
    assert page.locator(CELLS).nth(2 * 5 + 3).evaluate(inside) != "none"
    wait_until_rested(page)
    check_a_click_on_a_word_fills_the_inspector_and_moves_nothing(page)
    wait_until_rested(page)
    check_a_cell_can_be_clicked_again_after_another_was_picked(page)


def check_a_click_on_a_word_fills_the_inspector_and_moves_nothing(page):
    page.set_viewport_size({"width": 1280, "height": 600})  # so that the page could scroll
    page.locator(".rs-shading [data-word='3']").first.click()
    expect(page.get_by_label("Word", exact=True)).to_have_value("4")
    expect(page.get_by_label("Capsule", exact=True)).to_have_value("4")
    expect(page.locator(".rs-finding")).to_contain_text("“superb”")
    expect(page.get_by_role("tab", name="This cell")).to_have_attribute("aria-selected", "true")
    wait_until_rested(page)
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollTop") == 0
    page.set_viewport_size({"width": 1280, "height": 900})


def check_a_cell_can_be_clicked_again_after_another_was_picked(page):
    word = page.get_by_label("Word", exact=True)
    cell = page.locator(CELLS).nth(2 * 5 + 3)
    for _ in range(2):
        cell.click()
        expect(word).to_have_value("3")
        word.fill("1")
        word.press("Enter")
        expect(page.get_by_text("“The”", exact=True)).to_be_visible()
        wait_until_rested(page)


def check_the_framed_cell_of_a_long_text_is_in_sight(page):
    type_text(page, "A dull film. " * 20 + "It is superb.")
    for word in ("3", "79"):
        page.get_by_label("Word", exact=True).fill(word)
        page.keyboard.press("Enter")
        expect(page.locator(CELLS + "[stroke-width='4']")).to_have_attribute("aria-label", re.compile("^film, "))
        page.wait_for_function(IS_IN_SIGHT, arg=CELLS + "[stroke-width='4']")


def test_each_page_keeps_its_own_checkpoint(page):
    choose_network(page, "Standard dynamic routing · film sentences, 5 classes")
    for path in ("/agt", "/routing"):
        page.locator(f"[data-testid=stSidebarNav] a[href$='{path}']").click()
        page.wait_for_function("path => location.pathname === path", arg=path)
        heading = page.get_by_role("heading", level=1)
        if path == "/routing":
            expect(heading).to_have_text("Dynamic routing")
        else:
            expect(heading).not_to_have_text("Dynamic routing")
        wait_until_drawn(page)
        assert ("checkpoint=dragg-sst5" in page.url) == (path == "/routing")
        assert "agt-sst5" not in page.url
    for path, has_network in (("/agt", False), ("/routing", True)):  # each page is one step back
        page.go_back()
        page.wait_for_function("path => location.pathname === path", arg=path)
        wait_until_drawn(page)
        assert ("checkpoint=dragg-sst5" in page.url) == has_network


def test_everybody_can_compare_standard_and_reversed_routing(page):
    page.get_by_text("Compare with standard dynamic routing").click()
    expect(page.locator(CELLS)).to_have_count(2 * 15 * 5)
    step_back(page)
    assert "beside=true" in page.url
    check_accessible(page)
    page.reload()  # in a browser that is dark from the start
    wait_until_drawn(page)
    ink = page.locator(".stVegaLiteChart svg .role-axis text").first
    assert ink.evaluate("e => getComputedStyle(e).fill") == "rgb(238, 242, 247)"


def check_phone_width_scrolls_the_chart_and_not_the_page(page):
    type_text(page, "word " * 60)
    expect(page.locator(CELLS)).to_have_count(60 * 5)
    check_phone_width(page)
    chart = page.evaluate("(c => [c.scrollWidth, c.clientWidth])(document.querySelector('.stVegaLiteChart'))")
    assert chart[0] > 60 * 20 > chart[1]


def test_two_users_do_not_disturb_each_other(open_page):
    first, second = open_page(), open_page()
    type_text(first, "First user.")
    type_text(second, "The second user types more.")
    expect(first.locator(CELLS)).to_have_count(3 * 5)
    expect(second.locator(CELLS)).to_have_count(6 * 5)


def test_the_keyboard_scrubs_plays_and_picks_a_cell(open_page):
    page = open_page("/routing?word=4&capsule=3")
    check_the_keyboard_scrubs_plays_and_picks_the_next_word(page)
    wait_until_rested(page)
    check_arrow_keys_pick_the_next_cell_and_space_plays(page)


def check_the_keyboard_scrubs_plays_and_picks_the_next_word(page):
    page.locator(".rs-range").focus()
    page.keyboard.press("Home")
    expect(page.locator(".rs-value")).to_have_text("1 of 10")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(page.locator(".rs-play")).to_have_text("Pause")
    page.keyboard.press("Space")
    expect(page.locator(".rs-play")).to_have_text("Play")
    word = page.get_by_label("Word", exact=True)
    expect(page.get_by_text("“superb”", exact=True)).to_be_visible()
    word.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.get_by_text("“,”", exact=True)).to_be_visible()


def check_arrow_keys_pick_the_next_cell_and_space_plays(page):
    i, j = 5, 3
    word, capsule = (page.get_by_label(name, exact=True) for name in ("Word", "Capsule"))
    page.locator(".st-key-picture .stVegaLiteChart").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowUp"):
        page.keyboard.press(key)
    wait_until_rested(page)
    assert [float(word.input_value()), float(capsule.input_value())] == [i + 2, j - 1]
    inspector = page.locator(".st-key-inspector").inner_text()  # it follows
    assert "“the”" in inspector
    assert f"of what capsule {j - 1} receives" in inspector
    page.keyboard.press("Space")
    assert page.locator(".rs-play").inner_text() == "Pause"
    page.keyboard.press("Space")
    assert page.locator(".rs-play").inner_text() == "Play"
