"""Helpers for tests of other processes."""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path


def hear_signals() -> None:
    """Restore the handlers of SIGINT and SIGHUP in a new process: background jobs and nohup ignore these signals."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def count_children(pid: int) -> int:
    """The number of a process's children."""
    return len(subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split())


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait until the condition holds, at most two minutes."""
    end = time.monotonic() + 120
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def is_running(pid: int) -> bool:
    """Whether a process exists and is no zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"
