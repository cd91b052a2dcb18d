"""The smallNORB page as a person uses it, with the first of its checkpoints."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.acts import (
    check_accessible,
    check_phone_width,
    check_reloaded,
    count_messages,
    step_back,
)
from tests.browser.server import wait_until_rested
from tests.browser.smallnorb import CHART, HEAT, PATH, PATIENCE, PLACES, PLANE, RECT, SQUARES, STRIP, wait_for_views

pytestmark = pytest.mark.browser
ELEVATIONS = f"{PATH}&turned=elevation"  # half as many views to wait for
TURN_AND_CHOOSE = """() => {
    const range = document.querySelector(".rs-scrubber[data-param=view] .rs-range");
    range.value = 10;
    range.dispatchEvent(new Event("input", { bubbles: true }));
    [...document.querySelectorAll("[role=option]")].find((option) => option.textContent === "elevation").click();
}"""


WAIT_AND_SLIDER = """() => {
    const edges = (selector) => document.querySelector(selector)?.getBoundingClientRect();
    const wait = edges(".st-key-input .stCacheSpinner");
    return wait && [edges(".st-key-toy-menus .stSelectbox").bottom, wait.top, wait.bottom, edges(".rs-scrubber").top];
}"""


@pytest.fixture
def open_toy(open_page):
    """A function that opens the page and waits until every picture is drawn."""

    def open_toy(path=ELEVATIONS, n_views=9, **options):
        page = open_page(path, **options)
        wait_for_views(page, n_views)
        return page

    return open_toy


@pytest.fixture
def page(open_toy):
    return open_toy()


def scrubber_value(page, param):
    """The text of a scrubber, such as "1 of 9"."""
    return page.locator(f".rs-scrubber[data-param={param}] .rs-value")


def frame_position(page):
    """The outline of the strip's frame, which moves with the current view."""
    return page.locator(STRIP + RECT).get_attribute("d")


def view_sentence(page):
    """The sentence on the current view."""
    return page.locator(".rs-finding").first


def routed(page):
    """The sentence that names the pair on screen."""
    return page.get_by_test_id("stCaptionContainer").filter(has_text="Routed:")


def point_on_map(page):
    """The place of the current view on the map of poses."""
    return page.locator(CHART.format("The whole pose") + " .mark-symbol.role-mark path").last.get_attribute("transform")


def choose(page, label, option):
    page.get_by_label(label, exact=True).click()
    page.get_by_role("option", name=option, exact=True).click()
    wait_until_rested(page)  # an answer of the server closes a menu that is open by then


def squares(page):
    """The colour and opacity of every square of the picture PLACES."""
    read = "cells => cells.map(c => [c.getAttribute('fill'), c.getAttribute('opacity')].join())"
    return page.eval_on_selector_all(PLACES + RECT, read)


def test_turning_the_elevation_shows_nine_views_and_one_is_bold(open_toy):
    page = open_toy(PATH, 18)
    check_turning_the_elevation_shows_nine_views(page)
    check_phone_width_scrolls_the_charts_to_the_current_view(page)
    page.keyboard.press("Home")
    check_all_is_in_sight_and_the_current_view_is_bold(page)


def check_turning_the_elevation_shows_nine_views(page):
    expect(scrubber_value(page, "view")).to_have_text("1 of 18")
    choose(page, "Turn", "elevation")
    wait_for_views(page, 9)
    expect(scrubber_value(page, "view")).to_have_text("1 of 9")
    assert "turned=elevation" in page.url


def test_the_views_play_and_the_server_is_not_asked_for_iterations(page):
    check_the_pair_is_shown_as_an_anaglyph(page)
    check_play_goes_through_the_views(page)
    check_scrub_changes_the_squares(page)


