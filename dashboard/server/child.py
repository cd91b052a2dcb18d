"""python -m dashboard.server.child PARENT PROGRAM ARGUMENTS: become a program that ends when its parent does.

A killed parent cannot end its children. Linux then kills the program; on other systems a watching process does.
"""

import ctypes
import os
import signal
import sys
import time

PR_SET_PDEATHSIG = 1  # option of Linux's prctl: the signal that a process gets when its parent ends
CHECK_INTERVAL = 0.5  # seconds between two checks of the parent


def main(parent: int, *program: str) -> None:
    """Replace this process by the program, unless the parent has already ended.

    Args:
        parent: process id of the parent.
        program: command line of the program.
    """
    if sys.platform != "linux" or ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL) != 0:
        watch(parent)
    if os.getppid() == parent:  # the parent may have ended before the lines above ran
        os.execvp(program[0], program)


def watch(parent: int) -> None:
    """Start a process that kills this one when the parent ends."""
    child = os.getpid()
    if os.fork() != 0:
        return  # this process goes on; the lines below run in the new one
    while os.getppid() == child and _runs(parent):
        time.sleep(CHECK_INTERVAL)
    if os.getppid() == child:
        os.kill(child, signal.SIGKILL)
    os._exit(0)


def _runs(process: int) -> bool:
    """Whether a process is running."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
