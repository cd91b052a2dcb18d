"""Reads the texts of a file row by row, so that a file of any size takes little memory.

Parquet is read by pyarrow. The other formats are read line by line, so that a row that cannot be read is one bad row:
pyarrow's readers of CSV and JSON stop at the first one.
"""

import csv
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

MAX_CHARACTERS = 100_000  # of a text
LONGEST_LINE = 2**22  # bytes; what follows in a longer line is not read
ROWS_AT_ONCE = 1024  # of a Parquet file
SPREADSHEETS = (".xlsx", ".xls", ".xlsm", ".ods", ".numbers")
TEXT = "text"  # the column that is read unless another is named
_UNDECODED = re.compile("[\udc80-\udcff]")  # how bytes that are not UTF-8 are kept
_SURROGATES = re.compile("[\ud800-\udfff]")  # those, and what JSON can write though it is no text
TOO_LONG = f"This text is too long: at most {MAX_CHARACTERS:,} characters are read."


@dataclass(frozen=True)
class Row:
    """A row of the input: its text, or a sentence that says why it has none."""

    text: str | None
    error: str = ""


@dataclass(frozen=True)
class Unreadable:
    """A value that could not be read, and why."""

    error: str


def read_texts(path: Path, column: str | None = None) -> Iterator[Row]:
    """The texts of a file, in order.

    Args:
        path: a .txt (a text on each line), .csv (with a header), .jsonl or .parquet file.
        column: of the texts; "text", or the only column, if None.

    Raises:
        ValueError: the file cannot be read, or has no such column. A row that cannot be read is a row with its error.
    """
    return map(to_row, read_column(path, choose_column(path, column)))


def to_row(value: Any) -> Row:
    """The row that a value of the input makes."""
    if isinstance(value, Unreadable):
        return Row(None, value.error)
    if value is None:
        return Row(None, "This row has no text.")
    if not isinstance(value, str):
        return Row(None, f"This row holds a value of type {type(value).__name__}, wanted text.")
    if len(value) > MAX_CHARACTERS:
        return Row(None, TOO_LONG)
    if _UNDECODED.search(value):
        return Row(None, "This row is not UTF-8 text.")
    return Row(value.encode(errors="replace").decode())  # Arrow takes no lone surrogates


def choose_column(path: Path, column: str | None = None) -> str:
    """The column that holds the texts. Arguments and errors as in ``read_texts``."""
    columns = column_names(path)
    if not columns:
        raise ValueError(f"{path.name} has no columns")
    chosen = (columns[0] if len(columns) == 1 else TEXT) if column is None else column
    if chosen not in columns:
        raise ValueError(f"{path.name} has no column {chosen!r}: name one of {', '.join(columns)}")
    return chosen


def column_names(path: Path) -> list[str]:
    """The names of the columns; of a .txt file "text". Errors as in ``read_texts``."""
    names = _format_of(path).columns(path)
    if any(_SURROGATES.search(name) for name in names):
        raise ValueError(f"The columns of {path.name} have names that are not UTF-8 text: save it as UTF-8.")
    return names


def read_column(path: Path, column: str) -> Iterator[Any]:
    """The values of a column: of any type where the file holds types, otherwise str; ``Unreadable`` for a bad row."""
    return _format_of(path).values(path, column)


@dataclass(frozen=True)
class _Format:
    columns: Callable[[Path], list[str]]
    values: Callable[[Path, str], Iterator[Any]]


def _format_of(path: Path) -> _Format:
    if path.suffix.lower() in SPREADSHEETS:
        raise ValueError(f"{path.name} is a spreadsheet: save it as CSV, and give that file.")
    if path.suffix.lower() not in _FORMATS:
        raise ValueError(f"{path.name} is not one of {', '.join(_FORMATS)}")
    if not path.is_file():
        raise ValueError(f"There is no file {path}.")
    return _FORMATS[path.suffix.lower()]


def _lines(path: Path) -> Iterator[str]:
    """The lines of a file without their ends; bytes that are not UTF-8 become lone surrogates."""
    with path.open("rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(LONGEST_LINE), b"")):
            if not line.endswith(b"\n"):
                _skip_line(file)
            text = line.rstrip(b"\r\n").decode(errors="surrogateescape")
            yield text.removeprefix("\ufeff") if number == 0 else text


def _skip_line(file: BinaryIO) -> None:
    while (rest := file.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
        pass


def _csv_columns(path: Path) -> list[str]:
    try:
        return next(csv.reader(_lines(path)), [])
    except csv.Error as error:
        raise ValueError(f"{path.name} cannot be read as CSV: {error}") from None


def _csv_values(path: Path, column: str) -> Iterator[str | Unreadable | None]:
    place = _csv_columns(path).index(column)
    rows = csv.reader(f"{line}\n" for line in _lines(path))  # an end of line inside quotes belongs to the text
    next(rows)
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:  # the reader goes on with the next line
            yield Unreadable(TOO_LONG if "field limit" in str(error) else f"This row is not CSV: {error}.")
        else:
            yield row[place] if place < len(row) else None


def _json_columns(path: Path) -> list[str]:
    objects = (record for record in map(_json_object, islice(_lines(path), ROWS_AT_ONCE)) if isinstance(record, dict))
    first = next(objects, None)
    if first is None:
        raise ValueError(f"{path.name} cannot be read as JSON lines: none of its first lines is an object")
    return list(first)


def _json_values(path: Path, column: str) -> Iterator[Any]:
    for line in _lines(path):
        record = _json_object(line)
        yield record.get(column) if isinstance(record, dict) else record


def _json_object(line: str) -> dict[str, Any] | Unreadable:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return Unreadable("This line is not JSON.")
    return record if isinstance(record, dict) else Unreadable("This line is not a JSON object.")


@contextmanager
def _parquet(path: Path, shared: str | None = None) -> Iterator[pq.ParquetFile]:
    """An open Parquet file. Errors inside the block are one sentence too.

    Args:
        shared: a column of texts, of which equal ones are kept once.
    """
    try:
        with pq.ParquetFile(path, read_dictionary=[shared] if shared else None) as file:
            yield file
    except (pa.ArrowException, OSError, ValueError, LookupError) as error:
        lines = str(error).splitlines() or [type(error).__name__]
        raise ValueError(f"{path.name} cannot be read as Parquet: {lines[0]}") from None


def _parquet_columns(path: Path) -> list[str]:
    with _parquet(path) as file:
        return list(file.schema_arrow.names)


def _parquet_values(path: Path, column: str) -> Iterator[Any]:
    with _parquet(path) as file:
        kind = file.schema_arrow.types[file.schema_arrow.names.index(column)]
    is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    with _parquet(path, column if is_text else None) as file:
        for batch in file.iter_batches(ROWS_AT_ONCE, columns=[column]):
            yield from _to_list(batch.column(0))


def _to_list(array: pa.Array) -> list[Any]:
    """The values of an array. A long text that many rows share, which takes little room in a file, is made once."""
    if not isinstance(array, pa.DictionaryArray):
        return array.to_pylist()
    used, rows = pc.unique(array.indices).drop_null(), array.indices.to_pylist()
    texts = dict(zip(used.to_pylist(), array.dictionary.take(used).to_pylist(), strict=True))
    return [None if row is None else texts[row] for row in rows]


_FORMATS = {
    ".txt": _Format(lambda path: [TEXT], lambda path, column: _lines(path)),
    ".csv": _Format(_csv_columns, _csv_values),
    ".jsonl": _Format(_json_columns, _json_values),
    ".parquet": _Format(_parquet_columns, _parquet_values),
}
