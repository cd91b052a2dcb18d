"""Makes a file prove itself: puts a record with its checksums into it, or reads and checks one."""

from pathlib import PurePath
from typing import NamedTuple

from core.provenance.containers import CONTAINERS, MAX_CONTENT
from core.provenance.contents import pieces_of, pieces_of_bytes
from core.provenance.record import Provenance


class Read(NamedTuple):
    """The record of a file, and the changes in the file since it was exported, in words."""

    record: Provenance
    changes: list[str]


def holds_records(name: str) -> bool:
    """Whether files with such a name can hold a record."""
    return PurePath(name).suffix in CONTAINERS


def seal(content: bytes, name: str, record: Provenance) -> bytes:
    """The file with a record.

    Args:
        content: content of the file.
        name: name of the file, whose ending says its format.
        record: record without checksums.

    Raises:
        KeyError: files of this format hold no record.
        ValueError: the content is not of the format.
    """
    ending = PurePath(name).suffix
    container, pieces = CONTAINERS[ending], pieces_of_bytes(ending, content)
    return container.put(content, record.sealed(pieces).to_json())


def read(content: bytes, name: str) -> Read:
    """Read and check a file. Memory stays within a small multiple of ``MAX_CONTENT``, and nothing in it is run.

    Args:
        content: content of the file.
        name: its name.

    Raises:
        ValueError: the file holds no record that can be read. The message is one sentence.
    """
    ending = PurePath(name).suffix.lower()
    if ending not in CONTAINERS:
        raise ValueError(f"{name} is of another format, wanted one of {', '.join(CONTAINERS)}")
    if len(content) > MAX_CONTENT:
        raise ValueError(f"{name} has more than {MAX_CONTENT:,} bytes, so it is no exported figure")
    try:
        opened = CONTAINERS[ending].take(content)
        record = Provenance.from_json(opened.record)
        return Read(record, record.changes(pieces_of(ending, opened.body)))
    except ValueError as error:
        raise ValueError(f"{name} cannot be checked: {error}") from None
