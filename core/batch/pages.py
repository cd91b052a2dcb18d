"""Computes the unpacked size of a Parquet file from its pages, because the sizes in its footer may be forged."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

MAX_PAGES = 100_000
MAX_DEPTH = 8  # nested structures
BY_DIFFERENCE = 7  # code of the encoding DELTA_BYTE_ARRAY, whose texts may be much larger than their page
TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, STRUCT = 1, 2, 3, 4, 5, 6, 7, 8, 12  # Thrift types
UNPACKED, PACKED, V1, V2 = 2, 3, 5, 8  # fields of a page header: its two sizes, and the header of either version
ENCODING = {V1: 2, V2: 4}  # number of the field with the encoding, in the header of each version


class Page(NamedTuple):
    """One page in a column.

    Attributes:
        size: unpacked size in bytes.
        encoding: encoding of the values; None for a dictionary.
    """

    size: int
    encoding: int | None


def pages(path: Path) -> Iterator[Page]:
    """Yield the pages of a file without unpacking anything.

    Raises:
        ValueError: the file cannot be read as Parquet, or holds more than ``MAX_PAGES`` pages.
    """
    try:
        content, about, n_pages = path.read_bytes(), pq.read_metadata(path), 0
        if about.num_row_groups * about.num_columns > MAX_PAGES:
            raise ValueError(f"it holds more than {MAX_PAGES:,} pages")
        for k in range(about.num_row_groups):
            group = about.row_group(k)
            for column in map(group.column, range(group.num_columns)):
                offsets = [column.data_page_offset, column.dictionary_page_offset or column.data_page_offset]
                start = min(offset for offset in offsets if offset > 0)
                end = start + column.total_compressed_size
                while start < end:
                    fields, start = _struct(content, start)
                    start += fields[PACKED]
                    encoding = next((fields[f].get(ENCODING[f]) for f in ENCODING if f in fields), None)
                    yield Page(fields[UNPACKED], encoding)
                    n_pages += 1
                    if n_pages > MAX_PAGES or fields[PACKED] < 0:
                        raise ValueError(f"it holds more than {MAX_PAGES:,} pages")
    except (pa.ArrowException, OSError, LookupError, TypeError, AttributeError, ValueError) as error:
        lines = str(error).splitlines() or [type(error).__name__]
        raise ValueError(f"{path.name} cannot be read as Parquet: {lines[0]}") from None


def _struct(content: bytes, at: int, depth: int = 0) -> tuple[dict[int, Any], int]:
    """Read a structure in Thrift's compact protocol: its fields by number, and the position after it."""
    fields: dict[int, Any] = {}
    number = 0
    while head := content[at]:  # a zero byte ends the structure
        delta, kind = head >> 4, head & 15
        number, at = (number + delta, at + 1) if delta else _signed(content, at + 1)
        fields[number], at = _value(content, at, kind, depth)
    return fields, at + 1


def _value(content: bytes, at: int, kind: int, depth: int) -> tuple[Any, int]:
    """Read a value of a Thrift type, and the position after it. Values that are not needed are skipped as None."""
    if depth > MAX_DEPTH:
        raise ValueError("its pages are nested too deep")
    if kind in (TRUE, FALSE):
        return kind == TRUE, at
    if kind in (I16, I32, I64):
        return _signed(content, at)
    if kind == STRUCT:
        return _struct(content, at, depth + 1)
    if kind in (BYTE, DOUBLE):
        return None, at + (1 if kind == BYTE else 8)
    n, at = _unsigned(content, at)
    if kind == BINARY:
        return None, at + n
    raise ValueError("its pages hold a value of an unknown type")


def _unsigned(content: bytes, at: int) -> tuple[int, int]:
    """Read a number in 7 bits per byte, lowest first; all bytes but the last have their top bit set."""
    value = shift = 0
    while (byte := content[at]) & 128:
        value, shift, at = value | (byte & 127) << shift, shift + 7, at + 1
        if shift > 63:
            raise ValueError("a number in it is too long")
    return value | byte << shift, at + 1


def _signed(content: bytes, at: int) -> tuple[int, int]:
    """Read a number whose sign is in its lowest bit (Thrift's zigzag code)."""
    value, at = _unsigned(content, at)
    return (value >> 1) ^ -(value & 1), at
