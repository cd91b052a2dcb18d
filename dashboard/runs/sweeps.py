"""Measured sections, drawn once, and a small sweep that a user starts.

The sweep is a process of its own, one at a time, so that nobody else waits.
"""

import shutil
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

import pandas as pd
import streamlit as st

P, R = ParamSpec("P"), TypeVar("R")
ROOT = Path(__file__).parents[2]
SECTIONS_KEPT = 16
SMALL = {"units": ("gru", "rnn", "cnn"), "windows": (1, 2, 3, 4, 5, 6, 7, 10)}
N_SMALL = len(SMALL["units"]) * len(SMALL["windows"])


class SmallSweep:
    """The sweep that runs, or the last that ran. Its rows outlive it: a cancelled sweep goes on when it is started."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="routescope-sweep-"))
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)  # with the server, at the latest
        self._process: subprocess.Popen | None = None

    @property
    def runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def failed(self) -> str:
        """Why it ended early; empty if it did not."""
        if self._process is None or self.runs or self._process.returncode <= 0:  # below 0: cancelled
            return ""
        lines = self._log.read_text(errors="replace").strip().splitlines()
        return lines[-1] if lines else f"exit code {self._process.returncode}"

    @property
    def _table(self) -> Path:
        return self._folder / "windows.parquet"

    @property
    def _log(self) -> Path:
        return self._folder / "log.txt"

    def rows(self) -> pd.DataFrame:
        """A row for each finished training."""
        return pd.read_parquet(self._table) if self._table.is_file() else pd.DataFrame()

    def start(self) -> None:
        """Start it, or go on where it was cancelled; nothing happens while it runs."""
        if self.runs:
            return
        options = [word for name, values in SMALL.items() for word in (f"--{name}", *map(str, values))]
        command = [sys.executable, "-m", "core.sweep", "windows", "--corpora", "made", *options]
        with self._log.open("w") as log:
            self._process = subprocess.Popen(
                [*command, "--seeds", "1", "--workers", "1", "--device", "cpu", "--out", str(self._table)],
                cwd=ROOT,
                stdout=subprocess.DEVNULL,
                stderr=log,
            )

    def cancel(self) -> None:
        """Stop it."""
        if self.runs and self._process is not None:
            self._process.terminate()
            self._process.wait()


def replay(section: Callable[P, R]) -> Callable[P, R]:
    """Cache a function with everything that it draws: a later call sends the same to the page, and runs nothing.

    It may draw no input.
    """
    return st.cache_resource(section, max_entries=SECTIONS_KEPT, show_spinner=False)


@st.cache_resource(show_spinner=False)
def small_sweep() -> SmallSweep:
    """The one small sweep of this server."""
    return SmallSweep()
