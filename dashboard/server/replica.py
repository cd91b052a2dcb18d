"""python -m dashboard.server.replica ARGUMENTS: run Streamlit with a log that holds no text of users.

The message of an exception, and the strings in a line of the log, may hold a user's text. The log keeps only places in
the code, names of exceptions, and numbers.
"""

import logging
import os
import sys
import threading
import traceback
import warnings
from types import TracebackType
from typing import Any

HIDDEN = "..."
LOG = logging.getLogger("dashboard")


class Record(logging.LogRecord):
    """A line of the log in which all values except numbers are hidden."""

    def __init__(self, *arguments: Any, **others: Any):
        super().__init__(*arguments, **others)
        self.msg = self.msg.partition("\n")[0] if isinstance(self.msg, str) else type(self.msg).__name__
        if isinstance(self.args, dict):
            self.args = {name: _hide(value) for name, value in self.args.items()}
        else:
            self.args = tuple(_hide(value) for value in self.args or ())
        if self.exc_info:
            self.exc_text, self.exc_info = where_raised(self.exc_info[1]), None


def _hide(value: object) -> object:
    """A number, or dots instead of another value."""
    return value if isinstance(value, int | float) else HIDDEN


def where_raised(error: BaseException | None) -> str:
    """The traceback of an exception and of its causes, without their messages."""
    parts = []
    while error is not None:
        parts.append("".join(traceback.format_tb(error.__traceback__)) + type(error).__name__)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "\nafter\n".join(parts)


def hide_values() -> None:
    """Hide values in everything that this process logs."""
    os.environ["STREAMLIT_LOGGER_ENABLE_RICH"] = "false"  # rich tracebacks bypass the log
    logging.setLogRecordFactory(Record)
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    sys.excepthook = _log_exception
    threading.excepthook = sys.unraisablehook = lambda args: _log_exception(*args[:3])
    warnings.showwarning = _log_warning


def _log_exception(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    LOG.error("Uncaught exception", exc_info=(kind, error, trace))


def _log_warning(message: Warning | str, category: type[Warning], filename: str, lineno: int, *_: Any) -> None:
    LOG.warning(f"{category.__name__} in line {lineno} of {filename}")


if __name__ == "__main__":
    from streamlit.web.cli import main

    hide_values()
    main(prog_name="streamlit")
