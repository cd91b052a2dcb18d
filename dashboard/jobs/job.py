"""Jobs in the background: each is a process of its own that ends with the server, at the latest.

Only so many run at once, one of each session. Short ones go first and keep a place for themselves; of long ones that
which ran least. A long job makes room after a while, if another one waits.
"""

import errno
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Condition, Event, Lock, Thread

from core.files import TRIED
from dashboard.public import is_public
from dashboard.sessions.owned import session_id

ROOT = Path(__file__).parents[2]
MAX_JOBS = max(3, os.cpu_count() or 1)  # jobs, each with one busy process; one of them is short
SHORT = 1_000  # texts of a job that is short
SLICE = 60  # seconds that a long job runs before it makes room
MAX_SLICES = 30  # of a visitor's job that could not go on later
TAIL = 4000  # bytes of a log in which the last state of a progress bar stands
BAR = re.compile(r"(?:([^\r\n]*?):\s+)?\d+%\|[^|]*\| (\d+)/(\d+) \[")
PATIENCE = 10  # seconds for a cancelled process to end

_changed = Condition()
_waiting: list["Job"] = []  # the first come first
_running: list["Job"] = []


class Job:
    """A module of ``core`` that runs in the background. It starts at once, unless its turn has not come.

    Args:
        module: as ``python -m`` takes it.
        arguments: of its command line.
        log: the file for what it writes to standard error.
        total: how much there is to do.
        count: how much of it is done.
        variables: of its environment, besides those of the server.
        texts: that it reads; None where it is more than can be said.
        goes_on: whether the same command goes on where it was ended.
    """

    def __init__(
        self,
        module: str,
        arguments: Sequence[str],
        log: Path,
        total: int,
        count: Callable[[], int],
        variables: Mapping[str, str] | None = None,
        texts: int | None = None,
        goes_on: bool = False,
    ):
        self.session, self.ran = session_id(), 0
        self.is_short, self._goes_on = texts is not None and texts <= SHORT, goes_on
        self._command = [sys.executable, "-m", "core.job", module, *arguments]
        self._log, self.total, self._count = log, total, count
        self._variables = dict(variables or {})
        self._process: subprocess.Popen | None = None
        self._not_started = ""
        self._lock, self._cancelled, self._ended = Lock(), False, Event()
        Thread(target=self._run, name=f"job {module}", daemon=True).start()

    @property
    def runs(self) -> bool:
        """Whether it has not ended; it may wait to start."""
        return not self._ended.is_set()

    @property
    def waits(self) -> bool:
        """Whether it waits for other jobs to end."""
        return self.runs and self._process is None

    @property
    def place(self) -> str:
        """Which jobs it waits for, in a few words; "" if it does not wait."""
        with _changed:
            if self not in _waiting:
                return ""
            ahead = _in_order().index(self) + 1
            if any(_is_own(self, other) for other in _running):
                return "waiting for your other job to end"
        return "waiting for another job to end" if ahead == 1 else f"waiting for {ahead} other jobs to end"

    @property
    def done(self) -> int:
        """How much of ``total`` is done."""
        return min(self._count(), self.total)

    @property
    def failed(self) -> str:
        """Why it ended early; empty if it did not, or was cancelled."""
        if self.runs or self._cancelled or self._process is None or self._process.returncode == 0:
            return self._not_started
        lines = self._log.read_text(errors="replace").strip().splitlines() if self._log.is_file() else []
        if not lines and shutil.disk_usage(self._log.parent).free < TRIED:
            return os.strerror(errno.ENOSPC)  # which the process could not write down
        return lines[-1] if lines else f"exit code {self._process.returncode}"

    def cancel(self) -> None:
        """Stop it, and return once it has ended."""
        with self._lock:
            self._cancelled = True
            process = self._process  # which the job's thread sets to None as it makes room
        if process is None:
            with _changed:
                _changed.notify_all()
            self._ended.wait()
            return
        process.terminate()
        if not self._ended.wait(PATIENCE):
            process.kill()
            self._ended.wait()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it has ended, so many seconds at most; whether it has."""
        return self._ended.wait(timeout)

    def _run(self) -> None:
        while self._wait_for_turn():
            try:
                has_ended = self._run_until_others_wait()
            finally:
                with _changed:
                    _running.remove(self)
                    _changed.notify_all()
            if has_ended:
                break
        self._ended.set()

    def _wait_for_turn(self) -> bool:
        """Return once it may run, or is cancelled: then False."""
        with _changed:
            _waiting.append(self)
            _changed.wait_for(lambda: self._cancelled or _next() is self)
            _waiting.remove(self)
            if not self._cancelled:
                _running.append(self)
            _changed.notify_all()
            return not self._cancelled

    def _run_until_others_wait(self) -> bool:
        """Whether it has ended, and has not only made room."""
        with self._lock:
            if self._cancelled:
                return True
            try:
                self._process = process = self._start()
            except OSError as error:
                self._not_started = str(error)
                return True
        with process:  # closes the pipe
            while True:
                try:
                    process.wait(SLICE)
                    return True
                except subprocess.TimeoutExpired:
                    self.ran += 1
                if self._should_end():
                    with self._lock:
                        process.terminate()
                        process.wait()
                        self._process = None
                    return not self._goes_on

    def _should_end(self) -> bool:
        """Whether it makes room for another one now, or ends for good: then it says so."""
        other = None if self.is_short else _next(instead_of=self)
        if other is None or other.ran >= self.ran:
            return False
        if self._goes_on:
            return True
        if not is_public() or self.ran < MAX_SLICES:
            return False
        self._not_started = f"it had run for {round(self.ran * SLICE / 60)} minutes, and others waited"
        return True

    def _start(self) -> subprocess.Popen:
        with self._log.open("wb") as log:
            return subprocess.Popen(
                self._command,
                cwd=ROOT,
                env=os.environ | self._variables,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=log,
            )


def _in_order() -> list[Job]:
    return sorted(_waiting, key=lambda job: (not job.is_short, job.ran))


def _next(instead_of: Job | None = None) -> Job | None:
    """The job that may start now, or could if another one made room; None if none may."""
    with _changed:
        running = [job for job in _running if job is not instead_of]
        n_long = sum(not job.is_short for job in running)
        for job in _in_order():
            has_room = len(running) < MAX_JOBS and (job.is_short or n_long < MAX_JOBS - 1)
            if has_room and not any(_is_own(job, other) for other in _running):
                return job
    return None


def _is_own(job: Job, other: Job) -> bool:
    """Whether two jobs are of one session."""
    return bool(job.session) and job.session == other.session


class Background:
    """Something that a session has done in the background, one job at a time.

    Attributes:
        job: that runs, or the last that ran; None before the first one.
    """

    job: Job | None = None

    @property
    def runs(self) -> bool:
        """Whether the job runs, or waits for other jobs to end."""
        return self.job is not None and self.job.runs

    @property
    def waits(self) -> bool:
        """Whether the job waits for another one to end."""
        return self.job is not None and self.job.waits

    @property
    def place(self) -> str:
        """As ``Job.place``."""
        return self.job.place if self.job else ""

    @property
    def failed(self) -> str:
        """Why the job ended early; empty if it did not."""
        return self.job.failed if self.job else ""

    def cancel(self) -> None:
        """Stop the job."""
        if self.job:
            self.job.cancel()


def last_bar(log: Path) -> tuple[str, int, int]:
    """What the last progress bar in a log stands for, how much of it is done, and of how much; "", 0, 0 if none is."""
    if not log.is_file():
        return "", 0, 0
    bars = BAR.findall(log.read_bytes()[-TAIL:].decode(errors="replace"))
    return (bars[-1][0].strip(), int(bars[-1][1]), int(bars[-1][2])) if bars else ("", 0, 0)
