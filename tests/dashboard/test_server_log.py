"""The log of the servers, which holds nothing that users typed."""

import subprocess
import sys
from pathlib import Path

import pytest

from dashboard.server.log import OLDER, SIZE, Log
from tests.browser.server import ROOT, free_port

APP = """
import asyncio, logging, os, threading, warnings
import streamlit as st
from streamlit.error_util import _log_uncaught_app_exception
from streamlit.logger import get_logger

text = "secret".upper()
app = st.App("page.py")


def fail():
    try:
        int(text)
    except ValueError as error:
        raise KeyError(text) from error


class Broken:
    def __del__(self):
        fail()


try:
    fail()
except KeyError as error:
    _log_uncaught_app_exception(error)
    get_logger("streamlit.toy").warning("Number %d of %s is %.1f", 7, text, 0.5, exc_info=True)
    logging.getLogger("toy").error(error)
    logging.getLogger("toy").error("%(text)s and %(n)d", {"text": text, "n": 8})
warnings.warn(text)
asyncio.get_running_loop().call_exception_handler({"message": "A task failed", "future": [text]})
thread = threading.Thread(target=fail)
thread.start()
thread.join()
Broken()
os._exit(0)
"""


def test_a_server_logs_where_it_failed_but_no_text(tmp_path):
    app = tmp_path / "toy.py"
    app.write_text(APP)
    command = [sys.executable, "-m", "dashboard.server.replica", "run", str(app)]
    command += ["--server.headless", "true", "--server.port", str(free_port())]
    made = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert "SECRET" not in made.stdout
    for part in (
        "Uncaught app execution\n",
        "Number 7 of ... is 0.5\n",
        "ERROR toy: KeyError\n",
        "ERROR toy: ... and 8\n",
        f"of {app}\n",
        "A task failed\n",
        "in fail\n    raise KeyError(text) from error\nKeyError\nafter\n",
        "in fail\n    int(text)\nValueError\n",
    ):
        assert part in made.stdout, part
    assert made.stdout.count("Uncaught exception\n") == 2  # raised in the thread and in ``__del__``


def test_the_size_of_the_log_is_limited(tmp_path):
    log = Log(tmp_path / "folder" / "serve.log")
    for _ in range(6):
        log.keep("Toy", "long " * (SIZE // 10))
    log.close()
    files = list((tmp_path / "folder").iterdir())
    assert len(files) == 1 + OLDER
    assert all(file.stat().st_size <= SIZE for file in files)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_reported_once_and_the_server_goes_on(capsys):
    log = Log(Path("/dev/full"))
    for _ in range(3):
        log.keep("Toy", "a line")
    log.close()
    assert capsys.readouterr() == ("/dev/full cannot be written: [Errno 28] No space left on device\n", "")
