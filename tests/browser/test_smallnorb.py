"""The smallNORB page as a person uses it, with the first of its checkpoints."""

import io
import re
import zipfile
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.acts import (
    check_accessible,
    check_phone_width,
    check_reloaded,
    count_messages,
    step_back,
)
from tests.browser.server import CELLS, rested

pytestmark = pytest.mark.browser
PATH = "/smallnorb"
SQUARES, PARTS = 9 * 9, 64 * 5  # cells of the two pictures with values; a frame stands around the current view too
CHART = ".stVegaLiteChart[aria-label^='{}']"
STRIP, PLANE, PLACES, HEAT = map(
    CHART.format, ("The views", "The pose vectors", "What a part takes in", "D_use of every part")
)
RECT = " .mark-rect.role-mark path"
PATIENCE = 60_000  # ms: a toy is photographed and every view of it routed
ELEVATIONS = f"{PATH}?turned=elevation"  # half as many views to wait for


@pytest.fixture
def open_toy(open_page):
    """The page, every picture of it drawn."""

    def open_toy(path=ELEVATIONS, n_views=9, **options):
        page = open_page(path, **options)
        complete(page, n_views)
        return page

    return open_toy


@pytest.fixture
def page(open_toy):
    return open_toy()


def complete(page, n_views):
    expect(pictures(page)).to_have_count(n_views, timeout=PATIENCE)
    expect(page.locator(CELLS)).to_have_count(1 + SQUARES + PARTS, timeout=PATIENCE)
    rested(page)


def pictures(page):
    return page.locator(f"{STRIP} .mark-image.role-mark image")


def value(page, param):
    return page.locator(f".rs-scrubber[data-param={param}] .rs-value")


def current(page):
    """Which view the frame of the strip stands around, from the left in pixels."""
    return page.locator(STRIP + RECT).get_attribute("d")


def named(page):
    """The sentence on the current view."""
    return page.locator(".rs-finding").nth(1)


def in_space(page, view):
    """Wait until this view is the bold one in space."""
    bold = "document.querySelector('.st-key-space .js-plotly-plot').data.at(-1).meta"
    page.wait_for_function(f"view => {bold} === view", arg=view)


def choose(page, label, option):
    page.get_by_label(label, exact=True).click()
    page.get_by_role("option", name=option, exact=True).click()


def squares(page):
    read = "cells => cells.map(c => [c.getAttribute('fill'), c.getAttribute('opacity')].join())"
    return page.eval_on_selector_all(PLACES + RECT, read)


def png(seed=0, y=96, x=96):
    out = io.BytesIO()
    Image.fromarray(np.random.default_rng(seed).integers(0, 256, (y, x), np.uint8)).save(out, "PNG")
    return out.getvalue()


def upload(page, files):
    given = [{"name": name, "mimeType": "image/png", "buffer": content} for name, content in files.items()]
    page.locator("[data-testid=stFileUploader] input[type=file]").set_input_files(given)


