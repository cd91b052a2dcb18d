"""What the servers write: kept in one file of a limited size, with older ones beside it."""

import logging
import os
import subprocess
import sys
from collections import deque
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path
from threading import Thread

SIZE, OLDER = 2**20, 3  # bytes of a file, and how many older ones are kept
MAX_LINE = 4000  # letters of a line; what is longer is kept as several
LAST = 20  # lines of a process that are remembered


def say(text: str) -> None:
    """Print a line where somebody may read it."""
    try:
        print(text, flush=True)
    except OSError:  # the terminal, or the program that read it, has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Log(RotatingFileHandler):
    """The file.

    Raises:
        OSError: it cannot be opened.
    """

    def __init__(self, path: Path):
        if not path.parent.exists():
            path.parent.mkdir(parents=True)
        super().__init__(path, maxBytes=SIZE, backupCount=OLDER, encoding="utf-8", errors="replace")
        self.setFormatter(logging.Formatter("%(asctime)s %(name)s: %(message)s"))
        self._is_written = True

    def keep(self, name: str, line: str) -> None:
        """Write down a line of a process."""
        self.handle(logging.LogRecord(name, logging.INFO, "", 0, line, (), None))

    def handleError(self, record: logging.LogRecord) -> None:
        """Say once that a line could not be written, and go on."""
        if self._is_written:
            say(f"{self.baseFilename} cannot be written: {sys.exc_info()[1]}")
        self._is_written = False
        with suppress(OSError):
            self.stream.close()
        self.stream = None  # the next line opens it again


class Output:
    """What one process writes, kept in the log while it runs."""

    def __init__(self, name: str, process: subprocess.Popen[str], log: Log):
        self._last: deque[str] = deque(maxlen=LAST)
        self._reader = Thread(target=self._read, args=(name, process, log), daemon=True)
        self._reader.start()

    def _read(self, name: str, process: subprocess.Popen[str], log: Log) -> None:
        assert process.stdout is not None
        with process.stdout as stream:
            while line := stream.readline(MAX_LINE):
                if line.strip():
                    self._last.append(line.strip())
                    log.keep(name, line.rstrip())

    @property
    def last(self) -> list[str]:
        """The last lines of a process that has ended."""
        self._reader.join(2)
        return list(self._last)
