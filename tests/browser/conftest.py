"""A running dashboard and a page in the system's Chromium. Without a Chromium these tests skip, and say so."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[2]
QUIET = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-sync"
PATIENCE = 60_000  # ms, for a machine that is busy with other things


@pytest.fixture(scope="session")
def chromium():
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        pytest.skip("no Chromium on this machine: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=QUIET.split())
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def address(tmp_path_factory):
    """Where the dashboard is served for this session."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    log = (tmp_path_factory.mktemp("server") / "log.txt").open("w+")
    command = [sys.executable, "-m", "streamlit", "run", "streamlit_app.py", "--server.port", str(port)]
    command += ["--server.headless", "true", "--server.fileWatcherType", "none"]
    server = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, env=os.environ | {"OMP_NUM_THREADS": "1"})
    url = f"http://localhost:{port}"
    try:
        for _ in range(600):
            if server.poll() is not None:
                break
            try:
                urllib.request.urlopen(f"{url}/_stcore/health", timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield url
    finally:
        server.terminate()
        server.wait(10)
        log.seek(0)
        errors = [line for line in log if "Traceback" in line]
        log.close()
        assert not errors, "the server's log holds a traceback"


@pytest.fixture
def page(chromium, address):
    """A fresh session on the first page, pictures drawn. The test fails if the page asks another host for anything."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    elsewhere = []
    page.on("request", lambda r: elsewhere.append(r.url) if not r.url.startswith((address, "data:", "blob:")) else None)
    page.goto(address)
    drawn(page)
    yield page
    context.close()
    assert not elsewhere


def drawn(page) -> None:
    """Wait until the heat map is drawn and the script has come to rest."""
    page.wait_for_selector(".stVegaLiteChart svg .mark-rect path")
    page.wait_for_selector(".stApp[data-test-script-state='notRunning']")
