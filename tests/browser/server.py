"""A running dashboard and a Chromium, for the browser tests and the benchmarks."""

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[2]
# Flags with which Chromium runs on any machine and fetches nothing by itself.
FLAGS = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-sync"
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")  # the fastest first
CELLS = ".stVegaLiteChart svg .mark-rect.role-mark path"

WARNING = re.compile(r"Warning|^\d{4}-\d\d-\d\d ", re.MULTILINE)  # a warning of Python, or a line of Streamlit's log

# A script that has not begun after a click looks at rest, and so does a page that is not drawn yet. The page therefore
# counts as rested only if it has not changed for 300 ms since this call.
RESTED = """call => {
  const main = document.querySelector(".stApp[data-test-script-state='notRunning'] .stMain");
  if (!main || window.before?.call !== call || window.before.main !== main) {
    window.before?.observer.disconnect();
    const before = { call, main, since: performance.now() };
    before.observer = new MutationObserver(() => { before.since = performance.now(); });
    if (main) before.observer.observe(main, { subtree: true, childList: true, attributes: true, characterData: true });
    window.before = before;
  }
  return main && performance.now() - window.before.since > 300;
}"""


@dataclass
class Server:
    """A running server.

    Args:
        url: address.
        process: process of the server.
        began: start of the process, by ``time.perf_counter``.
    """

    url: str
    process: subprocess.Popen
    began: float


@contextmanager
def dashboard(
    root: Path = ROOT,
    python: str = sys.executable,
    env: Mapping[str, str] = os.environ,
    is_quiet: bool = False,
    program: Sequence[str] = ("streamlit", "run", "streamlit_app.py"),
) -> Iterator[Server]:
    """Serve a checkout's dashboard at a free port.

    Args:
        root: folder of the checkout.
        python: path of Python.
        env: environment variables.
        is_quiet: whether its log must not contain warnings.
        program: module to run, and its arguments.

    Raises:
        RuntimeError: after the block, the log contains a traceback, or a warning although ``is_quiet``.
    """
    port = free_port()
    command = [python, "-m", *program, "--server.port", str(port), "--server.headless", "true"]
    with tempfile.TemporaryFile("w+") as log:
        began = time.perf_counter()
        process = subprocess.Popen(command, cwd=root, stdout=log, stderr=log, env=env)
        try:
            wait_for(f"http://localhost:{port}/_stcore/health", process)
            yield Server(f"http://localhost:{port}", process, began)
        finally:
            process.terminate()
            process.wait(20)
        log.seek(0)
        written = log.read()
        if "Traceback" in written or (is_quiet and WARNING.search(written)):
            raise RuntimeError(written)


def free_port() -> int:
    """An unused port of this machine."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        return free.getsockname()[1]


def find_chromium() -> str | None:
    """The path of the fastest Chromium on this machine; None if there is none."""
    return next(filter(None, map(shutil.which, CHROMIUMS)), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run the system's Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS.split())
        yield browser
        browser.close()


def wait_until_drawn(page: Page, shows: str = CELLS) -> None:
    """Wait until the heat map, or another element ``shows``, is drawn and the script has finished."""
    page.wait_for_selector(shows)
    wait_until_rested(page)


def wait_until_rested(page: Page) -> None:
    """Wait until the script has finished and the page has not changed for a while."""
    page.wait_for_function(RESTED, arg=time.monotonic(), polling=50)


def wait_for(url: str, process: subprocess.Popen) -> None:
    """Wait until an address answers. RuntimeError if its process ends first."""
    while process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("the server stopped before it answered")
