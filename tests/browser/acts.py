"""Actions and checks for any page in the browser."""

from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.server import CELLS, wait_until_drawn, wait_until_rested

CHIPS = ".st-key-chips button[kind=secondary]:visible"  # the edits of the run on screen
STREAMLITS_MENU = "[data-testid=stSidebarNavItems]"  # not for axe: its list contains headings that are not items


def type_text(page, text):
    """Run a text, and wait for its answer."""
    box = page.get_by_role("textbox", name="Your text")
    box.fill(text)
    box.press("Control+Enter")
    wait_until_rested(page)


def step_back(page, times=1, param="iteration"):
    """Move the scrubber of a parameter back by keyboard."""
    page.locator(f".rs-scrubber[data-param={param}] .rs-range").focus()
    for _ in range(times):
        page.keyboard.press("ArrowLeft")


def colours(page):
    """The colour of every cell of the heat maps."""
    return page.eval_on_selector_all(CELLS, "cells => cells.map(c => c.getAttribute('fill'))")


def shaded_heading(page):
    """The heading of the shaded text."""
    return page.locator(".rs-shading h2")


def shades(page):
    """The colour of every word of the shaded text."""
    return page.eval_on_selector_all(".rs-shading span", "words => words.map(word => word.style.backgroundColor)")


def check_scrubbed_to_the_first(page, param, last, n, first):
    """Check that the shaded text follows the scrubber by keyboard to the first step, without messages to the server.

    Args:
        page: page at step ``last``.
        param: parameter of the scrubber.
        last: number of the step at which the page is.
        n: number of steps.
        first: heading at the first step.
    """
    count_messages(page)
    before = shades(page)
    step_back(page, last - 1, param=param)
    expect(page.locator(".rs-value")).to_have_text(f"1 of {n}")
    expect(shaded_heading(page)).to_contain_text(first)
    assert shades(page) != before
    assert page.evaluate("window.sent") == 0


def count_messages(page):
    """Make window.sent count the messages from the page to the server from now on."""
    page.evaluate(
        """() => { window.sent = 0; const send = WebSocket.prototype.send;
                   WebSocket.prototype.send = function (m) { window.sent++; return send.call(this, m); }; }"""
    )


def check_reloaded(page, read):
    """Check that a reload does not change the result of ``read``."""
    wait_until_rested(page)
    before = read(page)
    page.reload()
    wait_until_drawn(page)
    assert read(page) == before


def choose_example(page, name):
    """Choose an example by the first words on its chip."""
    page.get_by_role("group", name="Examples").get_by_role("button", name=name).click()
    wait_until_rested(page)


def press(page, name):
    """Press a button, and wait for the answer."""
    page.get_by_role("button", name=name, exact=True).first.click()
    wait_until_rested(page)


def numbers(page):
    """The number of each class, as text."""
    return page.locator(".rs-verdict .rs-number").all_inner_texts()


def choose_network(page, title):
    page.get_by_role("combobox", name="Network").click()
    page.get_by_role("option", name=title, exact=True).click()
    wait_until_rested(page)


def open_tab(page, name):
    page.get_by_role("tab", name=name, exact=True).click()
    wait_until_rested(page)


def pin(page, answer="Pinned (1). Open it in Compare."):
    """Pin the run that the page shows."""
    page.get_by_role("button", name="Pin", exact=True).click()
    expect(page.get_by_text(answer)).to_be_visible()
    wait_until_rested(page)


def download(page, name):
    """Download a file of the export menu, and return its text."""
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name=name, exact=True).click()
    return Path(waiting.value.path()).read_text(encoding="utf-8")


def check_downloads(page, folder, beginnings):
    """Check the beginning of every file of the export menu, and that its figures work offline."""
    page.get_by_role("button", name="Export").click()
    for name, beginning in beginnings.items():
        with page.expect_download() as waiting:
            page.get_by_role("button", name=name, exact=True).click()
        path = folder / name.replace("/", " ")
        waiting.value.save_as(path)
        assert path.read_bytes().startswith(beginning.encode()), name
    assert "https://cdn" not in (folder / "HTML").read_text(encoding="utf-8")


def check_phone_width(page):
    """Check that on 375 pixels the charts scroll, not the page."""
    page.set_viewport_size({"width": 375, "height": 800})
    wait_until_rested(page)
    check_no_wider_than_its_window(page)


def check_no_wider_than_its_window(page):
    wide, room = page.evaluate("(m => [m.scrollWidth, m.clientWidth])(document.querySelector('[data-testid=stMain]'))")
    assert wide <= room


def check_accessible(page, *excluded):
    """Check that axe finds nothing in light and in dark colours, after scrolling charts are made focusable.

    Args:
        page: any page with a chart.
        excluded: selectors of parts of the page that are Streamlit's own, in addition to its menu.
    """
    backgrounds = set()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        wait_until_rested(page)
        backgrounds.add(page.eval_on_selector(".stApp", "app => getComputedStyle(app).backgroundColor"))
        page.wait_for_selector(".stVegaLiteChart[tabindex='0']")
        violations = (
            Axe().run(page, {"exclude": [[part] for part in (STREAMLITS_MENU, *excluded)]}).response["violations"]
        )
        assert not [(scheme, v["id"], [n["html"] for n in v["nodes"]]) for v in violations]
    assert len(backgrounds) == 2


def check_never_markup(page):
    """Check that typed markup stays text."""
    type_text(page, "<script>window.hacked = 1</script> <img src=x onerror='window.hacked = 1'> [a](http://x.y)")
    assert page.evaluate("window.hacked") is None
    assert page.locator(".stMain img").count() == 0
