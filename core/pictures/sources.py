"""Finds the pictures in a user's files, single or in a zip archive, which is never unpacked to disk."""

import os
import re
import zipfile
from collections.abc import Callable, Sequence
from functools import partial
from io import BufferedIOBase
from typing import NamedTuple

from core.datasets.binary import GZIP, TYPES
from core.pictures.names import quoted

Files = Sequence[tuple[str, BufferedIOBase]]  # the name of each file as given, and the seekable file

MAX_ENTRIES = 1_000  # files, or entries of an archive
MAX_BYTES = 20 << 20  # of one picture's file
MAX_BYTES_TOGETHER = 200 << 20
MAX_LISTED = 1 << 20  # bytes of an archive's list of entries
BLOCK = 1 << 18  # bytes
ZIP = (b"PK\3\4", b"PK\5\6")
MATRIX = (GZIP, *(magic.to_bytes(4, "little") for magic in TYPES))


class Source(NamedTuple):
    """A picture's file that is not read yet.

    Args:
        name: of the file.
        size: in bytes, as the system or the archive states it.
        content: reads the bytes.
    """

    name: str
    size: int
    content: Callable[[], bytes]


def kind(file: BufferedIOBase, name: str) -> str:
    """The kind of a file by its first bytes: "archive", "matrix" or "picture".

    Raises:
        ValueError: the file is empty.
    """
    file.seek(0)
    start = file.read(4)
    if not start:
        raise ValueError(f"{quoted(name)} is empty.")
    return "archive" if start.startswith(ZIP) else "matrix" if start.startswith(MATRIX) else "picture"


def sources(files: Files) -> list[Source]:
    """The pictures' files: the entries of one archive, or the given files themselves.

    Raises:
        ValueError: there are other files with an archive; the archive is damaged, encrypted or unsafe; or there are too
            many files.
    """
    if any(kind(file, name) == "archive" for name, file in files):
        if len(files) > 1:
            raise ValueError("A zip archive is read alone: give one archive, or the pictures themselves.")
        ((name, file),) = files
        pictures = _entries(file, name)
    else:
        pictures = [Source(name, file.seek(0, os.SEEK_END), partial(_read_all, file)) for name, file in files]
    if len(pictures) > MAX_ENTRIES:
        raise ValueError(f"There are more than {MAX_ENTRIES:,} files.")
    return pictures


def check_sizes(chosen: Sequence[Source]) -> None:
    """Raise ValueError if the files have more bytes than a session should hold. No source yields more than its size."""
    for source in chosen:
        if source.size > MAX_BYTES:
            raise ValueError(f"{quoted(source.name)} is larger than {MAX_BYTES >> 20} MiB.")
    if sum(source.size for source in chosen) > MAX_BYTES_TOGETHER:
        raise ValueError(f"The pictures are larger than {MAX_BYTES_TOGETHER >> 20} MiB together.")


def _read_all(file: BufferedIOBase) -> bytes:
    file.seek(0)
    return file.read(MAX_BYTES)


class _LimitedReads:
    """A file that refuses large reads: zipfile would read a list of entries of any size into memory."""

    def __init__(self, file: BufferedIOBase):
        self.file, self.seek, self.tell, self.seekable = file, file.seek, file.tell, file.seekable

    def read(self, n: int = -1) -> bytes:
        if n > MAX_LISTED:
            raise zipfile.BadZipFile
        return self.file.read(n)


def _entries(file: BufferedIOBase, name: str) -> list[Source]:
    try:
        archive = zipfile.ZipFile(_LimitedReads(file))
    except Exception:  # zipfile raises nearly any error on malicious files
        why = f"it is damaged or holds more than {MAX_ENTRIES:,} entries"
        raise ValueError(f"{quoted(name)} cannot be read as a zip archive: {why}.") from None
    entries = archive.infolist()
    if len(entries) > MAX_ENTRIES:
        raise ValueError(f"{quoted(name)} holds more than {MAX_ENTRIES:,} entries.")
    for entry in entries:
        _check_entry(entry, name)
    pictures = [entry for entry in entries if not _is_system_file(entry.filename)]
    return [Source(entry.filename, entry.file_size, partial(_unpack, archive, entry)) for entry in pictures]


def _check_entry(entry: zipfile.ZipInfo, name: str) -> None:
    """Raise ValueError if an entry leads out of the archive, is encrypted or packed in an unusual way."""
    path = entry.filename
    if path[:1] in ("/", "\\") or path[1:2] == ":" or ".." in re.split(r"[/\\]", path):
        raise ValueError(f"{quoted(name)} holds {quoted(path)}, a name that leads out of the archive.")
    if entry.flag_bits & 1:
        raise ValueError(f"{quoted(name)} is encrypted: give an archive without a password.")
    # Other methods may allocate gigabytes before they return a byte.
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"{quoted(path)} is packed in an unusual way: deflate is wanted.")


def _is_system_file(path: str) -> bool:
    """Whether an entry is a folder, or a file that operating systems add to archives."""
    names = path.split("/")
    is_hidden = names[-1].startswith(".") or names[-1] in ("Thumbs.db", "desktop.ini")
    return path.endswith("/") or "__MACOSX" in names or is_hidden


def _unpack(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
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
