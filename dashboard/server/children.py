"""Programs that run as long as this process does."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from dashboard.server.log import Log, Output, say

ROOT = Path(__file__).parents[2]
STABLE = 20  # seconds; a program that runs shorter than that, several times running, is not started again
TRIES = 3
PATIENCE = 10  # seconds for a program to end when it is asked to


class Child:
    """A program that ends with this process, however that ends.

    Args:
        name: in sentences and in the log.
        command: its command line.
        log: for what it writes.
        pass_fds: file descriptors that it inherits.
        variables: of its environment, besides those of this process.
    """

    def __init__(self, name: str, command: Sequence[str], log: Log, pass_fds: Sequence[int] = (), **variables: str):
        self._name = name
        self.process = subprocess.Popen(
            [sys.executable, "-m", "dashboard.server.child", str(os.getpid()), *command],
            cwd=ROOT,
            env=os.environ | variables,
            pass_fds=pass_fds,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,  # Ctrl-C and a closed terminal reach this process alone, which ends its children
        )
        self._output = Output(name, self.process, log)

    @property
    def runs(self) -> bool:
        """Whether it has not ended."""
        return self.process.poll() is None

    @property
    def end(self) -> str:
        """How it ended: its exit code or the signal's name, and what it said last."""
        code = self.process.returncode
        how = f"was killed ({signal.Signals(-code).name})" if code < 0 else f"ended with exit code {code}"
        return ": ".join([f"{self._name} {how}", *self._output.last[-1:]]) if code > 0 else f"{self._name} {how}"


def stop(children: Iterable[Child]) -> None:
    """End them, and return once they have ended."""
    running = [child.process for child in children if child.runs]
    for process in running:
        process.terminate()
    for process in running:
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class Lasting:
    """A child that is started again when it ends.

    Args:
        start: starts it.
    """

    def __init__(self, start: Callable[[], Child]):
        self._start = start
        self._deaths = 0
        self.start()

    def start(self) -> None:
        """Start it."""
        self._since = time.monotonic()
        self.child = self._start()

    def keep_alive(self) -> None:
        """Start it again where it has ended.

        Raises:
            RuntimeError: it ends again and again.
        """
        if self.child.runs:
            return
        self._deaths = self._deaths + 1 if time.monotonic() - self._since < STABLE else 1
        if self._deaths == TRIES:
            raise RuntimeError(f"{self.child.end} ({TRIES} times running)")
        say(f"{self.child.end}. It is started again.")
        self.start()