def check_play_goes_through_the_views(page):
    first, point = frame_position(page), point_on_map(page)
    expect(view_sentence(page)).to_contain_text("This view: 30°")
    expect(page.get_by_role("button", name="Play, Routing iteration", exact=True)).to_have_text("Play")
    page.get_by_role("button", name="Turn, View", exact=True).click()
    expect(scrubber_value(page, "view")).to_have_text("2 of 9")
    expect(scrubber_value(page, "view")).to_have_text("3 of 9")
    page.get_by_role("button", name="Pause, View", exact=True).click()
    stopped = scrubber_value(page, "view").inner_text()
    elevation = 30 + 5 * (int(stopped.split()[0]) - 1)
    expect(view_sentence(page)).to_contain_text(f"This view: {elevation}°")
    assert frame_position(page) != first
    assert point_on_map(page) != point
    expect(scrubber_value(page, "iteration")).to_have_text("3 of 3")  # the other scrubber stays
    expect(routed(page)).to_contain_text(f"elevation {elevation}°")  # the network has read this view
    assert f"view={stopped.split()[0]}" in page.url
    wait_until_rested(page)


def check_scrub_changes_the_squares(page):
    count_messages(page)
    last = squares(page)
    assert len(last) == SQUARES
    step_back(page, 2)
    expect(scrubber_value(page, "iteration")).to_have_text("1 of 3")
    expect(page.locator(PLACES + RECT)).to_have_count(SQUARES)
    page.wait_for_function(
        """([cells, last]) => [...document.querySelectorAll(cells)].some(
          (c, k) => [c.getAttribute('fill'), c.getAttribute('opacity')].join() !== last[k])""",
        arg=[PLACES + RECT, last],
    )
    assert "t=1" in page.url
    assert page.evaluate("window.sent") == 0


def test_a_part_is_picked_by_mouse_and_keyboard_and_downloaded(page, tmp_path):
    check_a_clicked_part_is_shown_and_the_iteration_kept(page)
    check_the_keyboard_moves_both_scrubbers_and_picks_a_part(page)
    check_downloads(page, tmp_path)


def check_a_clicked_part_is_shown_and_the_iteration_kept(page):
    step_back(page)
    before = page.get_by_label("Part", exact=True).input_value()
    chosen = 4 if before != "4" else 5
    page.locator(HEAT + RECT).nth((chosen - 1) * 5).click()
    expect(page.get_by_label("Part", exact=True)).to_have_value(str(chosen))
    expect(page.locator(f"{PLACES} .role-legend").get_by_text(f"D_use of part {chosen}")).to_be_visible()
    expect(scrubber_value(page, "iteration")).to_have_text("2 of 3")
    framed = page.locator(f"{HEAT}{RECT}[stroke-width='4']")
    expect(framed).to_have_count(5)
    expect(framed.first).to_have_attribute("aria-label", re.compile(f"part {chosen},"))


def test_a_reloaded_link_shows_the_same_pictures(page):
    choose(page, "Category", "truck")
    choose(page, "Toy", "3. pickup")
    expect(page.get_by_text("a rendered truck of the test split")).to_be_visible(timeout=PATIENCE)
    wait_for_views(page, 9)
    step_back(page)
    page.locator(".rs-scrubber[data-param=view] .rs-range").focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(scrubber_value(page, "view")).to_have_text("5 of 9")
    expected = "['t=2', 'view=5', 'category=truck', 'toy=3.+pickup', 'turned=elevation']"
    page.wait_for_function(f"{expected}.every(s => location.search.includes(s))")
    expect(view_sentence(page)).to_contain_text("This view: 50°")
    check_reloaded(page, lambda page: (wait_for_views(page, 9), squares(page), frame_position(page)))
    expect(scrubber_value(page, "iteration")).to_have_text("2 of 3")
    expect(scrubber_value(page, "view")).to_have_text("5 of 9")
    expect(page.get_by_label("Toy", exact=True)).to_have_value("3. pickup")
    expect(page.get_by_label("Category", exact=True)).to_have_value("truck")
    expect(view_sentence(page)).to_contain_text("This view: 50°")


def eyes(page):
    """The content of the pair's visible canvases, as data URLs."""
    return page.eval_on_selector_all(".rs-toy canvas:not([hidden])", "eyes => eyes.map(eye => eye.toDataURL())")


def wait_until_routed(page, direction):
    """Wait until the toy is routed and drawn in this direction."""
    expect(routed(page)).to_contain_text(f"Routed: {direction} (", timeout=PATIENCE)
    expect(page.locator(".rs-toy-direction")).to_contain_text(direction)
    wait_until_rested(page)


