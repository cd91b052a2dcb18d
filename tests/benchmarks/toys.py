"""The time to render a toy, the wait for it in Chromium, and the growth of memory."""

import io
import statistics
import time
from collections.abc import Callable
from urllib.parse import urlencode

import numpy as np
from PIL import Image
from playwright.sync_api import Page

from core.datasets import toyrig
from tests.benchmarks.figure import Figure
from tests.benchmarks.server import megabytes_of
from tests.browser import server as browser

# Toys of the test split, in addition to the one that the page shows first.
OTHERS = ("car 2, sports car", "truck 1, fire engine", "human 1, rifleman standing", "airplane 1, light, high wing")
TURNS = 20
ACTS = 100  # drags or uploads before the first measurement of memory, and between it and the second one
LEFT_EYE = "document.querySelector('.rs-toy canvas').toDataURL()"


def toys(device: str) -> list[Figure]:
    """The time to render a pair of pictures in six lights, and a whole turn of such pairs. Always on the CPU."""
    times = []
    for category in range(len(toyrig.KINDS)):
        toyrig.toy(category, 0)  # keeps the mesh, which is not to be timed
        for azimuth in (0, 80, 200):
            began = time.perf_counter()
            toyrig.photographs(category, 0, [azimuth], [50])
            times.append(1000 * (time.perf_counter() - began))
    began = time.perf_counter()
    toyrig.photographs(0, 0, elevations=[50])
    turn = time.perf_counter() - began
    return [
        Figure("a toy's pair of pictures in six lights, median", statistics.median(times), 300, "ms"),
        Figure("a toy's turn in 18 such pairs", turn, 4, "s"),
    ]


def drag(device: str) -> list[Figure]:
    """The time from a drag of the toy to its picture, and from a click on the tab to the trajectories of five toys.

    The toys are test toys in the views in which they were measured.
    """
    with browser.dashboard() as server, browser.chromium() as chromium:
        page = chromium.new_page()
        page.goto(f"{server.url}/smallnorb?" + urlencode({"toys": OTHERS}, doseq=True))
        page.wait_for_selector(".st-key-space .js-plotly-plot", timeout=120_000)
        browser.wait_until_rested(page)
        times = [_turn(page) for _ in range(TURNS)]
        began = time.perf_counter()
        page.get_by_role("tab", name="Toys").click()
        lines = "[aria-label^='The pose vectors of several toys'] .mark-line.role-mark path"
        page.wait_for_function(f"""() => document.querySelectorAll("{lines}").length === 25""", timeout=120_000)
        page.wait_for_selector(".st-key-toys_space .js-plotly-plot")
        spent = time.perf_counter() - began
    return [
        Figure("drag of a toy to its picture in Chromium, p50", statistics.median(times), 400, "ms"),
        Figure("five measured toys' trajectories in Chromium", spent, 3, "s"),
    ]


def toy_memory(device: str) -> list[Figure]:
    """The growth of a used server's memory while a user drags a toy, then uploads pictures, in Chromium.

    A full turn is 72 drags; after it the directions repeat.
    """
    grown = {}
    with browser.dashboard() as server, browser.chromium() as chromium:
        page = chromium.new_page()
        page.goto(f"{server.url}/smallnorb")
        page.wait_for_selector(".st-key-space .js-plotly-plot", timeout=120_000)
        browser.wait_until_rested(page)
        grown["drags of a toy"] = _growth(server, lambda k: _turn(page))
        page.goto(f"{server.url}/smallnorb?source=Your+pictures")
        page.get_by_text("Upload pictures to begin.").wait_for(timeout=120_000)
        browser.wait_until_rested(page)
        grown["uploads of a picture"] = _growth(server, lambda k: _upload(page, k))
    name = f"server memory, growth over {ACTS} further"
    return [Figure(f"{name} {what}", megabytes, 20, "MB") for what, megabytes in grown.items()]


def _growth(server: browser.Server, act: Callable[[int], object]) -> float:
    """The growth of the server's memory, in megabytes, from ``ACTS`` acts to twice that number."""
    sizes = []
    for k in range(2 * ACTS):
        act(k)
        sizes.append(megabytes_of(server.process.pid))
    return sizes[-1] - sizes[ACTS - 1]


def _turn(page: Page) -> float:
    """Drag the toy by 7 pixels, which turn it by 5 degrees, and return the milliseconds to its picture."""
    turn = """async (right) => {
        const eyes = document.querySelector('.rs-toy-eyes'), before = %s, began = performance.now();
        const { x, y } = eyes.getBoundingClientRect();
        const point = (name, clientX) => eyes.dispatchEvent(new PointerEvent(name, { clientX, clientY: y + 9 }));
        eyes.setPointerCapture = () => {};
        point('pointerdown', x + 9); point('pointermove', x + 9 + right); point('pointerup', x + 9 + right);
        while (%s === before && performance.now() - began < 20000) await new Promise(requestAnimationFrame);
        return performance.now() - began;
    }""".replace("%s", LEFT_EYE)
    spent = page.evaluate(turn, 7)
    browser.wait_until_rested(page)
    return spent


def _upload(page: Page, k: int) -> None:
    """Upload a picture in place of the previous one."""
    content = io.BytesIO()
    Image.fromarray(np.random.default_rng(k).integers(0, 256, (500, 500), np.uint8)).save(content, "PNG")
    if k:
        page.locator("[data-testid=stFileUploader]").get_by_role("button", name="Remove").click()
    given = {"name": f"{k}.png", "mimeType": "image/png", "buffer": content.getvalue()}
    page.locator("[data-testid=stFileUploader] input[type=file]").set_input_files([given])
    page.get_by_text(f"Routed: {k} (uploaded)").wait_for(timeout=120_000)
    browser.wait_until_rested(page)
