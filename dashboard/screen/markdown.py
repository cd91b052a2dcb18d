"""Text from outside, shown as it was typed."""

import errno
import os
import re
from pathlib import Path

from dashboard.runs.files import own_folders

FOLDER = r"[^\s/'\"]+/"
# A path begins the message or a quotation, or it ends in a file: other words with slashes are what a user typed.
PATHS = re.compile(
    rf"(?<![\w:/.~])(?:(?<![^'\"])|(?=\S*\.\w))(?:file://)?(?:~|\.\.?)?/(?:{FOLDER})+"
    r"|\b[A-Za-z]:\\(?:[^\s\\'\"]+\\)+"
)

KEPT = "What was kept is still there."
DISK = {  # what the system says of a disk, wherever in a message, and what a visitor is told
    os.strerror(errno.ENOSPC): f"The disk of this server is full. {KEPT}",
    os.strerror(errno.EDQUOT): f"The disk of this server is full. {KEPT}",
    os.strerror(errno.EROFS): f"The disk of this server cannot be written. {KEPT}",
}


def escape(text: str) -> str:
    """The text with Markdown's signs escaped: names of files and checkpoints are shown, not rendered.

    Addresses become links whatever is escaped in them, so an invisible character splits them.
    """
    split = re.sub(r"(?<=www)(?=\.)|(?<=:)(?=//)|(?=@)", "\u2060", text, flags=re.IGNORECASE)
    return re.sub(r"([\\`*_{}\[\]<>#|~:$&])", r"\\\1", split)


def escape_error(error: Exception | str) -> str:
    """What an error says, escaped. Files are called by their names alone: where they lie is no visitor's business.

    That the disk takes nothing is said in one sentence, whoever noticed it.
    """
    return about_disk(error) or escape(PATHS.sub("", _known_folders().sub("", str(error))))


def about_disk(error: Exception | str) -> str:
    """What a visitor is told where an error says that the disk takes nothing; "" for another error."""
    return next((sentence for sign, sentence in DISK.items() if sign in str(error)), "")


def _known_folders() -> re.Pattern[str]:
    """The folders of this program and of this machine in a message.

    Names of the program's own may hold blanks, where the path of another file would end.
    """
    folders = own_folders()
    at_the_top = [folder for folder in Path("/").iterdir() if folder.is_dir()]
    known = {str(folder) for folder in (*at_the_top, *folders, *(folder.parent for folder in folders))}
    names = "|".join(re.escape(name) for name in sorted(known - {".", "/"}, key=len, reverse=True))
    return re.compile(rf"(?<![\w/.~])(?:{names})/(?:{FOLDER})*")