def test_the_toy_turns_as_it_is_dragged_and_by_arrow_keys(page):
    before, values = eyes(page), squares(page)
    box = page.locator(".rs-toy-eyes").bounding_box()
    x, y = box["x"] + 40, box["y"] + 40
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 21, y + 14, steps=5)
    page.mouse.up()
    wait_until_routed(page, "azimuth 15°, elevation 40°")
    assert "from=15%2C40" in page.url
    dragged = eyes(page)
    assert not set(dragged) & set(before)
    assert squares(page) != values
    page.locator(".rs-toy-eyes").focus()
    for key in ("ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowDown"):
        page.keyboard.press(key)
    wait_until_routed(page, "azimuth 355°, elevation 35°")
    page.reload()
    wait_for_views(page, 9)
    wait_until_routed(page, "azimuth 355°, elevation 35°")


def test_the_handles_of_a_cover_do_not_fill_it(open_page):
    page = open_page("/smallnorb?turned=elevation&inspect=Change+it&cover=0,20,0,20", shows=".rs-hides")
    expect(page.get_by_role("button", name="A square of the pictures is covered")).to_be_visible(timeout=PATIENCE)
    wait_until_rested(page)
    covered = page.locator(".rs-hides").bounding_box()
    handles = [handle.bounding_box() for handle in page.locator(".rs-hides i").all()]
    inside = sum(
        max(0, min(h["x"] + h["width"], covered["x"] + covered["width"]) - max(h["x"], covered["x"]))
        * max(0, min(h["y"] + h["height"], covered["y"] + covered["height"]) - max(h["y"], covered["y"]))
        for h in handles
    )
    assert len(handles) == 4
    assert inside < 0.1 * covered["width"] * covered["height"]


def check_the_pair_is_shown_as_an_anaglyph(page):
    left, right = eyes(page)
    count_messages(page)
    button = page.get_by_role("button", name="Anaglyph")
    button.click()
    (anaglyph,) = eyes(page)
    assert anaglyph not in (left, right)
    button.focus()
    page.keyboard.press("Enter")
    assert eyes(page) == [left, right]
    assert page.evaluate("window.sent") == 0


@pytest.mark.slow  # fast tests move the scrubber with one toy
def test_several_toys_in_the_plane_and_in_space(open_toy):
    page = open_toy(f"{ELEVATIONS}&category=car&toys=car+2%2C+sports+car")
    page.get_by_role("tab", name="Toys").click()
    lines = page.locator(CHART.format("The pose vectors of several toys") + " .mark-line.role-mark path")
    # Each of two toys has a line for each of four vectors, and one for the current view.
    expect(lines).to_have_count(2 * 4 + 2, timeout=PATIENCE)
    before = lines.last.get_attribute("d")
    page.locator(".rs-scrubber[data-param=view] .rs-range").focus()
    page.keyboard.press("End")
    bold = "document.querySelector('.st-key-toys_space .js-plotly-plot')?.data?.at(-1).meta"
    page.wait_for_function(f"() => {bold} === 9")
    assert lines.last.get_attribute("d") != before
    page.get_by_text("Align", exact=True).click()
    expect(page.get_by_text("disparity from car 1, convertible")).to_be_visible(timeout=PATIENCE)
    assert "align=true" in page.url
    wait_until_rested(page)
    check_accessible(page)


@pytest.mark.slow  # fast tests move the scrubber with one toy
def test_the_point_on_the_net_of_all_directions_follows_the_view(open_page):
    page = open_page("/smallnorb?tab=All+directions", shows=".st-key-surface .js-plotly-plot")
    current = "document.querySelector('.st-key-surface .js-plotly-plot')?.data?.at(-1).meta"
    page.locator(".rs-scrubber[data-param=view] .rs-range").focus()
    page.keyboard.press("End")
    page.wait_for_function(f"() => {current} === 18")
    expect(page.locator(".rs-finding").last).to_contain_text("This view: azimuth 340°, read off as")
    wait_until_rested(page)
    check_accessible(page)
    check_phone_width(page)


def check_phone_width_scrolls_the_charts_to_the_current_view(page):
    check_phone_width(page)
    strip = page.locator(STRIP).evaluate("c => [c.scrollWidth, c.clientWidth]")
    assert strip[0] > strip[1]
    page.locator(".rs-scrubber[data-param=view] .rs-range").focus()
    page.keyboard.press("End")
    page.wait_for_function("selector => document.querySelector(selector).scrollLeft > 0", arg=STRIP)


