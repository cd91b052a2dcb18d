"""A file that a user has uploaded, in a folder of the session."""

import re
from pathlib import Path

from core.files import write
from dashboard.sessions.folders import delete_folder

MAX_NAME = 200  # bytes of an uploaded file's name


def safe_name(name: str) -> str:
    """The name of an uploaded file as a safe file name with the same extension."""
    last = re.split(r"[/\\]", name)[-1].encode(errors="replace").decode()
    printable = "".join(sign for sign in last if sign.isprintable())
    # A name that is too long loses its beginning, because the extension is at the end.
    return printable.encode()[-MAX_NAME:].decode(errors="ignore").strip(". ") or "file"


class UploadedFile:
    """The last file that was uploaded.

    Args:
        folder: folder for it, which is made when it is needed.
    """

    def __init__(self, folder: Path):
        self._folder, self._id = folder, ""

    def keep(self, file_id: str, name: str, content: bytes) -> Path:
        """Write an uploaded file unless it is already there, delete the one before, and return its path."""
        path = self._folder / safe_name(name)
        if file_id != self._id:
            delete_folder(self._folder)
            self._folder.mkdir()
            write(path, content)
            self._id = file_id
        return path
