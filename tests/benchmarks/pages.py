"""The cost of scrubbing and of edits, and the size of pictures."""

import random
import statistics

import numpy as np
from streamlit.testing.v1 import AppTest

from tests.benchmarks.figure import Figure
from tests.benchmarks.server import WORDS
from tests.browser import server as browser

# Counts the messages from the page to the server in window.sent.
COUNT = """() => { window.sent = 0; const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (m) { window.sent++; return send.call(this, m); }; }"""


def scrub(device: str) -> list[Figure]:
    """The time from an iteration step to the heat map's new colours in the browser, and messages to the server."""
    step = """async (value) => {
        const cells = () => [...document.querySelectorAll('%s')].map((c) => c.getAttribute('fill')).join();
        const range = document.querySelector('.rs-range'), before = cells(), began = performance.now();
        range.value = value;
        range.dispatchEvent(new Event('input', { bubbles: true }));
        while (cells() === before && performance.now() - began < 5000) await new Promise(requestAnimationFrame);
        return performance.now() - began;
    }"""
    with browser.dashboard() as server, browser.chromium() as chromium:
        page = chromium.new_page()
        page.goto(server.url + "/routing?iterations=3")
        browser.wait_until_drawn(page)
        page.evaluate(COUNT)
        times = [page.evaluate(step.replace("%s", browser.CELLS), 1 + k % 3) for k in range(30)]
        sent = page.evaluate("window.sent")
    return [
        Figure("scrub an iteration, median", statistics.median(times), 50, "ms"),
        Figure("messages to the server while scrubbing", sent, 0, "of 30"),
    ]


def edit(device: str) -> list[Figure]:
    """The time from a click on Cut or Undo to new classes and a new picture, and from a new dose to its classes."""
    click = """async (label) => {
        const picture = () => [...document.querySelectorAll('.stVegaLiteChart')].at(-1);
        const cells = () => [...picture().querySelectorAll('.mark-rect.role-mark path')];
        const fills = () => cells().map((cell) => cell.getAttribute('fill')).join();
        const classes = () => document.querySelector('.rs-pairs').innerText;
        const buttons = [...document.querySelectorAll('.stButton button')];
        const button = buttons.find((b) => b.innerText.trim().endsWith(label));
        const before = [fills(), classes()], began = performance.now();
        button.click();
        const waits = () => fills() === before[0] || classes() === before[1];
        while (waits() && performance.now() - began < 5000) await new Promise(requestAnimationFrame);
        return performance.now() - began;
    }"""
    dose = """async (value) => {
        const range = document.querySelector('.rs-dose-range');
        const classes = () => document.querySelector('.rs-pairs').innerText;
        const before = classes(), began = performance.now();
        range.value = value;
        range.dispatchEvent(new Event('input', { bubbles: true }));
        while (classes() === before && performance.now() - began < 5000) await new Promise(requestAnimationFrame);
        return performance.now() - began;
    }"""
    times = []
    with browser.dashboard() as server, browser.chromium() as chromium:
        page = chromium.new_page()
        page.goto(server.url + "/routing?tab=What+if&word=4&capsule=3")
        browser.wait_until_drawn(page)
        for label in ("Cut", "Undo") * 12:  # the first pair is not counted
            browser.wait_until_rested(page)
            times.append(page.evaluate(click, label))
        page.evaluate(COUNT)
        doses = [page.evaluate(dose, value) for value in range(1, 21)]
        sent = page.evaluate("window.sent")
    return [
        Figure("an edit to its classes and its picture, median", statistics.median(times[2:]), 120, "ms"),
        Figure("a dose to its classes, median", statistics.median(doses), 50, "ms"),
        Figure("messages to the server while the dose moves", sent, 0, "of 20"),
    ]


def payload(device: str) -> list[Figure]:
    """The size of the message with a heat map of 60 words, 16 capsules and 10 iterations."""
    coupling = np.random.default_rng(0).dirichlet(np.ones(16), size=(10, 60)).astype(np.float32)
    tokens = random.Random(0).choices(WORDS, k=60)

    def script(coupling, tokens):
        import streamlit as st

        from dashboard.figures.routing import coupling_heatmap

        st.vega_lite_chart(*coupling_heatmap(coupling, tokens, "output"))

    app = AppTest.from_function(script, kwargs={"coupling": coupling, "tokens": tokens}).run()
    (chart,) = app.get("vega_lite_chart")
    return [Figure("heat map of 60 words x 16 capsules x 10 iterations", chart.proto.ByteSize() / 1000, 300, "KB")]
