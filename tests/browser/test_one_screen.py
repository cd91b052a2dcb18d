"""Every page answers without scrolling, on a laptop and on a large screen, and in order on a phone."""

from itertools import pairwise

import pytest

from tests.browser.acts import count_messages, pin
from tests.browser.server import wait_until_rested

pytestmark = pytest.mark.browser
PAGES = ("routing", "kmeans", "sentiment_capsules", "agt", "drnn", "lab")
SCRUBBED = PAGES[:5]
PLACES = ("input", "controls", "verdict", "picture")
SCREENS = ((1360, 900), (1920, 1080))
PHONE = (375, 812)
BOXES = """names => names.map(name => {
  const { top, bottom, left, right } = document.querySelector(`.st-key-${name}`).getBoundingClientRect();
  return { top, bottom, left, right };
})"""


def boxes(page, size):
    """The edges of each place on a screen of this size."""
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    wait_until_rested(page)
    return page.evaluate(BOXES, list(PLACES))


@pytest.mark.parametrize("path", [*PAGES, pytest.param("smallnorb", marks=pytest.mark.slow)])
def test_the_answer_is_in_sight_and_in_order_on_a_phone(open_page, path):
    page = open_page(f"/{path}")
    check_in_sight(page)
    if path in SCRUBBED:
        check_scrubber(page)
    if path != "lab":  # this page compares runs itself
        pin(page)
    check_phone(page)


def check_in_sight(page):
    """Check that all places are on the screen without scrolling, one below the other."""
    for width, height in SCREENS:
        places = boxes(page, (width, height))
        assert all(above["bottom"] <= below["top"] for above, below in pairwise(places))
        assert places[0]["top"] >= 0
        assert places[-1]["bottom"] <= height
        picture = places[-1]
        assert picture["right"] - picture["left"] > width - 400  # all the width that the sidebar leaves


def check_phone(page):
    """Check that a phone shows the places in order, and that the page is no wider than its screen."""
    tops = [place["top"] for place in boxes(page, PHONE)]
    assert tops == sorted(tops)
    wide, room = page.evaluate("(m => [m.scrollWidth, m.clientWidth])(document.querySelector('[data-testid=stMain]'))")
    assert wide <= room


def check_scrubber(page):
    """Check that a step changes the classes and the finding, and asks the server nothing."""
    read = "() => ['.rs-verdict', '.rs-finding'].map(name => document.querySelector(name).textContent)"
    before = page.evaluate(read)
    count_messages(page)
    page.locator(".rs-range").first.focus()
    page.keyboard.press("Home")
    verdict, finding = page.evaluate(read)
    assert verdict != before[0]
    assert finding != before[1]
    assert page.evaluate("window.sent") == 0


def test_arrow_keys_pick_the_next_cell_and_space_plays(open_page):
    i, j = 4, 3
    page = open_page(f"/routing?word={i}&capsule={j}")
    word, capsule = (page.get_by_label(name, exact=True) for name in ("Word", "Capsule"))
    page.locator(".st-key-picture .stVegaLiteChart").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowUp"):
        page.keyboard.press(key)
    wait_until_rested(page)
    assert [float(word.input_value()), float(capsule.input_value())] == [i + 2, j - 1]
    page.keyboard.press("Space")
    assert page.locator(".rs-play").inner_text() == "Pause"
    page.keyboard.press("Space")
    assert page.locator(".rs-play").inner_text() == "Play"
