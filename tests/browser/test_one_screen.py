"""Every page answers without scrolling, on a laptop and on a large screen, and in order on a tablet and a phone."""

import re
from itertools import pairwise

import pytest

from dashboard.theme import LARGE_STYLE
from tests.browser.acts import check_no_wider_than_its_window, count_messages, pin
from tests.browser.looks import check_look
from tests.browser.server import wait_until_rested

pytestmark = pytest.mark.browser
ON_ONE_TEXT = ("routing", "kmeans", "sentiment_capsules", "agt", "drnn")
SLOW = ("kmeans", "sentiment_capsules", "smallnorb")  # pages that are laid out as the others are
SCREENS = ((1360, 900), (1920, 1080))
TABLET, PHONE = (768, 1024), (375, 812)
TABS = ".st-key-inspector [role=tablist]"  # the last line of the inspector's head
BOXES = """selectors => selectors.map(selector => {
  const { top, bottom, left, right } = document.querySelector(selector).getBoundingClientRect();
  return { top, bottom, left, right };
})"""


def boxes(page, size, *selectors):
    """The edges of each element on a screen of this size."""
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    wait_until_rested(page)
    return page.evaluate(BOXES, list(selectors))


@pytest.mark.parametrize(
    "path", [pytest.param(path, marks=pytest.mark.slow if path in SLOW else ()) for path in (*ON_ONE_TEXT, "smallnorb")]
)
def test_the_answer_is_in_sight_and_in_order_on_a_phone(open_page, path):
    page = open_page(f"/{path}")
    check_look(page, path)
    if path in ON_ONE_TEXT:
        check_in_sight(page)
        check_scrubber(page)
    pin(page)
    check_in_order(page)


def check_in_sight(page):
    """Check that the picture and its scrubber, the prediction and the inspector's head are seen without scrolling."""
    for width, height in SCREENS:
        selectors = ".st-key-input", ".st-key-verdict", TABS, ".st-key-picture", ".rs-scrubber"
        above, verdict, tabs, picture, scrubber = boxes(page, (width, height), *selectors)
        assert above["top"] >= 0
        assert above["bottom"] <= min(verdict["top"], picture["top"])
        assert verdict["bottom"] <= tabs["top"]
        assert tabs["bottom"] <= height
        assert picture["bottom"] <= scrubber["top"]
        assert scrubber["bottom"] <= height
        assert picture["right"] <= min(verdict["left"], tabs["left"])
        assert verdict["right"] - above["left"] > width - 300  # all the width that the sidebar leaves
        assert picture["right"] - picture["left"] > 1.8 * (verdict["right"] - verdict["left"])


def check_in_order(page):
    """Check that small screens show the places one below the other, and that the page is no wider than its window."""
    for size in (TABLET, PHONE):
        places = boxes(page, size, *(f".st-key-{key}" for key in ("input", "verdict", "picture", "inspector")))
        assert all(above["bottom"] <= below["top"] for above, below in pairwise(places))
        check_no_wider_than_its_window(page)


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


def test_the_lab_is_in_sight_and_in_order_on_a_phone(open_page):
    page = open_page("/lab")
    places = [f".st-key-{key}" for key in ("input", "controls", "verdict", "picture")]
    for width, height in SCREENS:
        found = boxes(page, (width, height), *places)
        assert all(above["bottom"] <= below["top"] for above, below in pairwise(found))
        assert found[-1]["bottom"] <= height
    places[1] = ".st-key-scrubber"
    tops = [place["top"] for place in boxes(page, PHONE, *places)]
    assert tops == sorted(tops)
    check_no_wider_than_its_window(page)


@pytest.mark.parametrize("path", ["/lab?tab=Formula", "/smallnorb?tab=Formula"])
def test_what_stays_in_sight_on_a_phone_is_small(open_page, path):
    page = open_page(path, shows=".stMain .katex-display")
    (bar,) = boxes(page, PHONE, "[data-testid=stLayoutWrapper]:has(> .st-key-scrubber)")
    assert bar["bottom"] - bar["top"] <= 0.15 * PHONE[1]
    page.locator(".st-key-picture").evaluate("picture => picture.scrollIntoView({ block: 'start' })")
    (bar,) = boxes(page, PHONE, "[data-testid=stLayoutWrapper]:has(> .st-key-scrubber)")
    assert 0 <= bar["top"] < PHONE[1] / 10
    formula = page.locator(".stMain .katex-display").first
    overflow, scrolled = formula.evaluate(
        "one => { one.scrollLeft = 50; return [getComputedStyle(one).overflowX, one.scrollLeft]; }"
    )
    assert (overflow, scrolled) == ("auto", 50)  # it is wider than the screen
    assert "rs-fade" in formula.evaluate("one => getComputedStyle(one).animationName")
    check_no_wider_than_its_window(page)


@pytest.mark.parametrize("path", ["/lab", "/lab?scene=Clouds"])
def test_no_control_of_the_lab_is_cut_on_a_projector(open_page, path):
    page = open_page(path)
    page.add_style_tag(content=re.search(r"html {.*?}", LARGE_STYLE)[0])
    page.set_viewport_size({"width": 1360, "height": 900})
    wait_until_rested(page)
    edges = page.eval_on_selector_all(
        ".st-key-input *, .st-key-controls *", "all => all.map(one => one.getBoundingClientRect().right)"
    )
    assert max(edges) <= 1360
    check_no_wider_than_its_window(page)
