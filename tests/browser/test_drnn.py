"""The DRNN page as a person uses it."""

import pytest
from playwright.sync_api import expect

from tests.browser.acts import (
    check_reloaded,
    check_scrubbed_to_the_first,
    shaded_heading,
    shades,
    step_back,
    type_text,
)
from tests.browser.server import wait_until_rested

pytestmark = pytest.mark.browser
PATH = "/drnn"


@pytest.fixture
def page(open_page):
    return open_page(PATH)


def test_the_page_plays_follows_the_scrubber_and_reads_a_text(page):
    check_all_follows_the_scrubber_and_plays(page)
    check_a_new_text_keeps_the_window(page)
    check_the_surface_names_the_word_at_the_pointer(page)


def check_all_follows_the_scrubber_and_plays(page):
    expect(shaded_heading(page)).to_contain_text("Window 15 · ")
    check_scrubbed_to_the_first(page, "window", 15, 40, "Window 1 · 1 word")
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".rs-value")).to_have_text("2 of 40")
    page.get_by_role("button", name="Pause").click()


def check_a_new_text_keeps_the_window(page):
    window = shaded_heading(page).inner_text().split("·")[0]
    type_text(page, "The striker scored twice.")
    expect(page.locator(".rs-shading")).to_contain_text("The striker scored twice.")
    expect(shaded_heading(page)).to_contain_text(window)


def test_a_reloaded_link_shows_the_same_picture(page):
    page.get_by_role("combobox", name="Examples").click()
    page.get_by_role("option", name="Merger").click()
    expect(page.locator(".rs-shading")).to_contain_text("Shares in the software maker")
    step_back(page, 4, param="window")
    page.wait_for_function("['window=11', 'example=Merger'].every(s => location.search.includes(s))")
    check_reloaded(page, shades)
    expect(page.locator(".rs-value")).to_have_text("11 of 40")
    expect(shaded_heading(page)).to_contain_text("Window 11 · ")


def check_the_surface_names_the_word_at_the_pointer(page):
    type_text(page, "Shares <b>fell</b> & <i>rose</i>.")
    page.get_by_role("tab", name="Surface").click()
    chart = page.locator(".stPlotlyChart")
    expect(chart.locator("canvas").first).to_be_visible(timeout=30_000)  # Plotly is a large script
    wait_until_rested(page)
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    label = chart.locator(".hovertext")
    for across in range(3, 8):  # tenths of the width, until the pointer is over the surface
        page.mouse.move(box["x"] + box["width"] * across / 10, box["y"] + box["height"] * 0.45)
        wait_until_rested(page)
        if label.count():
            break
    expect(label).to_contain_text("ends at “")
    expect(label).to_contain_text("of 150")
    assert "tab=Surface" in page.url
