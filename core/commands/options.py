"""Options that several commands have."""

import argparse
import sys
from pathlib import Path

from core.sentences.naming import forms_in_lines

EDITS = "\n".join(
    [
        "forms of --edit:",
        *forms_in_lines(),
        "",
        "Use the names that the summary prints: a word as typed, a class, or a unit with its number from 1, as in",
        "drop:never, 'capsule:capsule 1' or 'couple:never,capsule 1=0'. If a word occurs several times, the#2 is the",
        "second one. A bare number counts from 0: drop:11 is word 12. If a network has two routings, end the edit",
        "with @0 or @1 to choose one.",
    ]
)


def add_data(command: argparse.ArgumentParser) -> None:
    """Add ``--data``."""
    help = "folder of the dataset as released (default: ROUTESCOPE_DATA/CORPUS), or the file of your own texts"
    command.add_argument("--data", type=Path, metavar="DIR", help=help)


def own_path(file: str, args: argparse.Namespace) -> Path:
    """The path of the file that a checkpoint learned from; ValueError if ``--data`` does not name it."""
    if not args.data:
        raise ValueError(f"{args.name} learned from {file}: name that file with --data")
    return args.data


def add_edit(command: argparse.ArgumentParser) -> None:
    """Add ``--edit``, and all forms of an edit below the options."""
    command.epilog, command.formatter_class = EDITS, argparse.RawDescriptionHelpFormatter
    command.add_argument(
        "--edit",
        action="append",
        default=[],
        metavar="EDIT",
        help="change something inside the run, for example drop:never; may be repeated; all forms are below",
    )


def add_progress(command: argparse.ArgumentParser) -> None:
    """Add ``--progress``."""
    help = "show a progress bar on stderr even if that is not a terminal"
    command.add_argument("--progress", action="store_true", help=help)


def shows_progress(args: argparse.Namespace) -> bool:
    """Whether a command shows its progress."""
    return args.progress or sys.stderr.isatty()


def positive(text: str) -> int:
    """Convert an argument to a whole number of at least 1."""
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return number
