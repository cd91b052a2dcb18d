"""The Lab as a person uses it: parts are dragged, turned by keyboard, and moved by touch."""

import csv
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.acts import STREAMLITS_MENU, check_phone_width, count_messages, download, open_tab, step_back
from tests.browser.looks import check_look
from tests.browser.server import wait_until_rested

pytestmark = pytest.mark.browser
TRIANGLE, RECTANGLE = 0, 1
HOUSE, BOAT = (re.compile(rf"^All \w+ routings choose the {whole}\.$") for whole in ("house", "boat"))
TO_BOAT = (0.95, 0.75)  # from the roof's place to the sail's, units of the plane


@pytest.fixture
def lab(open_page):
    return open_page("/lab?start=Two+parts+of+a+house")


def outcome(page):
    """The sentence on what the routings choose."""
    return page.locator(".rs-outcome strong")


def place(page, part):
    """The point at which to drag a part: near its lower edge, where a triangle is wide."""
    box = page.locator(".rs-item").nth(part).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + 0.75 * box["height"]


def unit(page):
    """Pixels per unit of the plane."""
    return page.evaluate("document.querySelector('.rs-plane').getScreenCTM().a")


def drag(page, part, right, up, steps=8):
    """Drag a part by units of the plane, and do not let it go."""
    x, y = place(page, part)
    pixels = unit(page)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right * pixels, y - up * pixels, steps=steps)


def part_description(page):
    """The sentence on the chosen part."""
    return page.locator(".rs-part")


def check_with_axe(page):
    violations = Axe().run(page, {"exclude": [[STREAMLITS_MENU]]}).response["violations"]
    assert not [(v["id"], [n["html"] for n in v["nodes"]]) for v in violations]


def test_a_dragged_part_changes_the_winner_before_it_is_let_go(lab):
    expect(outcome(lab)).to_have_text(HOUSE)
    drag(lab, TRIANGLE, *TO_BOAT)
    expect(outcome(lab)).to_have_text(BOAT)
    expect(part_description(lab)).to_have_text(
        "Triangle, part 1 of 2: at 0.95, 1.50, turned 0°, size 1.00. Roof of the house, or sail of the boat."
    )
    assert "parts=" not in lab.url
    lab.mouse.up()
    lab.wait_for_function("() => location.search.includes('parts=')")
    expect(lab.locator(".rs-run h2 span")).to_have_text(["boat"] * 4)
    lab.reload()
    expect(outcome(lab)).to_have_text(BOAT)
    expect(part_description(lab)).to_contain_text("at 0.95, 1.50")


def test_reasons_follow_the_chosen_part_and_steps_the_slider(open_page):
    page = open_page("/lab")
    expect(page.locator(".rs-says").first).to_contain_text("The triangle has agreed more with the house")
    page.locator(".rs-item").nth(RECTANGLE).focus()
    expect(page.locator(".rs-says").first).to_contain_text("The rectangle has agreed more with the house")
    expect(part_description(page)).to_contain_text("Wall of the house, or hull of the boat")
    open_tab(page, "Step by step")
    expect(page.get_by_text("Iteration 5 of 5: move the slider")).to_be_visible()
    step_back(page, 2)
    expect(page.get_by_text("Iteration 3 of 5: move the slider")).to_be_visible()


def test_a_part_is_dragged_though_the_quick_answers_fail(lab):
    lab.route("**/lab/answer", lambda route: route.abort())
    drag(lab, TRIANGLE, *TO_BOAT)
    expect(outcome(lab)).to_have_text(BOAT)


def test_runs_are_scrubbed_and_downloaded_and_parts_are_changed(lab):
    check_edges_show_shares_and_the_slider_asks_the_server_nothing(lab)
    lab.keyboard.press("End")
    check_the_runs_can_be_downloaded(lab)
    lab.keyboard.press("Escape")
    check_keys_move_turn_and_resize_the_chosen_part(lab)
    check_up_to_eight_parts_can_be_added(lab)


def check_edges_show_shares_and_the_slider_asks_the_server_nothing(lab):
    check_an_edge_is_as_thick_as_its_share(lab)
    count_messages(lab)
    read = "() => [...document.querySelectorAll('.rs-small')].map(picture => picture.innerHTML)"
    before = lab.evaluate(read)
    step_back(lab, 4)
    after = lab.evaluate(read)
    assert lab.evaluate("window.sent") == 0
    assert before[0] != after[0]
    assert before[3] != after[3]
    expect(outcome(lab)).to_contain_text("EM is undecided")


