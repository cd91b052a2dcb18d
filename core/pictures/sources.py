"""The pictures in files that a user gives, loose or in a zip archive, which is never unpacked to a disk."""

import os
import re
import zipfile
from collections.abc import Callable, Sequence
from functools import partial
from io import BufferedIOBase
from typing import NamedTuple

from core.datasets.binary import GZIP, TYPES
from core.pictures.names import quoted

Files = Sequence[tuple[str, BufferedIOBase]]  # name as given, seekable file

MOST_ENTRIES = 1_000  # files, or entries of an archive
MOST_BYTES = 20 << 20  # of one picture's file
MOST_BYTES_TOGETHER = 200 << 20
MOST_LISTED = 1 << 20  # bytes of an archive's list of entries
BLOCK = 1 << 18  # bytes
ZIP = (b"PK\3\4", b"PK\5\6")
MATRIX = (GZIP, *(magic.to_bytes(4, "little") for magic in TYPES))


class Source(NamedTuple):
    """A picture's file, not yet read: its name, its bytes as stated, and what reads them."""

    name: str
    size: int
    content: Callable[[], bytes]


def kind(file: BufferedIOBase, name: str) -> str:
    """Archive, matrix or picture, as the file begins.

    Raises:
        ValueError: it is empty.
    """
    file.seek(0)
    start = file.read(4)
    if not start:
        raise ValueError(f"{quoted(name)} is empty.")
    return "archive" if start.startswith(ZIP) else "matrix" if start.startswith(MATRIX) else "picture"


def sources(files: Files) -> list[Source]:
    """The files of pictures among what was given: the entries of one archive, or loose ones.

    Raises:
        ValueError: an archive beside other files, or one that is damaged, encrypted or not to be trusted; too many
            files; too many bytes.
    """
    if any(kind(file, name) == "archive" for name, file in files):
        if len(files) > 1:
            raise ValueError("A zip archive is read alone: give one archive, or the pictures themselves.")
        ((name, file),) = files
        found = _entries(file, name)
    else:
        found = [Source(name, file.seek(0, os.SEEK_END), partial(_whole, file)) for name, file in files]
    if len(found) > MOST_ENTRIES:
        raise ValueError(f"There are more than {MOST_ENTRIES:,} files.")
    return found


def check_sizes(chosen: Sequence[Source]) -> None:
    """Refuse more bytes than a session should hold with a ValueError. No source gives more than it states."""
    for source in chosen:
        if source.size > MOST_BYTES:
            raise ValueError(f"{quoted(source.name)} is larger than {MOST_BYTES >> 20} MiB.")
    if sum(source.size for source in chosen) > MOST_BYTES_TOGETHER:
        raise ValueError(f"The pictures are larger than {MOST_BYTES_TOGETHER >> 20} MiB together.")


def _whole(file: BufferedIOBase) -> bytes:
    file.seek(0)
    return file.read(MOST_BYTES)


class _Sparing:
    """A file that refuses large gulps: zipfile would read a list of entries of any size into memory."""

    def __init__(self, file: BufferedIOBase):
        self.file, self.seek, self.tell, self.seekable = file, file.seek, file.tell, file.seekable

    def read(self, n: int = -1) -> bytes:
        if n > MOST_LISTED:
            raise zipfile.BadZipFile
        return self.file.read(n)


def _entries(file: BufferedIOBase, name: str) -> list[Source]:
    try:
        archive = zipfile.ZipFile(_Sparing(file))
    except Exception:  # hostile bytes make zipfile raise nearly anything
        why = f"it is damaged or holds more than {MOST_ENTRIES:,} entries"
        raise ValueError(f"{quoted(name)} cannot be read as a zip archive: {why}.") from None
    entries = archive.infolist()
    if len(entries) > MOST_ENTRIES:
        raise ValueError(f"{quoted(name)} holds more than {MOST_ENTRIES:,} entries.")
    for entry in entries:
        _check_entry(entry, name)
    wanted = [e for e in entries if not _is_litter(e.filename)]
    return [Source(e.filename, e.file_size, partial(_unpacked, archive, e)) for e in wanted]


def _check_entry(entry: zipfile.ZipInfo, name: str) -> None:
    path = entry.filename
    if path[:1] in ("/", "\\") or path[1:2] == ":" or ".." in re.split(r"[/\\]", path):
        raise ValueError(f"{quoted(name)} holds {quoted(path)}, a name that leads out of the archive.")
    if entry.flag_bits & 1:
        raise ValueError(f"{quoted(name)} is encrypted: give an archive without a password.")
    # Other methods may ask for gigabytes before they give a byte.
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"{quoted(path)} is packed in an unusual way: deflate is wanted.")


def _is_litter(path: str) -> bool:
    """Folders, and what systems leave in archives beside the files."""
    parts = path.split("/")
    return (
        path.endswith("/")
        or "__MACOSX" in parts
        or parts[-1].startswith(".")
        or parts[-1] in ("Thumbs.db", "desktop.ini")
    )


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    try:
        with archive.open(entry) as file:
            content = b"".join(iter(partial(file.read, BLOCK), b""))
    except Exception:  # as above
        content = b""
    if len(content) != entry.file_size or not content:
        raise ValueError(f"{quoted(entry.filename)} is empty or damaged, or not of the size that the archive states.")
    if content.startswith(ZIP):
        raise ValueError(f"{quoted(entry.filename)} is an archive inside the archive: give the pictures in one.")
    return content
