"""The widget of a trace in Jupyter and in marimo, whose kernels ask the dashboard for it, and without a kernel."""

import json
import os
import re
import subprocess
import sys
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PATIENCE
from tests.browser.server import ROOT, free_port, wait_for
from tests.core.samples import SENTENCE

pytestmark = pytest.mark.browser

HOMES = ("HOME", "IPYTHONDIR", *(f"JUPYTER_{kind}_DIR" for kind in ("CONFIG", "DATA", "RUNTIME")))
TEXT = f"<i>Never</i> {SENTENCE}"
GOOD = 9  # index of the word
SHOW = """from core import Client

trace = Client({address!r}).explain("dragg-reversed-sst5", {text!r})
widget = trace.show()
"""
SAY = "str((widget.picked, widget.edits, widget.trace.edits_in_words()))"
NOW = "({'word': 9, 'capsule': 1, 'iteration': 2}, ['drop:9'], ['without “good”'])"
MARIMO = """import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo

    {show}
    widget = mo.ui.anywidget(trace.show())
    widget
    return (widget,)


@app.cell
def _(widget):
    widget.value
    {say}
"""


@contextmanager
def notebooks(folder, *command, health):
    """Serve notebooks from a folder, with settings of their own, at a free port."""
    port = free_port()
    env = os.environ | dict.fromkeys(HOMES, str(folder / "home")) | {"PYTHONPATH": str(ROOT)}
    with open(folder / "log", "w") as log:
        arguments = [argument.format(port=port) for argument in command]
        process = subprocess.Popen([sys.executable, "-m", *arguments], cwd=folder, env=env, stdout=log, stderr=log)
        try:
            wait_for(f"http://localhost:{port}/{health}", process)
            yield f"http://localhost:{port}"
        finally:
            process.terminate()
            process.wait(20)


@contextmanager
def visitor(context_of, address):
    """A tab that must not ask any other host for anything, or meet an error."""
    page, elsewhere = context_of({"viewport": {"width": 1200, "height": 1000}}).new_page(), []
    page.set_default_timeout(PATIENCE)
    ours = (address, address.replace("http", "ws"), "data:", "blob:", "about:", "file:")
    for event in ("request", "websocket"):
        page.on(event, lambda asked: None if asked.url.startswith(ours) else elsewhere.append(asked.url))
    page.on("pageerror", lambda error: elsewhere.append(str(error)))
    yield page
    page.close()
    assert not elsewhere


def cells(frame):
    return frame.locator("#picture svg .mark-rect.role-mark path")


def use(frame):
    """Scrub to iteration 2, pick “good” for capsule 2 in the picture, and mask the word."""
    expect(cells(frame).first).to_be_visible()
    expect(frame.locator(".rs-shading p")).to_have_text(TEXT)
    fills = cells(frame).evaluate_all("cells => cells.map(cell => cell.getAttribute('fill'))")
    frame.locator(".rs-range").press("ArrowLeft")
    expect(frame.locator(".rs-value")).to_have_text("2 of 3")
    frame.locator(".rs-shading [data-word='2']").click()
    expect(frame.get_by_role("heading", level=2).last).to_contain_text("“>” →")
    cells(frame).nth(GOOD * 5 + 1).click()
    expect(frame.get_by_role("heading", level=2).last).to_have_text("“good” → capsule 2")
    assert cells(frame).evaluate_all("cells => cells.map(cell => cell.getAttribute('fill'))") != fills
    frame.get_by_role("button", name="Mask this word").click()
    expect(frame.get_by_role("button", name="Undo: without “good”")).to_be_visible()
    expect(frame.locator(".rs-answer")).to_contain_text("With your edit")


def test_jupyter_shows_the_widget_and_hears_of_picks(context_of, address, tmp_path):
    sources = [SHOW.format(address=address, text=TEXT) + "widget", SAY]
    cell = {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": []}
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    content = [cell | {"id": f"cell-{k}", "source": source} for k, source in enumerate(sources)]
    notebook = {"cells": content, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "a.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    options = ["--no-browser", "--allow-root", "--ServerApp.port={port}", "--IdentityProvider.token="]
    with (
        notebooks(tmp_path, "jupyterlab", *options, health="api") as url,
        visitor(context_of, url) as page,
    ):
        page.goto(f"{url}/doc/tree/a.ipynb")
        code = page.locator(".jp-Notebook .jp-CodeCell")
        expect(page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible()
        code.first.click()
        page.keyboard.press("Shift+Enter")
        use(page.frame_locator("iframe[title=Routescope]"))
        code.nth(1).click()
        page.keyboard.press("Shift+Enter")
        expect(code.nth(1).locator(".jp-OutputArea-output")).to_contain_text(NOW)


def test_marimo_shows_the_widget_and_runs_cells_again(context_of, address, tmp_path):
    show = SHOW.format(address=address, text=TEXT).strip().replace("\n", "\n    ").rpartition("\n")[0]
    (tmp_path / "a.py").write_text(MARIMO.format(show=show, say=SAY), encoding="utf-8")
    options = ["--headless", "--no-token", "--port", "{port}"]
    with (
        notebooks(tmp_path, "marimo", "--quiet", "run", "a.py", *options, health="health") as url,
        visitor(context_of, url) as page,
    ):
        page.goto(url)
        use(page.frame_locator("iframe[title=Routescope]"))
        expect(page.get_by_text(NOW)).to_be_visible()


def test_without_a_kernel_the_widget_scrubs_and_picks(context_of, address, tmp_path):
    from core import Client

    html = Client(address).explain("dragg-reversed-sst5", TEXT).show()._repr_html_()
    (tmp_path / "a.html").write_text(f"<!DOCTYPE html><meta charset='utf-8'>{html}", encoding="utf-8")
    with visitor(context_of, "file:") as page:
        page.goto((tmp_path / "a.html").as_uri())
        frame = page.frame_locator("iframe")
        expect(cells(frame).first).to_be_visible()
        frame.locator(".rs-range").press("ArrowLeft")
        cells(frame).nth(GOOD * 5 + 1).click()
        expect(frame.get_by_role("heading", level=2).last).to_have_text("“good” → capsule 2")
        expect(frame.locator("tr[data-now] th")).to_have_text("2")
        expect(frame.locator(".rs-reason")).to_have_text("Edits need a running notebook.")
        assert frame.get_by_role("button", name=re.compile("Mask|Set|Switch")).count() == 0
        expect(frame.locator(".rs-shading p")).to_have_text(TEXT)
