"""Programs that this process starts, and that end with it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from dashboard.server.log import Log, Output, say

ROOT = Path(__file__).parents[2]
STABLE = 20  # seconds; a program that ends sooner ``TRIES`` times in a row is not restarted
TRIES = 3  # starts of a program that ends too soon
PATIENCE = 10  # seconds for a program to end after SIGTERM


class Child:
    """A program that ends with this process, even if this process is killed.

    Args:
        name: name of the program in sentences and in the log.
        command: command line.
        log: log for the program's output.
        pass_fds: file descriptors that the program inherits.
        variables: environment variables, in addition to those of this process.
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
            start_new_session=True,  # Ctrl-C and a closed terminal reach only this process, which ends its children
        )
        self._output = Output(name, self.process, log)

    @property
    def runs(self) -> bool:
        """Whether the program is still running."""
        return self.process.poll() is None

    @property
    def end(self) -> str:
        """A sentence on how the program ended: exit code or signal, and the last line of output."""
        code = self.process.returncode
        how = f"was killed ({signal.Signals(-code).name})" if code < 0 else f"ended with exit code {code}"
        last_line = self._output.last[-1:] if code > 0 else []
        return ": ".join([f"{self._name} {how}", *last_line])


def stop(children: Iterable[Child]) -> None:
    """Stop the children and wait until they have ended."""
    running = [child.process for child in children if child.runs]
    for process in running:
        process.terminate()
    for process in running:
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class RestartedChild:
    """A child that is restarted when it ends.

    Args:
        start: function that starts the child.
    """

    def __init__(self, start: Callable[[], Child]):
        self._start = start
        self._deaths = 0
        self.start()

    def start(self) -> None:
        """Start the child."""
        self._since = time.monotonic()
        self.child = self._start()

    def keep_alive(self) -> None:
        """Restart the child if it has ended.

        Raises:
            RuntimeError: the child has ended too often.
        """
        if self.child.runs:
            return
        self._deaths = self._deaths + 1 if time.monotonic() - self._since < STABLE else 1
        if self._deaths == TRIES:
            raise RuntimeError(f"{self.child.end} ({TRIES} times running)")
        say(f"{self.child.end}. It is started again.")
        self.start()
