"""Reads a file line by line, so that a file of any size takes little memory, and makes tables of text from rows."""

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BufferedIOBase
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa

MAX_CHARACTERS = 100_000  # characters of a text
MAX_LINE = 2**22  # bytes; the rest of a longer line is not read
ROWS_AT_ONCE = 1024  # rows of a table
TOO_LONG = f"This text is too long: at most {MAX_CHARACTERS:,} characters are read."
GZIPPED = ".gz"
MAX_COLUMNS = 10_000


@dataclass(frozen=True)
class Unreadable:
    """A value that could not be read, with the reason."""

    error: str


def suffix_of(path: Path) -> str:
    """The suffix of a file's name, ignoring .gz."""
    suffixes = [suffix.lower() for suffix in path.suffixes] or [""]
    return suffixes[-2] if suffixes[-1] == GZIPPED and len(suffixes) > 1 else suffixes[-1]


def read_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file without line breaks; bytes that are not UTF-8 become lone surrogates."""
    try:
        with gzip.open(path) if path.suffix.lower() == GZIPPED else path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(MAX_LINE), b"")):
                if not line.endswith(b"\n"):
                    _skip_line(file)
                text = line.rstrip(b"\r\n").decode(errors="surrogateescape")
                yield text.removeprefix("\ufeff") if number == 0 else text
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise ValueError(f"{path.name} cannot be unpacked: it is damaged or ends too soon") from None


def _skip_line(file: BufferedIOBase) -> None:
    """Skip the rest of a line that is too long."""
    while (rest := file.readline(MAX_LINE)) and not rest.endswith(b"\n"):
        pass


def check_columns(path: Path, n: int) -> None:
    """Raise ValueError if a file has too many columns."""
    if n > MAX_COLUMNS:
        raise ValueError(f"{path.name} has {n:,} columns, wanted at most {MAX_COLUMNS:,}.")


def tables_of(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[pa.Table]:
    """Make tables of text from rows, which hold their values in the order of the columns."""
    rows = iter(rows)
    while block := list(islice(rows, ROWS_AT_ONCE)):
        by_column = ([_text_or_none(row[k]) for row in block] for k in range(len(columns)))
        yield pa.table([pa.array(texts, pa.string()) for texts in by_column], text_columns(columns))


def text_columns(names: Iterable[str]) -> pa.Schema:
    """Columns of text with these names."""
    return pa.schema([(name, pa.string()) for name in names])


def _text_or_none(value: Any) -> str | None:
    """A value as text that Arrow accepts; values of other types are written as JSON."""
    if value is None or isinstance(value, Unreadable):
        return None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text.encode(errors="replace").decode()  # Arrow refuses lone surrogates
