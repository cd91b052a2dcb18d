"""Jobs in the background: each is a process of its own that ends with the server, at the latest.

Only so many run at once. A further one waits for one of them to end; nobody's job waits for that of one user more than
for that of another.
"""

import errno
import os
import re
import shutil
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Event, Lock, Semaphore, Thread

from core.files import TRIED

ROOT = Path(__file__).parents[2]
AT_ONCE = max(4, os.cpu_count() or 1)  # jobs, each with one busy process
PREFIX = "routescope-job-"
TAIL = 4000  # bytes of a log in which the last state of a progress bar stands
BAR = re.compile(r"(?:([^\r\n]*?):\s+)?\d+%\|[^|]*\| (\d+)/(\d+) \[")
PATIENCE = 10  # seconds for a cancelled process to end

_slots = Semaphore(AT_ONCE)


class Job:
    """A module of ``core`` that runs in the background. It starts at once, unless ``AT_ONCE`` others run.

    Args:
        module: as ``python -m`` takes it.
        arguments: of its command line.
        log: the file for what it writes to standard error.
        total: how much there is to do.
        count: how much of it is done.
        variables: of its environment, besides those of the server.
    """

    def __init__(
        self,
        module: str,
        arguments: Sequence[str],
        log: Path,
        total: int,
        count: Callable[[], int],
        variables: Mapping[str, str] | None = None,
    ):
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
        """Whether it waits for another job to end."""
        return self.runs and self._process is None

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
            if self._process is None:
                self._ended.set()
                return
        self._process.terminate()
        if not self._ended.wait(PATIENCE):
            self._process.kill()
            self._ended.wait()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it has ended, so many seconds at most; whether it has."""
        return self._ended.wait(timeout)

    def _run(self) -> None:
        try:
            with _slots:
                with self._lock:
                    if self._cancelled:
                        return
                    try:
                        self._process = self._start()
                    except OSError as error:
                        self._not_started = str(error)
                        return
                with self._process:  # closes the pipe
                    self._process.wait()
        finally:
            self._ended.set()

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


def make_folder(owner: object) -> Path:
    """A folder of this user alone that is deleted with its owner, or when the server ends."""
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
    weakref.finalize(owner, shutil.rmtree, folder, ignore_errors=True)
    return folder


def delete_folder(folder: Path) -> None:
    """Delete a folder now, with all that is in it."""
    shutil.rmtree(folder, ignore_errors=True)


def delete_leftovers() -> None:
    """Delete the folders of servers that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        pid = folder.name.removeprefix(PREFIX).split("-")[0]
        if os.name == "posix" and pid.isdecimal() and not _lives(int(pid)):
            shutil.rmtree(folder, ignore_errors=True)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
