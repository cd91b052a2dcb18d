"""python -m tests.commands: print core/COMMANDS.md, which lists all commands and their options."""

import io
import os
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from importlib import import_module
from unittest.mock import patch

from core.sweep.sweeps import SWEEPS

MAINS = {  # commands by module, if it has several
    "core": ("models", "explain", "evaluate", "batch", "fit", "evidence", "units", "push", "ledger", "check", "verify"),
    "core.training": (),
    "core.training.head": (),
    "core.training.linear": (),
    "core.sweep": tuple(SWEEPS),
    "core.measured": (),
    "core.datasets": (),
    "core.datasets.toyrig": (),
    "core.zoo": ("import-heinsen",),
    "dashboard.docs": (),
    "dashboard.serve": (),
    "tests.benchmarks": (),
    "tests.lock": ("write", "check", "table", "audit"),
}
WIDTH = "100"  # characters per line
WRITE = "python -m tests.commands > core/COMMANDS.md"
INTRODUCTION = f"""# Every command and its options

`{WRITE}` writes this file: each command and what its `--help` prints.
"""


def to_markdown() -> Iterator[str]:
    """Yield core/COMMANDS.md in parts: an introduction, and per command a heading and its output for --help."""
    yield INTRODUCTION
    with patch.dict(os.environ, COLUMNS=WIDTH):
        for module, commands in MAINS.items():
            main = _import_main(module)
            for command in ("", *commands):
                heading = f"python -m {module} {command}".rstrip()
                yield f"### {heading}\n\n```\n{_help(main, *filter(None, [command]))}```\n"


def _import_main(module: str) -> Callable[[list[str]], int]:
    """Import the function ``main`` of a package or a module."""
    try:
        return import_module(f"{module}.__main__").main
    except ModuleNotFoundError:
        return import_module(module).main


def _help(main: Callable[[list[str]], int], *command: str) -> str:
    """The text that a command prints for --help."""
    with redirect_stdout(io.StringIO()) as printed:
        try:
            main([*command, "--help"])
        except SystemExit:
            return printed.getvalue()
    raise RuntimeError("--help has not ended the program")


if __name__ == "__main__":
    print("\n".join(to_markdown()), end="")
