"""Finds the pictures in a user's files, single or in a zip archive. Archives are never unpacked to disk."""

import os
import zipfile
from collections.abc import Callable, Sequence
from functools import partial
from io import BufferedIOBase
from typing import NamedTuple

from core.archives import open_archive, quoted, read_blocks
from core.datasets.binary import GZIP, TYPES

Files = Sequence[tuple[str, BufferedIOBase]]  # each file's name as given, and the seekable file

MAX_ENTRIES = 1_000  # files, or entries in an archive
MAX_BYTES = 40 << 20  # bytes in one picture's file
MAX_BYTES_TOGETHER = 200 << 20  # bytes in all files
# The first bytes of an archive (an empty one has the second), and of a matrix, packed or not.
ZIP = (b"PK\3\4", b"PK\5\6")
MATRIX = (GZIP, *(magic.to_bytes(4, "little") for magic in TYPES))


class PictureFile(NamedTuple):
    """A picture's file that has not been read yet.

    Args:
        name: name of the file.
        size: size in bytes, as the system or the archive states it.
        content: function that reads the bytes.
    """

    name: str
    size: int
    content: Callable[[], bytes]


def kind(file: BufferedIOBase, name: str) -> str:
    """The kind of a file according to its first bytes: "archive", "matrix" or "picture".

    Raises:
        ValueError: the file is empty.
    """
    file.seek(0)
    start = file.read(4)
    if not start:
        raise ValueError(f"{quoted(name)} is empty.")
    return "archive" if start.startswith(ZIP) else "matrix" if start.startswith(MATRIX) else "picture"


def sources(files: Files) -> list[PictureFile]:
    """The pictures' files: the entries of one archive, or the given files themselves.

    Raises:
        ValueError: an archive is mixed with other files; the archive is damaged, encrypted or unsafe; or there are too
            many files.
    """
    if any(kind(file, name) == "archive" for name, file in files):
        if len(files) > 1:
            raise ValueError("Give one zip archive or the pictures themselves, not both.")
        ((name, file),) = files
        pictures = _entries(file, name)
    else:
        pictures = [PictureFile(name, file.seek(0, os.SEEK_END), partial(_read_all, file)) for name, file in files]
    if len(pictures) > MAX_ENTRIES:
        raise ValueError(f"There are more than {MAX_ENTRIES:,} files.")
    return pictures


def check_sizes(chosen: Sequence[PictureFile]) -> None:
    """Raise ValueError if files have too many bytes for a session. Reading a file yields no more than its size."""
    for source in chosen:
        if source.size > MAX_BYTES:
            raise ValueError(f"{quoted(source.name)} is larger than {MAX_BYTES >> 20} MiB.")
    if sum(source.size for source in chosen) > MAX_BYTES_TOGETHER:
        raise ValueError(f"The pictures are larger than {MAX_BYTES_TOGETHER >> 20} MiB together.")


def _read_all(file: BufferedIOBase) -> bytes:
    file.seek(0)
    return file.read(MAX_BYTES)


def _entries(file: BufferedIOBase, name: str) -> list[PictureFile]:
    archive, entries = open_archive(file, name, MAX_ENTRIES)
    return [PictureFile(entry.filename, entry.file_size, partial(_unpack, archive, entry)) for entry in entries]


def _unpack(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    content = b"".join(read_blocks(archive, entry))
    if content.startswith(ZIP):
        raise ValueError(f"{quoted(entry.filename)} is an archive inside the archive: give the pictures in one.")
    return content
