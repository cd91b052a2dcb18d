"""Error reports and exit codes shared by all commands."""

import os
import sys
from argparse import Action, ArgumentError, ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from typing import Any

from core.near import did_you_mean

BAD_INPUT = 2  # exit code, the same as argparse's
INTERRUPTED = 130  # exit code that shells use for a program ended by Ctrl-C
CUT = 141  # exit code that shells use for a program that wrote to a closed pipe, as in ``| head``
STOPPED = "stopped"
KEPT = "stopped: finished work is kept, and the same command continues with the rest"
RESUMES = "stopped: the same command with --resume continues from the last saved state"
MAX_GPUS = 16  # GPUs that --device can name
REPORTED = (ValueError, RuntimeError, OSError)  # errors that are reported in one line, without a traceback


class Parser(ArgumentParser):
    """A parser that suggests the choice that was probably meant. The parsers of its subcommands do so too."""

    def _check_value(self, action: Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            near = did_you_mean(str(value), map(str, action.choices), otherwise="Choose from")
            raise ArgumentError(action, f"there is no {value!r}. {near}")


@contextmanager
def importing() -> Iterator[None]:
    """A context for imports that take seconds: an interrupt ends the program with one line."""
    try:
        yield
    except KeyboardInterrupt:
        print(STOPPED, file=sys.stderr)
        sys.exit(INTERRUPTED)


def run(
    parser: ArgumentParser, command: Callable[[Namespace], int | None], arguments: Sequence[str] | None = None
) -> int:
    """Parse the arguments, call the command with them, and return the exit code.

    Errors caused by bad input are printed to stderr as one line after the program's name. So is an interrupt: the line
    is ``STOPPED``, or the parsed argument ``stopped`` if the command sets it.

    Args:
        parser: parser of the arguments.
        command: function of the parsed arguments. It may return an exit code other than 0.
        arguments: ``sys.argv`` unless given.
    """
    parsed = parser.parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):  # print ? for characters that the console cannot print
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    program = parser.prog.removeprefix("python -m ")
    try:
        code = command(parsed)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print(f"{program}: {getattr(parsed, 'stopped', STOPPED)}", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # discard what is left in the buffer
        return CUT
    except REPORTED as error:
        print(f"{program}: {_in_words(error)}", file=sys.stderr)
        return BAD_INPUT
    return code or 0


def _in_words(error: Exception) -> str:
    """The message of an error, without the system's error number."""
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    return f"{error.filename}: {error.strerror}" if error.filename else error.strerror


def add_device(parser: ArgumentParser) -> None:
    """Add ``--device``."""
    gpus = [f"cuda:{k}" for k in range(MAX_GPUS)]
    parser.add_argument(
        "--device",
        choices=("auto", "cpu", "cuda", *gpus, "mps"),
        default="auto",
        metavar="DEVICE",
        help="auto, cpu, cuda (the first GPU), cuda:1 and so on, or mps (a Mac's GPU) (default: auto)",
    )


def add_engine(parser: ArgumentParser) -> None:
    """Add ``--engine`` and ``--address``."""
    help = "run in local processes or on a Ray cluster"
    parser.add_argument("--engine", choices=("local", "ray"), default="local", help=help)
    parser.add_argument("--address", metavar="HOST:PORT", help="address of the Ray cluster's head")
