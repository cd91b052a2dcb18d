"""Runs are pinned on their pages and compared, as a person does it."""

import pytest
from playwright.sync_api import expect

from tests.browser.acts import check_accessible, check_phone_width, open_tab, pin, step_back, type_text
from tests.browser.server import wait_until_drawn, wait_until_rested

pytestmark = pytest.mark.browser
FIRST = "The acting is superb, but the plot never earns its two long hours."
SECOND = "The acting is dull, but the plot earns its two long hours."
STREAMLITS_UPLOADER = "[data-testid=stFileUploaderDropzone]"  # not for axe: it has a label and no role
N_WORDS, N_CAPSULES = 15, 5
CELLS = ".stVegaLiteChart >> nth={} >> g.mark-rect.role-mark path"  # cells of a chart, by its number
# The words of the framed cells in each of the first three charts.
FRAMED = """charts => charts.slice(0, 3).map(chart =>
  [...chart.querySelectorAll("g.mark-rect.role-mark path")].filter(c => c.getAttribute("stroke-width") === "4")
    .map(c => c.getAttribute("aria-label").match(/^(.*), [^,]*: /)[1]))"""


def choose(page, name, option):
    page.get_by_role("combobox", name=name, exact=True).click()
    page.get_by_role("option").nth(option).click()
    wait_until_rested(page)


def show(page, side, row):
    """Click "Show left" or "Show right" in a row of the table of pinned runs, which is a canvas."""
    table = page.locator("[data-testid=stDataFrame]").first
    table.scroll_into_view_if_needed()
    box = table.bounding_box()
    page.mouse.click(box["x"] + {"left": 40, "right": 115}[side], box["y"] + 35 * (row + 1) + 18)
    wait_until_rested(page)


def go_to_compare(page):
    page.get_by_role("link", name="Compare").click()
    page.wait_for_selector(".rs-sides")
    wait_until_drawn(page)


def compare(page):
    """Pin two runs with different texts and iterations, and open them side by side."""
    type_text(page, FIRST)
    pin(page)
    type_text(page, SECOND)
    step_back(page, 2)
    pin(page, "Pinned (2). Open it in Compare.")
    go_to_compare(page)
    show(page, "left", 0)
    show(page, "right", 1)


def test_two_runs_are_pinned_compared_saved_and_opened_again(page, address, tmp_path):
    compare(page)
    check_differences_are_shown(page)
    check_in_sight(page)
    check_one_selection_drives_both(page)
    open_tab(page, "Pinned runs")
    check_usable_by_everybody(page)
    check_saved_read_in_another_session_and_opened_again(page, address, tmp_path / "runs.json")


def check_differences_are_shown(page):
    expect(page.get_by_role("textbox", name="Left text")).to_have_value(FIRST)
    expect(page.get_by_role("textbox", name="Right text")).to_have_value(SECOND)
    expect(page.locator(".rs-sides-answers")).to_contain_text("“superb … never”")
    expect(page.locator(".rs-finding")).to_contain_text("The text and the iteration differ.")
    n_cells = [page.locator(CELLS.format(k)).count() for k in range(3)]
    assert n_cells == [
        N_WORDS * N_CAPSULES,
        (N_WORDS - 1) * N_CAPSULES,
        (N_WORDS - 1) * N_CAPSULES,
    ]  # only A has "never"


def check_one_selection_drives_both(page):
    page.locator(CELLS.format(1)).nth(3 * N_CAPSULES + 2).click()
    wait_until_rested(page)
    assert page.eval_on_selector_all(".stVegaLiteChart", FRAMED) == [["superb / dull"]] * 3
    open_tab(page, "This cell")
    expect(page.get_by_text("“superb / dull”", exact=True)).to_be_visible()
    expect(page.locator(".stVegaLiteChart")).to_have_count(4)
    page.locator(CELLS.format(0)).nth(0).click()
    wait_until_rested(page)
    assert page.eval_on_selector_all(".stVegaLiteChart", FRAMED) == [["The"]] * 3


def check_saved_read_in_another_session_and_opened_again(page, address, path):
    """Check that runs are saved on the tab of pinned runs, read in a new session, and opened there."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save all to a file").click()
    waiting.value.save_as(path)
    page.goto(f"{address}/compare")
    page.wait_for_selector(".rs-sides")
    open_tab(page, "Pinned runs")
    expect(page.get_by_text("Pin runs on the page of any model", exact=False)).to_be_visible()
    page.set_input_files("input[type=file]", path)
    wait_until_rested(page)
    page.set_viewport_size({"width": 1280, "height": 1400})  # a menu that scrolls away closes
    wait_until_rested(page)
    choose(page, "Run", 1)
    page.get_by_role("link", name="Open in its page").click()
    wait_until_drawn(page)
    assert page.get_by_role("textbox", name="Your text").input_value() == SECOND
    expect(page.locator(".rs-value")).to_have_text("1 of 10")


def test_a_button_runs_the_texts_that_were_typed(open_page):
    page = open_page("/compare")
    page.get_by_role("textbox", name="Right text").fill("The cast is superb, and the jokes are warm.")
    page.get_by_role("button", name="Run").click()
    expect(page.locator(".rs-finding")).to_contain_text("“and … warm”")
    expect(page.get_by_role("textbox", name="Right text")).to_have_value("The cast is superb, and the jokes are warm.")


def test_a_pinned_run_keeps_its_edits(open_page):
    page = open_page("/routing?checkpoint=dragg-reversed-sst5&edit=capsule:4&edit=-drop:1&tab=What+if")
    pin(page)
    go_to_compare(page)
    expect(page.get_by_title("capsule:4")).to_be_visible()  # on the right; the left run has no edits
    expect(page.get_by_title("drop:1")).to_have_count(0)
    expect(page.locator(".rs-finding")).to_contain_text("Only the edits differ.")
    show(page, "right", 0)
    expect(page.locator(".rs-finding")).to_contain_text("Only the edits differ.")
    open_tab(page, "Pinned runs")
    page.set_viewport_size({"width": 1280, "height": 1400})
    page.get_by_role("link", name="Open in its page").click()
    wait_until_drawn(page)
    open_tab(page, "Change it")
    assert "edit=capsule" in page.url


def check_usable_by_everybody(page):
    check_accessible(page, STREAMLITS_UPLOADER)
    check_phone_width(page)
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 900})
    wait_until_rested(page)


def check_in_sight(page):
    """Check that the three pictures are in sight without scrolling."""
    for width, height in ((1360, 900), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        wait_until_rested(page)
        box = page.locator(".stVegaLiteChart >> nth=2 >> g.mark-rect.role-mark").bounding_box()
        assert box["y"] + box["height"] < height
    page.set_viewport_size({"width": 1280, "height": 900})
    wait_until_rested(page)
