"""Measured sections, drawn once, and a small sweep that a user starts."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import pandas as pd
import streamlit as st

from dashboard.public import is_public
from dashboard.runs.jobs import Background, Job, make_folder
from dashboard.sessions import session_id

P, R = ParamSpec("P"), TypeVar("R")
SECTIONS_KEPT = 16
SMALL = {"units": ("gru", "rnn", "cnn"), "windows": (1, 2, 3, 4, 5, 6, 7, 10)}
N_SMALL = len(SMALL["units"]) * len(SMALL["windows"])


class SmallSweep(Background):
    """The sweep that runs, or the last that ran. Its rows outlive it: a cancelled sweep goes on when it is started."""

    def __init__(self) -> None:
        self._starter = ""  # the session that started it
        folder = make_folder(self)
        self.table, self._log = folder / "windows.parquet", folder / "log.txt"

    def rows(self) -> pd.DataFrame:
        """A row for each finished training."""
        return pd.read_parquet(self.table) if self.table.is_file() else pd.DataFrame()

    def start(self) -> None:
        """Start it, or go on where it was cancelled; nothing happens while it runs."""
        if self.runs:
            return
        self._starter = session_id()
        options = [word for name, values in SMALL.items() for word in (f"--{name}", *map(str, values))]
        options += ["--seeds", "1", "--workers", "1", "--device", "cpu", "--out", str(self.table)]
        arguments = ["windows", "--corpora", "made", *options]
        self.job = Job("core.sweep", arguments, self._log, N_SMALL, lambda: len(self.rows()), goes_on=True)

    @property
    def may_cancel(self) -> bool:
        """Whether this session may cancel it: it waits for nobody else, or the server is its own."""
        return self.runs and (not is_public() or self._starter == session_id())

    def cancel(self) -> None:
        """Stop it where this session may."""
        if self.may_cancel:
            super().cancel()


def replay(section: Callable[P, R]) -> Callable[P, R]:
    """Cache a function with everything that it draws: a later call sends the same to the page, and runs nothing.

    It may draw no input.
    """
    return st.cache_resource(section, max_entries=SECTIONS_KEPT, show_spinner=False)


@st.cache_resource(show_spinner=False)
def small_sweep() -> SmallSweep:
    """The one small sweep of this server."""
    return SmallSweep()
