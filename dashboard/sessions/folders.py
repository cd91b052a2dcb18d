"""Folders for the files of one user, deleted with their owner or when the server ends."""

import os
import shutil
import tempfile
import weakref
from pathlib import Path

PREFIX = "routescope-job-"


def make_folder(owner: object) -> Path:
    """Make a folder that only this user has, and that is deleted with its owner or when the server ends.

    Args:
        owner: object whose deletion deletes the folder.
    """
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
    weakref.finalize(owner, shutil.rmtree, folder, ignore_errors=True)
    return folder


def delete_folder(folder: Path) -> None:
    """Delete a folder and everything in it now."""
    shutil.rmtree(folder, ignore_errors=True)


def delete_leftovers() -> None:
    """Delete the folders of servers that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        pid = folder.name.removeprefix(PREFIX).split("-")[0]
        if os.name == "posix" and pid.isdecimal() and not _lives(int(pid)):
            shutil.rmtree(folder, ignore_errors=True)


def _lives(pid: int) -> bool:
    """Whether a process is running."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
