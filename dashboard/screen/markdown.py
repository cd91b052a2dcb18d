"""Escapes text from outside, so that it is shown as typed."""

import errno
import os
import re
from pathlib import Path

from dashboard.runs.files import own_folders

FOLDER = r"[^\s/'\"]+/"
# A path begins the message or a quotation, or ends in a file. Other words with slashes were typed by a user.
PATHS = re.compile(
    rf"(?<![\w:/.~])(?:(?<![^'\"])|(?=\S*\.\w))(?:file://)?(?:~|\.\.?)?/(?:{FOLDER})+"
    r"|\b[A-Za-z]:\\(?:[^\s\\'\"]+\\)+"
)

KEPT = "What was kept is still there."
DISK = {  # parts of the system's messages about a disk, and the sentences for visitors
    os.strerror(errno.ENOSPC): f"The disk of this server is full. {KEPT}",
    os.strerror(errno.EDQUOT): f"The disk of this server is full. {KEPT}",
    os.strerror(errno.EROFS): f"The disk of this server cannot be written. {KEPT}",
}


def escape(text: str) -> str:
    """Escape Markdown in a text, so that names of files and checkpoints are shown, not rendered.

    Addresses become links even if they are escaped, so an invisible character splits them.
    """
    split = re.sub(r"(?<=www)(?=\.)|(?<=:)(?=//)|(?=@)", "\u2060", text, flags=re.IGNORECASE)
    return re.sub(r"([\\`*_{}\[\]<>#|~:$&])", r"\\\1", split)


def escape_error(error: Exception | str) -> str:
    """The escaped message of an error, with only the names of files, as visitors must not see folders.

    All errors of a full or read-only disk have the same sentence.
    """
    return about_disk(error) or escape(PATHS.sub("", _known_folders().sub("", str(error))))


def about_disk(error: Exception | str) -> str:
    """The sentence for visitors if an error says that the disk cannot be written; "" for another error."""
    return next((sentence for sign, sentence in DISK.items() if sign in str(error)), "")


def _known_folders() -> re.Pattern[str]:
    """A pattern of the folders of this program and of this machine in a message.

    The program's own folders may contain blanks, which end any other path.
    """
    folders = own_folders()
    at_the_top = [folder for folder in Path("/").iterdir() if folder.is_dir()]
    known = {str(folder) for folder in (*at_the_top, *folders, *(folder.parent for folder in folders))}
    names = "|".join(re.escape(name) for name in sorted(known - {".", "/"}, key=len, reverse=True))
    return re.compile(rf"(?<![\w/.~])(?:{names})/(?:{FOLDER})*")
