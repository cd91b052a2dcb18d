"""python -m core.job MODULE ARGUMENTS: run a module until it ends, or until the process that started it does.

The process that starts it keeps the other end of its standard input. The system closes that end however it ends.
"""

import os
import runpy
import sys
from threading import Thread

NICER = 10  # than the process that started it, which users wait for


def main() -> None:
    """Run the module that the command line names, with the arguments after its name."""
    Thread(target=_end_with_parent, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(NICER)
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


def _end_with_parent() -> None:
    os.read(sys.stdin.fileno(), 1)  # returns once the other end is closed
    os._exit(1)


if __name__ == "__main__":
    main()
