"""Background jobs: each is a process that ends with the server at the latest.

A limited number of jobs run at once, at most one per session. Short jobs go first, and one place is reserved for them.
Among long jobs, the one that has run least goes first. A long job makes room after a while if another one waits.
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

from core.files import TRIAL_SIZE
from dashboard.public import is_public
from dashboard.sessions.owned import session_id

ROOT = Path(__file__).parents[2]
MAX_JOBS = max(3, os.cpu_count() or 1)  # jobs at once, each with one busy process; one place is for short ones
SHORT = 1_000  # a job with at most this many texts is short
SLICE = 60  # seconds that a long job runs before it makes room
MAX_SLICES = 30  # slices after which a visitor's job that cannot resume ends if another one waits
TAIL = 4000  # bytes at the end of a log, which hold the last state of a progress bar
# The progress bars of tqdm: title, finished and total amount.
BAR = re.compile(r"(?:([^\r\n]*?):\s+)?\d+%\|[^|]*\| (\d+)/(\d+) \[")
PATIENCE = 10  # seconds for a cancelled process to end

_changed = Condition()
_waiting: list["Job"] = []  # in the order of arrival
_running: list["Job"] = []


class Job:
    """A module of ``core`` that runs in the background, at once or when its turn comes.

    Args:
        module: name of the module, as for ``python -m``.
        arguments: arguments of the command line.
        log: file for its standard error.
        total: amount of work.
        count: function that returns the finished amount.
        variables: environment variables, in addition to those of the server.
        texts: number of texts to read; None if it is unknown.
        goes_on: whether the same command resumes a stopped job.
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
        self.session, self.ran = session_id(), 0  # slices that it has run
        self.is_short, self._goes_on = texts is not None and texts <= SHORT, goes_on
        self._command = [sys.executable, "-m", "core.job", module, *arguments]
        self._log, self.total, self._count = log, total, count
        self._variables = dict(variables or {})
        self._process: subprocess.Popen | None = None
        self._failure = ""
        self._lock, self._cancelled, self._ended = Lock(), False, Event()
        Thread(target=self._run, name=f"job {module}", daemon=True).start()

    @property
    def runs(self) -> bool:
        """Whether the job is running or waiting to start."""
        return not self._ended.is_set()

    @property
    def waits(self) -> bool:
        """Whether the job is waiting for other jobs to end."""
        return self.runs and self._process is None

    @property
    def place(self) -> str:
        """A phrase for the jobs that this one waits for; "" if it does not wait."""
        with _changed:
            if self not in _waiting:
                return ""
            ahead = _in_order().index(self) + 1
            if any(_is_own(self, other) for other in _running):
                return "waiting for your other job to end"
        return "waiting for another job to end" if ahead == 1 else f"waiting for {ahead} other jobs to end"

    @property
    def done(self) -> int:
        """The finished amount of ``total``."""
        return min(self._count(), self.total)

    @property
    def failed(self) -> str:
        """The reason why the job ended early; "" if it did not, or was cancelled."""
        if self.runs or self._cancelled or self._process is None or self._process.returncode == 0:
            return self._failure
        lines = self._log.read_text(errors="replace").strip().splitlines() if self._log.is_file() else []
        if not lines and shutil.disk_usage(self._log.parent).free < TRIAL_SIZE:
            return os.strerror(errno.ENOSPC)  # the disk was too full for the process to log this
        return lines[-1] if lines else f"exit code {self._process.returncode}"

    def cancel(self) -> None:
        """Stop the job and wait until it has ended."""
        with self._lock:
            self._cancelled = True
            process = self._process  # the job's thread sets it to None when the job makes room
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
        """Wait until the job has ended, at most ``timeout`` seconds, and return whether it has."""
        return self._ended.wait(timeout)

    def _run(self) -> None:
        """Take turns with the other jobs until this one has ended."""
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
        """Wait until the job may run, and return True; or return False if it is cancelled."""
        with _changed:
            _waiting.append(self)
            _changed.wait_for(lambda: self._cancelled or _next() is self)
            _waiting.remove(self)
            if not self._cancelled:
                _running.append(self)
            _changed.notify_all()
            return not self._cancelled

    def _run_until_others_wait(self) -> bool:
        """Run until the job ends or makes room, and return whether it has ended."""
        with self._lock:
            if self._cancelled:
                return True
            try:
                self._process = process = self._start()
            except OSError as error:
                self._failure = str(error)
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
        """Whether the job must stop now to make room for another one.

        If it cannot resume, this is its end, and the reason is kept for ``failed``.
        """
        other = None if self.is_short else _next(instead_of=self)
        if other is None or other.ran >= self.ran:
            return False
        if self._goes_on:
            return True
        if not is_public() or self.ran < MAX_SLICES:
            return False
        self._failure = f"it had run for {round(self.ran * SLICE / 60)} minutes, and others waited"
        return True

    def _start(self) -> subprocess.Popen:
        with self._log.open("wb") as log:
            return subprocess.Popen(
                self._command,
                cwd=ROOT,
                env=os.environ | self._variables,
                stdin=subprocess.PIPE,  # closes when this server ends, which ends the job (``core.job``)
                stdout=subprocess.DEVNULL,
                stderr=log,
            )


def _in_order() -> list[Job]:
    """The waiting jobs, the next one first."""
    return sorted(_waiting, key=lambda job: (not job.is_short, job.ran))


def _next(instead_of: Job | None = None) -> Job | None:
    """The job that may start next; None if none may.

    Args:
        instead_of: running job that is treated as ended.
    """
    with _changed:
        running = [job for job in _running if job is not instead_of]
        n_long = sum(not job.is_short for job in running)
        for job in _in_order():
            has_room = len(running) < MAX_JOBS and (job.is_short or n_long < MAX_JOBS - 1)
            # In all of _running, because a job does not make room for another one of its session.
            if has_room and not any(_is_own(job, other) for other in _running):
                return job
    return None


def _is_own(job: Job, other: Job) -> bool:
    """Whether two jobs belong to the same session."""
    return bool(job.session) and job.session == other.session


class Background:
    """Background work that runs one job at a time.

    Attributes:
        job: the current or last job; None before the first one.
    """

    job: Job | None = None

    @property
    def runs(self) -> bool:
        """Whether the job is running or waiting to start."""
        return self.job is not None and self.job.runs

    @property
    def waits(self) -> bool:
        """Whether the job is waiting for another one to end."""
        return self.job is not None and self.job.waits

    @property
    def place(self) -> str:
        """A phrase for the jobs that this one waits for; "" if it does not wait."""
        return self.job.place if self.job else ""

    @property
    def failed(self) -> str:
        """The reason why the job ended early; "" if it did not."""
        return self.job.failed if self.job else ""

    def cancel(self) -> None:
        """Stop the job."""
        if self.job:
            self.job.cancel()


def last_bar(log: Path) -> tuple[str, int, int]:
    """The title, the finished and the total amount of the last progress bar in a log; "", 0, 0 if there is none."""
    if not log.is_file():
        return "", 0, 0
    bars = BAR.findall(log.read_bytes()[-TAIL:].decode(errors="replace"))
    return (bars[-1][0].strip(), int(bars[-1][1]), int(bars[-1][2])) if bars else ("", 0, 0)
