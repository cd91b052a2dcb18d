"""The k-means page as a person uses it."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.acts import check_reloaded, choose_example, colours, count_messages, download, step_back
from tests.browser.server import CELLS, wait_until_rested

pytestmark = pytest.mark.browser
PATH = "/kmeans"


@pytest.fixture
def page(open_page):
    return open_page(PATH)


def test_the_page_plays_follows_the_scrubber_and_takes_clicks(page):
    check_all_follows_the_scrubber_and_plays(page)
    check_a_clicked_cell_chooses_its_feature_capsule(page)
    check_each_of_two_pictures_contains_its_colour_bar(page)


def check_all_follows_the_scrubber_and_plays(page):
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".rs-value")).to_have_text(re.compile("^4 of 10"))
    page.get_by_role("button", name="Pause").click()
    page.locator(".rs-range").first.focus()
    page.keyboard.press("Home")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".rs-value")).to_have_text("3 of 10")
    count_messages(page)
    before = colours(page)[:64]
    step_back(page, 2)
    expect(page.locator(".rs-value")).to_have_text("1 of 10")
    page.wait_for_function(
        f"before => JSON.stringify([...document.querySelectorAll('{CELLS}')].slice(0, 64)"
        ".map(c => c.getAttribute('fill'))) != JSON.stringify(before)",
        arg=before,
    )
    expect(page.locator(".rs-note")).to_contain_text("After 1 iteration; trained with 3.")
    assert page.evaluate("window.sent") == 0


def check_each_of_two_pictures_contains_its_colour_bar(page):
    page.set_viewport_size({"width": 1360, "height": 900})
    page.get_by_text("Compare with dynamic routing in the k-means network").click()
    expect(page.locator(CELLS)).to_have_count(2 * 16 * 4)
    wait_until_rested(page)
    for chart in page.locator(".st-key-picture .stVegaLiteChart").all():
        legend, picture = chart.locator(".role-legend").bounding_box(), chart.bounding_box()
        assert legend["x"] + legend["width"] <= picture["x"] + picture["width"]
    scrubber, pictures = (page.locator(f".st-key-{key}").bounding_box() for key in ("controls", "picture"))
    assert scrubber["y"] + scrubber["height"] <= pictures["y"]  # below, it would cover the second picture


def check_a_clicked_cell_chooses_its_feature_capsule(page):
    page.locator(CELLS).nth(5 * 4).click()  # each capsule has 4 cells, one per class
    expect(page.get_by_role("spinbutton", name="Feature capsule")).to_have_value("6")
    expect(page.locator(".rs-shading h2").first).to_have_text("Adds to capsule 6")


def test_a_reloaded_link_shows_the_same_picture_and_its_tables(open_page):
    page = open_page(f"{PATH}?tab=Measured")
    assert download(page, "CSV, tables 4 to 6").startswith("corpus,embedding,routing,loss,seed")
    page.keyboard.press("Escape")
    choose_example(page, "Shares in the software")
    expect(page.get_by_role("textbox", name="Your text")).to_have_value(re.compile("^Shares in the software maker"))
    step_back(page, 2)
    page.wait_for_function("['t=1', 'example=Merger'].every(s => location.search.includes(s))")
    check_reloaded(page, colours)
    expect(page.locator(".rs-value")).to_have_text("1 of 10")
