"""The formats of text files. Each is read row by row, so that a file of any size takes little memory.

Parquet is read by pyarrow. The other formats are read line by line, so that an unreadable row is only one bad row;
pyarrow's readers of CSV and JSON stop at the first one.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from core.batch import separated
from core.batch.lines import (
    GZIPPED,
    MAX_CHARACTERS,
    ROWS_AT_ONCE,
    Unreadable,
    check_columns,
    read_lines,
    suffix_of,
    tables_of,
    text_columns,
)

TEXT = "text"  # the column in a file without column names
FIXED_SIZE = (  # the number of values determines their memory; other types may hide a decompression bomb
    pa.types.is_null,
    pa.types.is_boolean,
    pa.types.is_integer,
    pa.types.is_floating,
    pa.types.is_decimal,
    pa.types.is_temporal,
)
SPREADSHEETS = (".xlsx", ".xls", ".xlsm", ".ods", ".numbers")


@dataclass(frozen=True)
class Format:
    """The functions that read a format. Each raises ValueError if the file cannot be read.

    Args:
        columns: returns the names and types of a file's columns.
        values: yields the values of a column: of any type if the format has types, otherwise str; ``Unreadable`` for a
            bad row.
        tables: yields tables of these columns, with one row per value from ``values``; text if the format has no types.
    """

    columns: Callable[[Path], pa.Schema]
    values: Callable[[Path, str], Iterator[Any]]
    tables: Callable[[Path, Sequence[str]], Iterator[pa.Table]]


def format_of(path: Path) -> Format:
    """The format of a file by its name; ValueError if we do not read it, or there is no file."""
    suffix = suffix_of(path)
    if path.is_dir():
        raise ValueError(f"{path} is a folder, wanted a file")
    if suffix in SPREADSHEETS:
        raise ValueError(f"{path.name} is a spreadsheet: save it as CSV, and give that file.")
    if suffix not in FORMATS or (suffix == ".parquet" and path.suffix.lower() == GZIPPED):
        raise ValueError(f"{path.name} is not one of {', '.join(FORMATS)}")
    if not path.is_file():
        raise ValueError(f"There is no file {path}.")
    return FORMATS[suffix]


def _json_columns(path: Path) -> pa.Schema:
    objects = (record for record in map(_parse_object, read_lines(path)) if isinstance(record, dict))
    names: dict[str, None] = {}
    for record in objects:
        names |= dict.fromkeys(record)
        check_columns(path, len(names))
    if not names:
        raise ValueError(f"{path.name} cannot be read as JSON lines: none of its lines is an object with a name")
    return text_columns(names)


def _json_values(path: Path, column: str) -> Iterator[Any]:
    for line in read_lines(path):
        record = _parse_object(line)
        yield record.get(column) if isinstance(record, dict) else record


def _json_tables(path: Path, columns: Sequence[str]) -> Iterator[pa.Table]:
    records = map(_parse_object, read_lines(path))
    rows = ([r.get(column) if isinstance(r, dict) else None for column in columns] for r in records)
    yield from tables_of(columns, rows)


def _parse_object(line: str) -> dict[str, Any] | Unreadable:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return Unreadable("This line is not JSON.")
    return record if isinstance(record, dict) else Unreadable("This line is not a JSON object.")


@contextmanager
def _parquet(path: Path, shared: str | None = None) -> Iterator[pq.ParquetFile]:
    """Open a Parquet file. Errors inside the block become ValueErrors of one sentence.

    Args:
        shared: a column of texts; equal texts share their memory.
    """
    try:
        with pq.ParquetFile(path, read_dictionary=[shared] if shared else None) as file:
            yield file
    except (pa.ArrowException, OSError, ValueError, LookupError) as error:
        lines = str(error).splitlines() or [type(error).__name__]
        raise ValueError(f"{path.name} cannot be read as Parquet: {lines[0]}") from None


def _parquet_columns(path: Path) -> pa.Schema:
    with _parquet(path) as file:
        types = file.schema_arrow.remove_metadata()
    check_columns(path, len(types))
    return types


def _parquet_values(path: Path, column: str) -> Iterator[Any]:
    kind = _parquet_columns(path).field(column).type
    if not (is_text(kind) or _has_fixed_size(kind)):
        raise ValueError(f"The column {column} of {path.name} holds values of type {kind!s:.40}, wanted text.")
    shared = _SharedTexts()
    with _parquet(path, column if is_text(kind) else None) as file:
        for batch in file.iter_batches(ROWS_AT_ONCE, columns=[column]):
            array = batch.column(0)
            is_shared = isinstance(array, pa.DictionaryArray) and is_text(array.type)
            yield from shared.to_list(array) if is_shared else array.to_pylist()


def is_text(kind: pa.DataType) -> bool:
    """Whether a column of this type holds texts."""
    if pa.types.is_dictionary(kind):
        return is_text(kind.value_type)
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def _has_fixed_size(kind: pa.DataType) -> bool:
    value_type = kind.value_type if pa.types.is_dictionary(kind) else kind
    return any(is_kind(value_type) for is_kind in FIXED_SIZE)


def _parquet_tables(path: Path, columns: Sequence[str]) -> Iterator[pa.Table]:
    with _parquet(path) as file:
        for batch in file.iter_batches(ROWS_AT_ONCE, columns=list(columns)):
            yield pa.table(batch).select(list(columns))


class _SharedTexts:
    """Makes one Python string for all rows that share a text: a file stores a repeated long text only once."""

    def __init__(self) -> None:
        self._dictionary: pa.Array | None = None
        self._made: dict[int | None, str | None] = {}  # strings by their index in the dictionary

    def to_list(self, array: pa.DictionaryArray) -> list[str | None]:
        """The texts of an array, cut if they are too long."""
        if self._dictionary is None or not self._dictionary.equals(array.dictionary):
            self._dictionary, self._made = array.dictionary, {None: None}
        new = [k for k in pc.unique(array.indices).to_pylist() if k not in self._made]
        texts = array.dictionary.take(pa.array(new, pa.int64()))
        cut = pc.utf8_slice_codeunits(texts, 0, MAX_CHARACTERS + 1)  # one more shows that it is too long
        self._made.update(zip(new, cut.to_pylist(), strict=True))
        return [self._made[k] for k in array.indices.to_pylist()]


def _text_values(path: Path, column: str) -> Iterator[str]:
    return read_lines(path)


def _no_tables(path: Path, columns: Sequence[str]) -> Iterator[pa.Table]:
    """No tables, because a .txt file has no other column than its texts."""
    return iter(())


_SEPARATED = Format(separated.columns, separated.values, separated.tables)
FORMATS = {
    ".txt": Format(lambda path: text_columns([TEXT]), _text_values, _no_tables),
    ".csv": _SEPARATED,
    ".tsv": _SEPARATED,
    ".jsonl": Format(_json_columns, _json_values, _json_tables),
    ".parquet": Format(_parquet_columns, _parquet_values, _parquet_tables),
}
