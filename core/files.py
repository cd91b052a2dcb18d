"""Atomic file writes, checksums, and the folder for downloads."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import get_ident

TRIAL_SIZE = 4096  # bytes that are written to see whether a disk has room


def cache_folder() -> Path:
    """This program's folder in the user's cache directory."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "routescope"


def sha256_of(path: Path) -> str:
    """The sha256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write(path: Path, content: bytes) -> None:
    """Write a file completely or not at all. Errors as in ``writing``."""
    with writing(path) as part:
        part.write_bytes(content)


def check_writable(path: Path) -> None:
    """Check that a file can be written, before hours of work for its content. Makes its folder.

    Raises:
        OSError: as in ``writing``.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.check")
    try:
        part.write_bytes(bytes(TRIAL_SIZE))
    except OSError as error:
        raise OSError(error.errno, os.strerror(error.errno or 0), str(path)) from None
    finally:
        _delete(part)


def part_of(path: Path) -> Path:
    """The temporary name of a file that this thread writes: another writer has another one."""
    return path.with_name(f"{path.name}.{os.getpid()}-{get_ident()}.part")


@contextmanager
def writing(path: Path) -> Iterator[Path]:
    """Yield a temporary name for a file. It is renamed at the end of the block, and deleted if the block fails.

    Raises:
        OSError: the file cannot be written. The error names the file, not the temporary one.
    """
    part = part_of(path)
    try:
        yield part
        part.replace(path)
    except OSError as error:
        if error.errno is None or error.filename not in (None, str(part)):
            raise
        raise OSError(error.errno, os.strerror(error.errno), str(path)) from None
    finally:
        _delete(part)


def _delete(part: Path) -> None:
    with suppress(OSError):  # on a read-only disk even unlinking a missing file raises
        part.unlink(missing_ok=True)
