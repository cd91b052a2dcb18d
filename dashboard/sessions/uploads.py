"""Uploaded files, which are on the disk: Streamlit's list of a session's files holds none of their bytes."""

import io
import weakref
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from time import monotonic
from typing import BinaryIO

from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

MB = 10**6  # bytes, as in browsers
SMALL = MB  # bytes; smaller files are read at once, so that hundreds of pictures are not open together


class Content(bytes):
    """A stand-in for the bytes of an upload in Streamlit's list: empty, but with the length of the file.

    Args:
        path: path of the file, which is deleted with the last reference to this object.

    Attributes:
        uploaded_at: time of the upload, by ``time.monotonic``.
        is_used: whether a page has opened it.
    """

    def __new__(cls, path: Path) -> "Content":
        return super().__new__(cls)

    def __init__(self, path: Path):
        self.path, self.uploaded_at, self.is_used = path, monotonic(), False
        self._size = path.stat().st_size
        self._held = _Held()
        weakref.finalize(self._held, path.unlink, missing_ok=True)

    def __len__(self) -> int:
        return self._size


class _Held:
    """An object that stands for a ``Content`` in a weak reference, because bytes cannot be referred to weakly."""


def open_upload(file: BinaryIO) -> AbstractContextManager[BinaryIO]:
    """Open the content of a file from an uploader, or of any other file.

    Raises:
        ValueError: the file has been deleted.
    """
    content = _content(file)
    if content is None:
        if file.seek(0, io.SEEK_END) < getattr(file, "size", 0):
            raise ValueError(f"{file.name} is no longer here: upload it again.")
        file.seek(0)
        return nullcontext(file)
    content.is_used = True
    return io.BytesIO(content.path.read_bytes()) if len(content) < SMALL else content.path.open("rb")


def read_upload(file: BinaryIO, most: int) -> bytes:
    """Read a whole file.

    Args:
        file: file from an uploader, or any other file.
        most: limit in MB.

    Raises:
        ValueError: the file is larger or has been deleted.
    """
    with open_upload(file) as opened:
        content = opened.read(most * MB + 1)
    if len(content) > most * MB:
        raise ValueError(f"{file.name} is larger than {most} MB.")
    return content


def leave_page(name: str, previous: str | None) -> None:
    """Delete the files that this session uploaded to the previous page.

    Args:
        name: name of the current page.
        previous: name of the previous page, if any.
    """
    context = get_script_run_ctx(suppress_warning=True)
    if context is None or previous in (None, name):
        return
    for file_id, content in contents(context.uploaded_file_mgr, context.session_id).items():
        if content.is_used:
            context.uploaded_file_mgr.remove_file(context.session_id, file_id)


def contents(manager: MemoryUploadedFileManager, session: str) -> dict[str, Content]:
    """The files of a session on the disk, by id."""
    records = list(manager.file_storage.get(session, {}).values())
    return {record.file_id: record.data for record in records if isinstance(record.data, Content)}


def _content(file: BinaryIO) -> Content | None:
    """The content of a file from an uploader, on the disk; None for another file."""
    context, file_id = get_script_run_ctx(suppress_warning=True), getattr(file, "file_id", None)
    if context is None or file_id is None:
        return None
    return contents(context.uploaded_file_mgr, context.session_id).get(file_id)
