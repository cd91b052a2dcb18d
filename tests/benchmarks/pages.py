"""What scrubbing costs, and what pictures weigh."""

import random
import statistics

import numpy as np
from streamlit.testing.v1 import AppTest

from tests.benchmarks.figure import Figure
from tests.benchmarks.server import WORDS
from tests.browser import server as browser


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
