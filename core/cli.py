"""Shared by all commands: how errors are reported, and the exit codes."""

import os
import sys
from argparse import Action, ArgumentError, ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from core.near import did_you_mean

BAD_INPUT = 2  # the exit codes; argparse uses the same
INTERRUPTED = 130  # as a shell has it for a program that Ctrl-C ended
CUT = 141  # and for one that wrote to a pipe that nobody reads any more, such as that of ``| head``
STOPPED = "stopped"
KEPT = "stopped: what is finished is kept, and the same command goes on with the rest"
RESUMES = "stopped: the same command with --resume goes on from the last saved state"
REPORTED = (ValueError, RuntimeError, OSError)


class Parser(ArgumentParser):
    """A parser that names the choice that was probably meant. Its commands are such parsers too."""

    def _check_value(self, action: Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            near = did_you_mean(str(value), map(str, action.choices), otherwise="Choose from")
            raise ArgumentError(action, f"there is no {value!r}. {near}")


@contextmanager
def importing() -> Iterator[None]:
    """A block of imports, which take seconds: an interrupt ends the program with one line."""
    try:
        yield
    except KeyboardInterrupt:
        print(STOPPED, file=sys.stderr)
        sys.exit(INTERRUPTED)


def run(parser: ArgumentParser, command: Callable[[Namespace], None], arguments: Sequence[str] | None = None) -> int:
    """Parse the arguments, call the command with them, and return the exit code.

    An error that bad input can cause is printed to stderr as one line, after the name of the program. So is an
    interrupt: ``STOPPED``, or the parsed argument ``stopped`` where a command sets it.

    Args:
        command: takes the parsed arguments.
        arguments: ``sys.argv`` unless given.
    """
    parsed = parser.parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):  # a console that cannot print a character prints ? for it
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    program = parser.prog.removeprefix("python -m ")
    try:
        command(parsed)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print(f"{program}: {getattr(parsed, 'stopped', STOPPED)}", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left in its buffer goes nowhere
        return CUT
    except REPORTED as error:
        print(f"{program}: {_in_words(error)}", file=sys.stderr)
        return BAD_INPUT
    return 0


def _in_words(error: Exception) -> str:
    """What is wrong, without the number that the system has for it."""
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    return f"{error.filename}: {error.strerror}" if error.filename else error.strerror


def add_device(parser: ArgumentParser) -> None:
    """Add ``--device``."""
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
