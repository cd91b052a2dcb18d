"""python -m dashboard.server.child PARENT PROGRAM ARGUMENTS: become a program that ends when its parent does.

The parent, given by its process id, may be killed, so that it can end nothing itself. Linux then kills the program;
elsewhere a process that watches both does.
"""

import ctypes
import os
import signal
import sys
import time

PR_SET_PDEATHSIG = 1
OFTEN = 0.5  # seconds between two looks at the parent


def main(parent: int, *program: str) -> None:
    """Run the program in this process, unless the parent has ended already."""
    if sys.platform != "linux" or ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL) != 0:
        watch(parent)
    if os.getppid() == parent:  # it may have ended before the lines above
        os.execvp(program[0], program)


def watch(parent: int) -> None:
    """Start a process that kills this one once its parent has ended."""
    child = os.getpid()
    if os.fork() != 0:
        return
    while os.getppid() == child and _runs(parent):
        time.sleep(OFTEN)
    if os.getppid() == child:
        os.kill(child, signal.SIGKILL)
    os._exit(0)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
