"""The log of the servers: one file of limited size, and a few older ones next to it."""

import logging
import os
import subprocess
import sys
from collections import deque
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path
from threading import Thread

SIZE, OLDER = 2**20, 3  # bytes per file, and number of older files
MAX_LINE = 4000  # characters per line; longer lines are split
LAST = 20  # lines of a process that are kept in memory


def say(text: str) -> None:
    """Print a line, or nothing if the terminal is gone."""
    try:
        print(text, flush=True)
    except OSError:  # the terminal or the program that read the output is gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Log(RotatingFileHandler):
    """A log file.

    Raises:
        OSError: the file cannot be opened.
    """

    def __init__(self, path: Path):
        if not path.parent.exists():
            path.parent.mkdir(parents=True)
        super().__init__(path, maxBytes=SIZE, backupCount=OLDER, encoding="utf-8", errors="replace")
        self.setFormatter(logging.Formatter("%(asctime)s %(name)s: %(message)s"))
        self._is_written = True

    def keep(self, name: str, line: str) -> None:
        """Write a line of a process to the log."""
        self.handle(logging.LogRecord(name, logging.INFO, "", 0, line, (), None))

    def handleError(self, record: logging.LogRecord) -> None:
        """Say once that the log cannot be written, and continue."""
        if self._is_written:
            say(f"{self.baseFilename} cannot be written: {sys.exc_info()[1]}")
        self._is_written = False
        with suppress(OSError):
            self.stream.close()
        self.stream = None  # the next line reopens the file


class Output:
    """Copies the output of a process to the log while it runs."""

    def __init__(self, name: str, process: subprocess.Popen[str], log: Log):
        self._last: deque[str] = deque(maxlen=LAST)
        self._reader = Thread(target=self._read, args=(name, process, log), daemon=True)
        self._reader.start()

    def _read(self, name: str, process: subprocess.Popen[str], log: Log) -> None:
        """Copy lines until the process closes its output."""
        assert process.stdout is not None
        with process.stdout as stream:
            while line := stream.readline(MAX_LINE):
                if line.strip():
                    self._last.append(line.strip())
                    log.keep(name, line.rstrip())

    @property
    def last(self) -> list[str]:
        """The last lines of a process that has ended; waits until they are read."""
        self._reader.join(2)
        return list(self._last)
