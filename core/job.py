"""python -m core.job MODULE ARGUMENTS: run a module until it ends, or until the process that started it ends.

The starting process holds the other end of this process's standard input. The system closes that end when the starting
process ends, even if it is killed.
"""

import os
import runpy
import sys
from threading import Thread

NICER = 10  # added niceness, because users wait for the starting process


def main() -> None:
    """Run the module that the command line names, with the arguments after its name."""
    Thread(target=_end_with_parent, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(NICER)
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


def _end_with_parent() -> None:
    """Wait until the starting process ends, then exit."""
    os.read(sys.stdin.fileno(), 1)  # returns once the other end is closed
    os._exit(1)


if __name__ == "__main__":
    main()
