"""The export menu in a browser, because the scrubber moves only there."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.acts import step_back
from tests.browser.server import CELLS, wait_until_rested

pytestmark = pytest.mark.browser


def test_files_follow_the_scrubber_and_html_works_offline(page, context_of, tmp_path):
    check_the_menu_follows_the_scrubber_when_it_is_opened_again(page)
    finding = page.locator(".rs-finding").text_content()
    with page.expect_download() as svg:
        page.get_by_role("button", name="SVG", exact=True).click()
    assert svg.value.suggested_filename == "dragg-reversed-sst5-iteration-2.svg"
    assert "dragg-reversed-sst5, iteration 2 of 10: predicts" in Path(svg.value.path()).read_text(encoding="utf-8")
    with page.expect_download() as html:
        page.get_by_role("button", name="HTML", exact=True).click()
    html.value.save_as(tmp_path / "figures.html")

    requested, errors = [], []
    offline_page = context_of({"offline": True}).new_page()
    offline_page.on("request", lambda request: requested.append(request.url))
    offline_page.on("pageerror", lambda error: errors.append(error))
    offline_page.goto((tmp_path / "figures.html").as_uri())
    cells = offline_page.locator(CELLS.replace(".stVegaLiteChart", "#figures"))
    expect(cells).to_have_count(15 * 5)
    expect(offline_page.locator(".rs-value")).to_have_text("2 of 10")
    expect(offline_page.locator(".rs-finding")).to_have_text(
        [re.compile("^dragg-reversed-sst5, iteration 2 of 10: predicts"), finding]
    )
    expect(offline_page.locator(".rs-class")).to_have_count(5)
    expect(offline_page.locator(".rs-shading p").first).to_contain_text("The acting is superb")
    before = offline_page.locator(".rs-answer").text_content()
    fills = "cells => cells.map(cell => cell.getAttribute('fill')).join()"
    colours = cells.evaluate_all(fills)
    step_back(offline_page)
    expect(offline_page.locator(".rs-answer")).not_to_have_text(before)
    offline_page.wait_for_function(
        f"before => ({fills})([...document.querySelectorAll('#figures .mark-rect.role-mark path')]) !== before",
        arg=colours,
    )
    offline_page.close()
    assert not errors
    assert all(url.startswith(("file:", "data:", "blob:")) for url in requested)


def check_the_menu_follows_the_scrubber_when_it_is_opened_again(page):
    menu = page.get_by_role("button", name="Export")
    menu.click()
    expect(page.get_by_text("The figure at iteration 3")).to_be_visible()
    menu.click()
    wait_until_rested(page)
    step_back(page)
    menu.click()
    expect(page.get_by_text("The figure at iteration 2")).to_be_visible()
