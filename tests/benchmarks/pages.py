"""What a user waits for, and what the server spends."""

import random
import statistics
import time
from pathlib import Path

import numpy as np
from streamlit.testing.v1 import AppTest

from tests.benchmarks.figure import Figure
from tests.browser import server as browser

WORDS = [
    "the",
    "film",
    "is",
    "a",
    "warm",
    "and",
    "funny",
    "story",
    "but",
    "its",
    "plot",
    "never",
    "quite",
    "earns",
    "what",
    "two",
    "fine",
    "actors",
    "bring",
    "to",
    "it",
]
IDLE_USERS = 10
DRAWN = ("vega_lite_chart", "bidi_component")  # pictures, and texts that are shaded
PAGES = {
    "Routing": "dashboard/pages/routing.py",
    "k-means": "dashboard/pages/kmeans.py",
    "Sentiment capsules": "dashboard/pages/sentiment_capsules.py",
    "AGT": "dashboard/pages/agt.py",
    "DRNN": "dashboard/pages/drnn.py",
}


def paste(device: str) -> list[Figure]:
    """A new sentence of 25 words to every number of a page: one run of its script, warm."""
    return [figure for title, file in PAGES.items() for figure in _paste(title, file, device)]


def _paste(title: str, file: str, device: str) -> list[Figure]:
    app = AppTest.from_file(str(browser.ROOT / "streamlit_app.py"), default_timeout=60)
    app.switch_page(file).run()
    app.selectbox(key="device").set_value(device)
    draw, times = random.Random(0), []
    for _ in range(60):
        app.text_area(key="text").set_value(" ".join(draw.choices(WORDS, k=25)))
        began = time.perf_counter()
        app.run()
        times.append(1000 * (time.perf_counter() - began))
    p95 = statistics.quantiles(times[5:], n=20)[-1]
    return [
        Figure(f"paste to numbers, {title} page, p50", statistics.median(times[5:]), 150, "ms"),
        Figure(f"paste to numbers, {title} page, p95", p95, 400, "ms"),
    ]


def scrub(device: str) -> list[Figure]:
    """An iteration step in the browser to the heat map's new colours; messages to the server meanwhile."""
    step = """async (value) => {
        const cells = () => [...document.querySelectorAll('%s')].map((c) => c.getAttribute('fill')).join();
        const range = document.querySelector('.rs-range'), before = cells(), began = performance.now();
        range.value = value;
        range.dispatchEvent(new Event('input', { bubbles: true }));
        while (cells() === before && performance.now() - began < 5000) await new Promise(requestAnimationFrame);
        return performance.now() - began;
    }"""
    count = """() => { window.sent = 0; const send = WebSocket.prototype.send;
        WebSocket.prototype.send = function (m) { window.sent++; return send.call(this, m); }; }"""
    with browser.dashboard() as server, browser.chromium() as chromium:
        page = chromium.new_page()
        page.goto(server.url + "/?iterations=3")
        browser.drawn(page)
        page.evaluate(count)
        times = [page.evaluate(step.replace("%s", browser.CELLS), 1 + k % 3) for k in range(30)]
        sent = page.evaluate("window.sent")
    return [
        Figure("scrub an iteration, median", statistics.median(times), 50, "ms"),
        Figure("messages to the server while scrubbing", sent, 0, "of 30"),
    ]


def payload(device: str) -> list[Figure]:
    """What the heat map of 60 words, 16 capsules and 10 iterations weighs on its way to the browser."""
    coupling = np.random.default_rng(0).dirichlet(np.ones(16), size=(10, 60)).astype(np.float32)
    tokens = random.Random(0).choices(WORDS, k=60)

    def script(coupling, tokens):
        import streamlit as st

        from dashboard.figures.routing import coupling_heatmap

        st.vega_lite_chart(*coupling_heatmap(coupling, tokens, "output"))

    app = AppTest.from_function(script, kwargs={"coupling": coupling, "tokens": tokens}).run()
    (chart,) = app.get("vega_lite_chart")
    return [Figure("heat map of 60 words x 16 capsules x 10 iterations", chart.proto.ByteSize() / 1000, 300, "KB")]


def review(device: str) -> list[Figure]:
    """A review of 2,000 words: to every number of the Routing page, warm; its heaviest picture with ten iterations."""
    app = AppTest.from_file(str(browser.ROOT / "streamlit_app.py"), default_timeout=60)
    app.query_params.update({"checkpoint": "dragg-imdb", "iterations": "10"})
    app.run()
    app.selectbox(key="device").set_value(device)
    draw, times = random.Random(0), []
    for _ in range(20):
        sentences = (" ".join(draw.choices(WORDS, k=20)) + "." for _ in range(95))
        app.text_area(key="text").set_value(" ".join(sentences))
        began = time.perf_counter()
        app.run()
        times.append(1000 * (time.perf_counter() - began))
    drawn = [element.proto.ByteSize() / 1000 for kind in DRAWN for element in app.get(kind)]
    return [
        Figure("review of 2,000 words to numbers, p50", statistics.median(times[5:]), 400, "ms"),
        Figure("heaviest picture of a review of 2,000 words", max(drawn), 300, "KB"),
    ]


def server(device: str) -> list[Figure]:
    """From the start of the server to the first picture; its memory then, and for each further idle user."""
    with browser.chromium() as chromium:
        began = time.perf_counter()
        with browser.dashboard() as running:
            page = chromium.new_page()
            page.goto(running.url)
            page.wait_for_selector(browser.CELLS)
            start = time.perf_counter() - began
            browser.drawn(page)
            page.set_default_timeout(120_000)  # a toy is photographed from eighteen sides
            for title in (*PAGES, "smallNORB"):
                page.get_by_role("link", name=title).click()
                page.get_by_role("heading", name=title, exact=True).wait_for()
                browser.drawn(page)
            one = _megabytes(running.process.pid)
            for _ in range(IDLE_USERS):
                other = chromium.new_context().new_page()
                other.goto(running.url)
                browser.drawn(other)
            many = _megabytes(running.process.pid)
    return [
        Figure("server start to first picture", start, 8, "s"),
        Figure("server memory, every page opened", one, 1500, "MB"),
        Figure("server memory, a further idle user", (many - one) / IDLE_USERS, 20, "MB"),
    ]


def _megabytes(pid: int) -> float:
    """Resident memory of a process (Linux)."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1000