@pytest.fixture
def uploads(chromium, address):
    """The page before anything is uploaded, on which there is nothing drawn to wait for."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}{PATH}?source=Your+pictures")
    expect(page.get_by_text("Upload pictures to begin.")).to_be_visible(timeout=PATIENCE)
    rested(page)
    yield page
    context.close()


def test_turning_the_elevation_shows_nine_views(open_toy):
    page = open_toy(PATH, 18)
    expect(value(page, "view")).to_have_text("1 of 18")
    choose(page, "Turn", "elevation")
    complete(page, 9)
    expect(value(page, "view")).to_have_text("1 of 9")
    assert "turned=elevation" in page.url


def test_play_walks_the_views_and_asks_the_server_nothing(page):
    count_messages(page)
    first = current(page)
    expect(named(page)).to_contain_text("elevation 30°")
    page.get_by_role("group", name="View").get_by_role("button", name="Play").click()
    expect(value(page, "view")).to_have_text("2 of 9")
    expect(value(page, "view")).to_have_text("3 of 9")
    page.get_by_role("group", name="View").get_by_role("button", name="Pause").click()
    stopped = value(page, "view").inner_text()
    elevation = 30 + 5 * (int(stopped.split()[0]) - 1)
    expect(named(page)).to_contain_text(f"elevation {elevation}°")
    in_space(page, int(stopped.split()[0]))
    assert current(page) != first
    expect(value(page, "iteration")).to_have_text("3 of 3")  # the other scrubber stays
    assert "v=" in page.url
    assert page.evaluate("window.sent") == 0


def test_scrub_changes_the_squares_and_asks_the_server_nothing(page):
    count_messages(page)
    last = squares(page)
    assert len(last) == SQUARES
    step_back(page, 2)
    expect(value(page, "iteration")).to_have_text("1 of 3")
    expect(page.locator(PLACES + RECT)).to_have_count(SQUARES)
    for _ in range(20):
        if squares(page) != last:
            break
        page.wait_for_timeout(50)
    assert squares(page) != last
    assert "t=1" in page.url
    assert page.evaluate("window.sent") == 0


def test_a_clicked_part_is_shown_and_the_iteration_kept(page):
    step_back(page)
    before = page.get_by_label("Part", exact=True).input_value()
    chosen = 4 if before != "4" else 5
    page.locator(HEAT + RECT).nth((chosen - 1) * 5).click()
    expect(page.get_by_label("Part", exact=True)).to_have_value(str(chosen))
    expect(page.locator(f"{PLACES} .role-legend").get_by_text(f"D_use of part {chosen}")).to_be_visible()
    expect(value(page, "iteration")).to_have_text("2 of 3")
    framed = page.locator(f"{HEAT}{RECT}[stroke-width='4']")
    expect(framed).to_have_count(5)
    expect(framed.first).to_have_attribute("aria-label", re.compile(f"part: {chosen};"))


def test_a_reloaded_link_shows_the_same(page):
    choose(page, "Category", "truck")
    toy = page.get_by_label("Toy", exact=True)
    toy.fill("3")
    toy.press("Enter")
    expect(page.get_by_text("a rendered truck of the test split")).to_be_visible(timeout=PATIENCE)
    complete(page, 9)
    step_back(page)
    page.locator(".rs-scrubber[data-param=view] .rs-range").focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(value(page, "view")).to_have_text("5 of 9")
    expected = "['t=2', 'v=5', 'category=truck', 'toy=3', 'turned=elevation']"
    page.wait_for_function(f"{expected}.every(s => location.search.includes(s))")
    expect(named(page)).to_contain_text("elevation 50°")
    in_space(page, 5)
    check_reloaded(page, lambda page: (complete(page, 9), squares(page), current(page)))
    expect(value(page, "iteration")).to_have_text("2 of 3")
    expect(value(page, "view")).to_have_text("5 of 9")
    expect(page.get_by_label("Toy", exact=True)).to_have_value("3")
    expect(page.get_by_label("Category", exact=True)).to_have_value("truck")
    expect(named(page)).to_contain_text("elevation 50°")
    in_space(page, 5)


def eyes(page):
    """What the canvases of the pair show, an address for each in sight."""
    return page.eval_on_selector_all(".rs-toy canvas:not([hidden])", "eyes => eyes.map(eye => eye.toDataURL())")


def routed(page, direction):
    expect(page.get_by_text(f"Routed: {direction} (")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".rs-toy-direction")).to_have_text(direction)
    rested(page)


def test_the_toy_turns_as_it_is_dragged_and_by_arrow_keys(page):
    before, values = eyes(page), squares(page)
    box = page.locator(".rs-toy-eyes").bounding_box()
    x, y = box["x"] + 40, box["y"] + 40
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 21, y + 14, steps=5)
    page.mouse.up()
    routed(page, "azimuth 15°, elevation 40°")
    assert "from=15%2C40" in page.url
    dragged = eyes(page)
    assert not set(dragged) & set(before)
    assert squares(page) != values
    page.locator(".rs-toy-eyes").focus()
    for key in ("ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowDown"):
        page.keyboard.press(key)
    routed(page, "azimuth 355°, elevation 35°")
    page.reload()
    complete(page, 9)
    routed(page, "azimuth 355°, elevation 35°")


def test_the_pair_as_an_anaglyph_asks_the_server_nothing(page):
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


def test_several_toys_in_the_plane_and_in_space(open_toy):
    page = open_toy(f"{ELEVATIONS}&category=car&toys=car+2%2C+sports+car")
    page.get_by_role("tab", name="Toys").click()
    lines = page.locator(CHART.format("The pose vectors of several toys") + " .mark-line.role-mark path")
    expect(lines).to_have_count(2 * 4 + 2, timeout=PATIENCE)  # a line a vector, and the current view's
    before = lines.last.get_attribute("d")
    page.locator(".rs-scrubber[data-param=view] .rs-range").focus()
    page.keyboard.press("End")
    current = "document.querySelector('.st-key-toys_space .js-plotly-plot').data.at(-1).meta"
    page.wait_for_function(f"{current} === 9")
    assert lines.last.get_attribute("d") != before
    page.get_by_text("Align", exact=True).click()
    expect(page.get_by_text("Disparity from car 1, convertible")).to_be_visible(timeout=PATIENCE)
    assert "align=true" in page.url
    rested(page)
    check_accessible(page)


def test_upload_a_pair(uploads):
    page = uploads
    upload(page, {"toy_left.png": png(1), "toy_right.png": png(2)})
    expect(page.locator(".rs-answer strong")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("Routed: toy (uploaded), on ")).to_be_visible()
    complete(page, 1)
    assert page.locator(".stMain [data-testid=stAlert]").count() == 0
    assert page.locator(".rs-scrubber[data-param=view]").count() == 0  # there is one view


def test_an_upload_s_answer_is_in_sight_without_scrolling(uploads):
    page = uploads
    page.set_viewport_size({"width": 1360, "height": 900})
    upload(page, {"one.png": png(1, 120, 160)})
    complete(page, 1)
    places = [page.locator(f".st-key-{key}").bounding_box() for key in ("input", "controls", "verdict", "picture")]
    assert all(above["y"] + above["height"] <= below["y"] for above, below in pairwise(places))
    assert places[-1]["y"] + places[-1]["height"] <= 900


def test_a_crop_by_mouse_and_by_keyboard(uploads):
    page = uploads
    upload(page, {"one.png": png(1, 200, 200)})
    complete(page, 1)
    page.get_by_role("button", name="Crop and level").click()
    box = page.get_by_role("application", name="What is kept of the picture")
    corner = page.locator(".rs-crop-box [data-edges=rb]")
    at, whole = corner.bounding_box(), page.locator(".rs-crop").bounding_box()
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - whole["width"] / 4, y - whole["height"] / 2, steps=4)
    page.mouse.up()
    expect(page.get_by_text("200 x 200 pixels, cropped to 150 x 100")).to_be_visible(timeout=PATIENCE)
    box.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Shift+ArrowLeft")
    expect(page.get_by_text("200 x 200 pixels, cropped to 142 x 100")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Undo all").click()
    expect(page.get_by_text("one: 200 x 200 pixels, made square")).to_be_visible(timeout=PATIENCE)


def test_a_sample_stands_beside_the_uploader(uploads):
    page = uploads
    page.get_by_role("radio", name="A pair").click()
    complete(page, 1)
    expect(page.get_by_text("airplane: 96 x 96 pixels; a picture for each eye.")).to_be_visible()
    assert "sample=A+pair" in page.url
    page.get_by_role("button", name="Crop and level").click()
    rested(page)
    check_accessible(page, "[data-testid=stFileUploaderDropzone]")


def test_a_refused_upload_is_one_sentence_and_the_next_one_is_shown(uploads):
    page = uploads
    upload(page, {"text.png": b"hello"})
    expect(page.get_by_text('"text.png" cannot be read as a picture: PNG or JPEG is wanted.')).to_be_visible()
    page.get_by_role("button", name="Remove text.png").click()
    expect(page.get_by_text("Upload pictures to begin.")).to_be_visible()
    upload(page, {"one.png": png()})
    expect(page.get_by_text("The view has one picture only, which is shown to both eyes.")).to_be_visible()
    complete(page, 1)


def test_names_of_files_are_never_markup(uploads):
    page = uploads
    out = io.BytesIO()
    names = ["<img src=x onerror='window.hacked=1'>", "**bold** [a](b) $x$ :red[c]", "www.example.com"]
    with zipfile.ZipFile(out, "w") as file:
        for k, name in enumerate(names):
            file.writestr(f"{name}.png", png(k))
    upload(page, {"names.zip": out.getvalue()})
    complete(page, 3)
    for k, name in enumerate(sorted(names), 1):
        routed = page.get_by_label("Routed view", exact=True)
        routed.fill(str(k))
        routed.press("Enter")
        caption = page.get_by_test_id("stCaptionContainer").filter(has_text="Routed:")
        expect(caption).to_contain_text(name.replace("www", "www\u2060"))  # so that it is no link
        rested(page)
        assert caption.locator("a, strong, img").count() == 0
    pictures(page).nth(1).hover()
    expect(page.locator("#vg-tooltip-element")).to_contain_text(names[0])
    assert page.locator("#vg-tooltip-element img").count() == 0
    assert page.evaluate("window.hacked") is None


def test_phone_width_scrolls_the_charts_and_not_the_page(page):
    check_phone_width(page)
    strip = page.locator(STRIP).evaluate("c => [c.scrollWidth, c.clientWidth]")
    assert strip[0] > strip[1]


def test_downloads(page, tmp_path):
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


def test_the_views_scroll_to_the_current_one(page):
    page.set_viewport_size({"width": 375, "height": 800})
    page.locator(".rs-scrubber[data-param=view] .rs-range").focus()
    page.keyboard.press("End")
    page.wait_for_function("selector => document.querySelector(selector).scrollLeft > 0", arg=STRIP)


def test_the_plane_has_the_current_view_bold(page):
    page.get_by_role("tab", name="Plane").click()
    bold = page.locator(f"{PLANE} .mark-text.role-mark text", has_text="azimuth")
    expect(bold).to_contain_text("elevation 30°")
    page.locator(".rs-scrubber[data-param=view] .rs-range").focus()
    page.keyboard.press("End")
    expect(bold.filter(has_text="elevation 70°")).to_have_count(1)
    assert "tab=Plane" in page.url


def test_the_first_screen_needs_no_scrolling(page):
    page.set_viewport_size({"width": 1360, "height": 900})
    rested(page)
    for key in ("input", "controls", "verdict", "picture"):
        box = page.locator(f".st-key-{key}").bounding_box()
        assert box["y"] + box["height"] <= 900, key
    assert page.get_by_role("tab", name="Plane").bounding_box()["y"] < 880


def test_no_accessibility_violation(open_toy):
    page = open_toy()
    check_accessible(page)


def test_keyboard_alone_walks_both_scrubbers_and_picks_a_part(page):
    page.locator(".rs-scrubber[data-param=view] .rs-range").focus()
    page.keyboard.press("End")
    expect(value(page, "view")).to_have_text("9 of 9")
    expect(named(page)).to_contain_text("elevation 70°")
    in_space(page, 9)
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(value(page, "view")).to_have_text("1 of 9")
    page.keyboard.press("Space")
    expect(page.get_by_role("group", name="View").locator(".rs-play")).to_have_text("Play")
    page.locator(".rs-scrubber[data-param=iteration] .rs-range").focus()
    page.keyboard.press("Home")
    expect(value(page, "iteration")).to_have_text("1 of 3")
    part = page.get_by_label("Part", exact=True)
    before = int(part.input_value())
    part.focus()
    page.keyboard.press("ArrowDown" if before == 64 else "ArrowUp")
    page.keyboard.press("Enter")
    after = before + (-1 if before == 64 else 1)
    expect(page.locator(f"{PLACES} .role-legend").get_by_text(f"D_use of part {after}")).to_be_visible()
    expect(value(page, "iteration")).to_have_text("1 of 3")
