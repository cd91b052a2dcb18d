"""Opens zip archives from users. Nothing is unpacked to disk, and every size is known before anything is read."""

import re
import zipfile
from collections.abc import Iterator
from functools import partial
from io import BufferedIOBase

MAX_LISTED = 1 << 20  # bytes in an archive's list of entries
BLOCK = 1 << 18  # bytes that are unpacked at once
MAX_LENGTH = 40  # characters in a name on screens


def open_archive(file: BufferedIOBase, name: str, max_entries: int) -> tuple[zipfile.ZipFile, list[zipfile.ZipInfo]]:
    """Open a zip archive and list its files, except those that operating systems add.

    Args:
        file: seekable file.
        name: name of the archive, for messages.
        max_entries: largest number of entries that is accepted.

    Raises:
        ValueError: the archive is damaged, encrypted, unsafe or holds too many entries. The message is one sentence.
    """
    if not zipfile.is_zipfile(file):
        raise ValueError(f"{quoted(name)} cannot be read as a zip archive: it is a file of another kind, or damaged.")
    try:
        archive = zipfile.ZipFile(_LimitedReads(file))
    except Exception:  # zipfile raises nearly any error on malicious files
        why = f"it is damaged or holds more than {max_entries:,} entries"
        raise ValueError(f"{quoted(name)} cannot be read as a zip archive: {why}.") from None
    entries = archive.infolist()
    if len(entries) > max_entries:
        raise ValueError(f"{quoted(name)} holds more than {max_entries:,} entries.")
    for entry in entries:
        _check_entry(entry, name)
    return archive, [entry for entry in entries if not _is_system_file(entry.filename)]


def read_blocks(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Iterator[bytes]:
    """Yield the content of an entry block by block, and never more than the size that the archive states.

    Raises:
        ValueError: the entry is empty or damaged, or shorter than stated.
    """
    n_read = 0
    try:
        with archive.open(entry) as file:
            for block in iter(partial(file.read, BLOCK), b""):
                n_read += len(block)
                yield block
    except Exception:  # zipfile raises many kinds of errors for damaged archives
        n_read = -1
    if n_read != entry.file_size or not n_read:
        raise ValueError(f"{quoted(entry.filename)} is empty or damaged, or not of the size that the archive states.")


def short(name: str) -> str:
    """A name for screens, without control characters; long ones lose their middle."""
    printable = "".join(c if c.isprintable() else "?" for c in name)
    half = MAX_LENGTH // 2
    return printable if len(printable) <= MAX_LENGTH else f"{printable[: half - 1]}…{printable[-half:]}"


def quoted(name: str) -> str:
    """A name for messages, shortened and in quotes."""
    return f'"{short(name)}"'


class _LimitedReads:
    """A file that refuses large reads, because zipfile would read a list of entries of any size into memory."""

    def __init__(self, file: BufferedIOBase):
        self.file, self.seek, self.tell, self.seekable = file, file.seek, file.tell, file.seekable

    def read(self, n: int = -1) -> bytes:
        if n > MAX_LISTED:
            raise zipfile.BadZipFile
        return self.file.read(n)


def _check_entry(entry: zipfile.ZipInfo, name: str) -> None:
    """Raise ValueError if an entry's path leaves the archive, or it is encrypted or compressed in an unusual way."""
    path = entry.filename
    if path[:1] in ("/", "\\") or path[1:2] == ":" or ".." in re.split(r"[/\\]", path):
        raise ValueError(f"{quoted(name)} holds {quoted(path)}, a name that leads out of the archive.")
    if entry.flag_bits & 1:
        raise ValueError(f"{quoted(name)} is encrypted: give an archive without a password.")
    # Other compression methods may allocate gigabytes before they return a byte.
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"{quoted(path)} is compressed by an unsupported method, wanted deflate.")


def _is_system_file(path: str) -> bool:
    """Whether an entry is a folder, or a file that operating systems add to archives."""
    names = path.split("/")
    is_hidden = names[-1].startswith(".") or names[-1] in ("Thumbs.db", "desktop.ini")
    return path.endswith("/") or "__MACOSX" in names or is_hidden
