"""Reads the texts in a file row by row, and marks rows that cannot be run."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from core.batch.formats import TEXT, format_of, is_text
from core.batch.lines import MAX_CHARACTERS, TOO_LONG, Unreadable

__all__ = ["MAX_CHARACTERS", "TEXT", "TOO_LONG", "Row", "Unreadable", "choose_column", "column_names"]
__all__ += ["column_types", "is_text", "read_column", "read_columns", "read_texts", "to_row"]
MAX_NAMED = 50  # columns listed in a sentence
KEPT = 1000  # characters kept of a text that cannot be run
BEGINNING = f"Its first {KEPT:,} are kept here."
_UNDECODED = re.compile("[\udc80-\udcff]")  # bytes that are not UTF-8, as Python decodes them


@dataclass(frozen=True)
class Row:
    """One row of the input.

    Args:
        text: text of the row, or only its beginning if it cannot be run; None if there is none.
        error: sentence that says why the row cannot be run; empty if it can.
    """

    text: str | None
    error: str = ""


def read_texts(path: Path, column: str | None = None) -> Iterator[Row]:
    """Yield the texts in a file, in order.

    Args:
        path: a .txt (one text per line), .csv or .tsv (with a header), .jsonl or .parquet file; all except .parquet may
            be gzipped.
        column: column with the texts; if None, "text" or the only column.

    Raises:
        ValueError: the file cannot be read, or has no such column. A row that cannot be read raises nothing; it has an
            ``error``.
    """
    return map(to_row, read_column(path, choose_column(path, column)))


def to_row(value: Any) -> Row:
    """Make a row from a value in the input."""
    if isinstance(value, Unreadable):
        return Row(None, value.error)
    if value is None:
        return Row(None, "This row has no text.")
    if not isinstance(value, str):
        return Row(None, f"This row holds a value of type {type(value).__name__}, wanted text.")
    if len(value) > MAX_CHARACTERS:
        return Row(_encodable(value[:KEPT]), f"{TOO_LONG} {BEGINNING}")
    if _UNDECODED.search(value):
        return Row(_encodable(value[:KEPT]), "This row is not UTF-8 text.")
    return Row(_encodable(value))


def _encodable(text: str) -> str:
    """The text with ? for each lone surrogate, which Arrow refuses."""
    return text.encode(errors="replace").decode()


def choose_column(path: Path, column: str | None = None) -> str:
    """The column that holds the texts. Arguments and errors as in ``read_texts``."""
    columns = column_names(path)
    if not columns:
        raise ValueError(f"{path.name} has no columns")
    chosen = (columns[0] if len(columns) == 1 else TEXT) if column is None else column
    if chosen not in columns:
        named = ", ".join(map(_on_one_line, columns[:MAX_NAMED])) + ", …" * (len(columns) > MAX_NAMED)
        raise ValueError(f"{path.name} has no column {chosen!r}: name one of {named}")
    return chosen


def _on_one_line(name: str) -> str:
    return " ".join(name.split())


def column_names(path: Path) -> list[str]:
    """The names of the columns; "text" for a .txt file. Errors as in ``read_texts``."""
    return column_types(path).names


def column_types(path: Path) -> pa.Schema:
    """The columns with their types: text if the file has no types. For JSON lines, the columns of all lines.

    Raises:
        ValueError: the file cannot be read, or a column's name is not UTF-8 or occurs twice.
    """
    try:
        types = format_of(path).columns(path)
        names = types.names
    except UnicodeError:
        raise ValueError(f"The columns of {path.name} have names that are not UTF-8 text: save it as UTF-8.") from None
    twice = next((name for name, n in Counter(names).items() if n > 1), None)
    if twice is not None:
        raise ValueError(f"{path.name} has two columns named {twice!r:.100}: rename one of them.")
    return types


def read_column(path: Path, column: str) -> Iterator[Any]:
    """Yield the values of a column: of any type if the file has types, otherwise str; ``Unreadable`` for a bad row."""
    return format_of(path).values(path, column)


def read_columns(path: Path, columns: Sequence[str]) -> Iterator[pa.Table]:
    """Yield tables with the values of these columns: text if the file has no types, null in a bad row."""
    return format_of(path).tables(path, columns)