def check_downloads(page, tmp_path):
    beginnings = {
        "CSV, classes": "iteration,capsule,benefit",
        "CSV, places": "iteration,pixel row,pixel column",
        "CSV, plane": "view,v,shade",
        "CSV, space": "view,name,pose vector,x,y,z",
        "CSV, turned": 'toy,"elevation, degrees",pose vector',
        "JSON": '{"model"',
        "Notebook": "{",
        "SVG": "<svg",
        "HTML": "<!DOCTYPE html>",
    }
    page.get_by_role("button", name="Export").click()
    for name, beginning in beginnings.items():
        with page.expect_download() as waiting:
            page.get_by_role("button", name=name, exact=True).click()
        waiting.value.save_as(tmp_path / name)
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(beginning)
    assert "https://cdn" not in (tmp_path / "HTML").read_text(encoding="utf-8")


def check_all_is_in_sight_and_the_current_view_is_bold(page):
    page.set_viewport_size({"width": 1360, "height": 900})
    wait_until_rested(page)
    cut = "inputs => inputs.filter(it => it.scrollWidth > it.clientWidth).map(it => it.value)"
    assert page.locator(".stSelectbox input").evaluate_all(cut) == []
    for key in ("input", "controls", "verdict", "picture"):
        box = page.locator(f".st-key-{key}").bounding_box()
        assert box["y"] + box["height"] <= 900, key
    assert page.get_by_role("tab", name="Change it").bounding_box()["y"] < 880
    check_accessible(page)
    page.emulate_media(color_scheme="light")
    page.get_by_role("tab", name="Plane").click()
    bold = page.locator(f"{PLANE} .mark-text.role-mark text", has_text="azimuth")
    expect(bold).to_contain_text("elevation 30°")
    page.locator(".rs-scrubber[data-param=view] .rs-range").focus()
    page.keyboard.press("End")
    expect(bold.filter(has_text="elevation 70°")).to_have_count(1)
    assert "tab=Plane" in page.url


def check_the_keyboard_moves_both_scrubbers_and_picks_a_part(page):
    page.locator(".rs-scrubber[data-param=view] .rs-range").focus()
    page.keyboard.press("End")
    expect(scrubber_value(page, "view")).to_have_text("9 of 9")
    expect(view_sentence(page)).to_contain_text("This view: 70°")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(scrubber_value(page, "view")).to_have_text("1 of 9")
    page.keyboard.press("Space")
    expect(page.get_by_role("group", name="View").locator(".rs-play")).to_have_text("Turn")
    page.locator(".rs-scrubber[data-param=iteration] .rs-range").focus()
    page.keyboard.press("Home")
    expect(scrubber_value(page, "iteration")).to_have_text("1 of 3")
    wait_until_rested(page)  # an answer of the server may choose the part, and draws its input again
    part = page.get_by_label("Part", exact=True)
    before = int(part.input_value())
    part.focus()
    page.keyboard.press("ArrowDown" if before == 64 else "ArrowUp")
    page.keyboard.press("Enter")
    after = before + (-1 if before == 64 else 1)
    expect(page.locator(f"{PLACES} .role-legend").get_by_text(f"D_use of part {after}")).to_be_visible()
    expect(scrubber_value(page, "iteration")).to_have_text("1 of 3")


def test_fewer_views_begin_where_the_server_begins(open_toy):
    page = open_toy(PATH, 18)
    page.get_by_role("combobox", name="Turn").click()
    page.get_by_role("option", name="elevation").wait_for()
    page.evaluate(TURN_AND_CHOOSE)  # before the server has answered to the tenth view
    expect(scrubber_value(page, "view")).to_have_text("1 of 9", timeout=PATIENCE)
    wait_until_rested(page)
    expect(scrubber_value(page, "view")).to_have_text("1 of 9")
    expect(view_sentence(page)).to_contain_text("This view: 30°")


def test_a_wait_lies_between_the_menus_and_the_sliders(page):
    page.get_by_role("combobox", name="Azimuth of the views").click()
    page.get_by_role("option", name="100°").click()
    edges = page.wait_for_function(WAIT_AND_SLIDER, polling="raf").json_value()
    assert edges == sorted(edges)
