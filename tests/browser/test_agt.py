"""The AGT page as a person uses it."""

from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.browser.acts import (
    CHIPS,
    check_reloaded,
    check_scrubbed_to_the_first,
    choose_example,
    open_tab,
    press,
    shaded_heading,
    shades,
    step_back,
    type_text,
)
from tests.browser.server import CELLS, wait_until_rested

pytestmark = pytest.mark.browser
PATH = "/agt"
NUMBERS = ".st-key-picture .stVegaLiteChart svg .mark-text.role-mark text"
WORDS, LAYERS = 13, 15  # of the text and the network that the page shows first


@pytest.fixture
def page(open_page):
    page = open_page(PATH)
    expect(page.locator(NUMBERS)).to_have_count(WORDS * LAYERS)
    return page


def test_the_page_plays_is_clicked_scrolls_and_is_reloaded(page):
    check_all_follows_the_scrubber_and_plays(page)
    check_clicks_fill_the_inspector(page)
    check_the_picture_scrolls_on_a_phone(page)
    check_the_picture_of_a_long_text_scrolls(page)
    page.set_viewport_size({"width": 1280, "height": 900})
    check_a_reloaded_link_shows_the_same_picture(page)


def check_the_picture_of_a_long_text_scrolls(page):
    type_text(page, "An awful, awful film.")
    expect(page.locator(NUMBERS)).to_have_count(6 * LAYERS)
    assert "1.00" in page.locator(NUMBERS).all_text_contents()
    type_text(page, "good film " * 30)
    expect(page.locator(NUMBERS)).to_have_count(60 * LAYERS)
    box = page.locator(".stVegaLiteChart").first
    assert box.evaluate("box => box.scrollWidth") > 60 * 30
    assert page.locator(NUMBERS).first.evaluate("text => parseFloat(getComputedStyle(text).fontSize)") >= 10


def check_all_follows_the_scrubber_and_plays(page):
    expect(shaded_heading(page)).to_contain_text("Layer 15 · ")
    check_scrubbed_to_the_first(page, "layer", 15, 15, "Layer 1 · ")
    expect(page.locator(".rs-finding")).to_contain_text("Layer 1 looks mostly at “")
    expect(page.locator(".rs-note")).to_have_text("Prediction from layer 1")
    page.keyboard.press("End")
    expect(page.locator(".rs-value")).to_have_text("15 of 15")
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".rs-value")).to_have_text("1 of 15")
    expect(page.locator(".rs-value")).to_have_text("2 of 15")


def check_clicks_fill_the_inspector(page):
    page.get_by_role("button", name="Pause").click()
    word, layer = page.get_by_label("Word", exact=True), page.get_by_role("spinbutton", name="Layer", exact=True)
    page.locator(CELLS).nth(5).click()
    expect(word).to_have_value("6")
    expect(layer).to_have_value("1")
    open_tab(page, "Change it")
    page.locator(".rs-shading [data-word='3']").first.click()
    expect(word).to_have_value("4")
    wait_until_rested(page)
    expect(page.get_by_role("tab", name="Change it")).to_have_attribute("aria-selected", "true")
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollTop") == 0
    press(page, "Mask word")
    expect(page.locator(CHIPS)).to_have_count(1)
    press(page, "Undo")
    open_tab(page, "This cell")


def check_the_picture_scrolls_on_a_phone(page):
    page.set_viewport_size({"width": 375, "height": 812})
    wait_until_rested(page)
    around = page.locator(".stElementContainer:has(> * .stVegaLiteChart)").first
    page.wait_for_function(f"() => document.querySelector('{CELLS}').getBoundingClientRect().width >= 44")
    page.wait_for_function(
        "box => box.scrollWidth > box.clientWidth && box.clientWidth < 375", arg=around.element_handle()
    )
    title = page.locator(".stVegaLiteChart .role-legend-title").first.bounding_box()
    assert title["x"] >= 0
    assert title["x"] + title["width"] < 375
    assert page.locator(CELLS).first.bounding_box()["y"] > title["y"] + title["height"]
    expect(page.locator(".stVegaLiteChart").first).to_have_attribute("tabindex", "0")


def check_a_reloaded_link_shows_the_same_picture(page):
    choose_example(page, "Not so much a movie")
    expect(page.locator(NUMBERS)).to_have_count(14 * LAYERS)
    page.locator(".rs-range").focus()
    page.keyboard.press("End")
    step_back(page, 4, param="layer")
    page.get_by_role("spinbutton", name="Selected above").fill("0.94")
    page.keyboard.press("Enter")
    expect(page.get_by_text("selected, above 0.94").first).to_be_attached()
    page.wait_for_function("['layer=11', 'example=Not', 'threshold=0.94'].every(s => location.search.includes(s))")
    check_reloaded(page, shades)
    expect(page.locator(".rs-value")).to_have_text("11 of 15")
    expect(shaded_heading(page)).to_contain_text("Layer 11 · ")


# The visible labels of each axis of each chart: the middle of a label, and the space to the right edge of the chart.
LABELS = """charts => charts.map(svg => [...svg.querySelectorAll('.role-axis-label')].map(axis =>
  [...axis.querySelectorAll('text')].filter(text => +text.getAttribute('opacity') !== 0).map(text => {
    const [box, all] = [text.getBoundingClientRect(), svg.getBoundingClientRect()];
    return { x: box.x + box.width / 2, y: box.y + box.height / 2, room: all.right - box.right };
  })))"""


def test_labels_have_even_distances_and_none_is_cut(open_page):
    page = open_page(f"{PATH}?tab=Test+split")
    expect(page.get_by_text("Words that the chosen layer selects most often, all test sentences")).to_be_visible()
    wait_until_rested(page)
    axes = [axis for chart in page.locator(".stVegaLiteChart svg").evaluate_all(LABELS) for axis in chart if axis]
    assert min(label["room"] for axis in axes for label in axis) > 0
    long_axes = [axis for axis in axes if len(axis) > 2 and axis[0]["y"] != axis[-1]["y"]]
    columns_of_places = [[label["y"] for label in axis] for axis in long_axes if abs(axis[0]["x"] - axis[-1]["x"]) < 60]
    assert len(columns_of_places) >= 4
    for places in columns_of_places:
        gaps = [b - a for a, b in pairwise(places)]
        assert max(gaps) - min(gaps) < 1.5, places