def check_an_edge_is_as_thick_as_its_share(lab):
    widths = (
        lab.locator(".rs-run")
        .nth(3)
        .locator(".rs-edge")
        .evaluate_all("edges => edges.map(edge => +edge.getAttribute('stroke-width'))")
    )  # EM's: triangle to house, to boat, rectangle to house, to boat
    assert widths == pytest.approx([12, 0, 12, 0], abs=0.01)
    expect(lab.locator(".rs-run").nth(3).locator(".rs-share")).to_have_text(["100%", "0%"])


def check_keys_move_turn_and_resize_the_chosen_part(lab):
    item = lab.locator(".rs-item").nth(RECTANGLE)
    item.focus()
    for key in ("ArrowRight", "ArrowUp", "[", "+"):
        lab.keyboard.press(key)
    expect(item).to_have_attribute("aria-label", "Rectangle, part 2 of 2: at 0.10, -0.55, turned 5°, size 1.05")
    expect(item).to_be_focused()
    wait_until_rested(lab)
    expect(item).to_be_focused()  # after the server's answer too
    for key in ("ArrowLeft", "ArrowDown", "]", "-"):
        lab.keyboard.press(key)
    expect(outcome(lab)).to_have_text(HOUSE)
    lab.keyboard.press("Shift+Tab")
    expect(lab.locator(".rs-item").nth(TRIANGLE)).to_be_focused()
    expect(part_description(lab)).to_contain_text("Triangle, part 1")
    lab.keyboard.press("Delete")
    expect(lab.locator(".rs-item")).to_have_count(1)


def check_up_to_eight_parts_can_be_added(lab):
    """Check that seven bars, and no more, can be added to the one part that is left."""
    button = lab.get_by_role("button", name="Add a bar")
    for n in range(2, 9):
        button.click()
        expect(lab.locator(".rs-item")).to_have_count(n)
    expect(button).to_be_disabled()
    expect(lab.locator(".rs-run").first.locator(".rs-edge")).to_have_count(16)


def test_a_part_is_moved_by_touch_on_a_phone(open_page):
    page = open_page("/lab?start=Two+parts+of+a+house", viewport={"width": 375, "height": 812}, has_touch=True)
    page.locator(".rs-plane").scroll_into_view_if_needed()
    (x, y), pixels = place(page, TRIANGLE), unit(page)
    touch = page.context.new_cdp_session(page)
    points = [(x + k / 8 * TO_BOAT[0] * pixels, y - k / 8 * TO_BOAT[1] * pixels) for k in range(9)]
    for k, (right, down) in enumerate(points):
        kind = "touchMove" if k else "touchStart"
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": right, "y": down}]})
    expect(outcome(page)).to_have_text(BOAT)
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_function("() => location.search.includes('parts=')")
    check_phone_width(page)
    check_with_axe(page)


def test_experiments_begin_at_their_step_and_are_followed(lab):
    check_an_experiment_is_followed_until_it_is_done(lab)
    check_an_experiment_about_iterations_begins_at_the_first(lab)


def check_an_experiment_is_followed_until_it_is_done(lab):
    lab.get_by_role("combobox", name="Guided experiment").click()
    lab.get_by_role("option", name="1 · From house to boat").click()
    wait_until_rested(lab)
    status = lab.locator(".rs-outcome span")
    expect(status).to_have_text(re.compile(r"^None of \w+ choose the boat\.$"))
    drag(lab, TRIANGLE, *TO_BOAT, steps=20)
    expect(status).to_contain_text(" choose the boat. They change their minds at about the same place")
    expect(lab.locator(".rs-outcome[data-done]")).to_have_count(1)
    lab.mouse.up()


def check_an_experiment_about_iterations_begins_at_the_first(lab):
    for name, shown in (("2 · One part too many", "5 of 5"), ("3 · Two in one", "1 of 10")):
        lab.get_by_role("combobox", name="Guided experiment").click()
        lab.get_by_role("option", name=name).click()
        wait_until_rested(lab)
        expect(lab.locator(".rs-value")).to_have_text(shown)
    expect(lab.locator(".rs-outcome[data-done]")).to_have_count(0)


@pytest.mark.parametrize(
    "path", ["/lab", pytest.param("/lab?scene=Clouds", marks=pytest.mark.slow), "/lab?scene=This+text"]
)
def test_axe_finds_nothing(open_page, path):
    page = open_page(path)
    if path == "/lab":
        check_look(page, "lab")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        wait_until_rested(page)
        check_with_axe(page)


def check_the_runs_can_be_downloaded(lab):
    header, first, *_ = csv.reader(download(lab, "CSV, shares").splitlines())
    assert header == ["iteration", "routing", "input", "capsule", "share"]
    assert first == ["1", "standard", "the triangle", "house", "0.5"]
