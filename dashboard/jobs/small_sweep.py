"""A small sweep of DRNN that a user can start."""

from functools import cache

import pandas as pd

from dashboard.jobs.job import Background, Job
from dashboard.public import is_public
from dashboard.sessions.folders import make_folder
from dashboard.sessions.owned import session_id

# The options of the sweep, and their values.
SMALL = {"units": ("gru", "rnn", "cnn"), "windows": (1, 2, 3, 4, 5, 6, 7, 10)}
N_SMALL = len(SMALL["units"]) * len(SMALL["windows"])


class SmallSweep(Background):
    """The current or last sweep. Finished rows are kept, so that a cancelled sweep resumes."""

    def __init__(self) -> None:
        self._starter = ""  # id of the session that started it
        folder = make_folder(self)
        self.table, self._log = folder / "windows.parquet", folder / "log.txt"

    def rows(self) -> pd.DataFrame:
        """One row per finished training."""
        return pd.read_parquet(self.table) if self.table.is_file() else pd.DataFrame()

    def start(self) -> None:
        """Start or resume the sweep; do nothing if it is running."""
        if self.runs:
            return
        self._starter = session_id()
        options = [word for name, values in SMALL.items() for word in (f"--{name}", *map(str, values))]
        options += ["--seeds", "1", "--workers", "1", "--device", "cpu", "--out", str(self.table)]
        arguments = ["windows", "--corpora", "made", *options]
        self.job = Job("core.sweep", arguments, self._log, N_SMALL, lambda: len(self.rows()), goes_on=True)

    @property
    def may_cancel(self) -> bool:
        """Whether this session may cancel the sweep: it started it, or the server is private."""
        return self.runs and (not is_public() or self._starter == session_id())

    def cancel(self) -> None:
        """Stop the sweep if this session may."""
        if self.may_cancel:
            super().cancel()


@cache
def small_sweep() -> SmallSweep:
    """The one small sweep of this server."""
    return SmallSweep()
