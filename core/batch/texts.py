"""Reads the texts of a file row by row, and says which rows cannot be run."""

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
MOST_NAMED = 50  # columns, in a sentence
KEPT = 1000  # characters of a text that cannot be run
BEGINNING = f"Its first {KEPT:,} are kept here."
_UNDECODED = re.compile("[\udc80-\udcff]")  # how bytes that are not UTF-8 are kept


@dataclass(frozen=True)
class Row:
    """A row of the input.

    Args:
        text: of the row, or its beginning where it cannot be run; None if there is none.
        error: a sentence that says why the row cannot be run; empty if it can.
    """

    text: str | None
    error: str = ""


def read_texts(path: Path, column: str | None = None) -> Iterator[Row]:
    """The texts of a file, in order.

    Args:
        path: a .txt (a text on each line), .csv or .tsv (with a header), .jsonl or .parquet file; all but the last
            may be gzipped.
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
        return Row(_encodable(value[:KEPT]), f"{TOO_LONG} {BEGINNING}")
    if _UNDECODED.search(value):
        return Row(_encodable(value[:KEPT]), "This row is not UTF-8 text.")
    return Row(_encodable(value))


def _encodable(text: str) -> str:
    """The text with ? for each lone surrogate, which Arrow does not take."""
    return text.encode(errors="replace").decode()


def choose_column(path: Path, column: str | None = None) -> str:
    """The column that holds the texts. Arguments and errors as in ``read_texts``."""
    columns = column_names(path)
    if not columns:
        raise ValueError(f"{path.name} has no columns")
    chosen = (columns[0] if len(columns) == 1 else TEXT) if column is None else column
    if chosen not in columns:
        named = ", ".join(map(_on_one_line, columns[:MOST_NAMED])) + ", …" * (len(columns) > MOST_NAMED)
        raise ValueError(f"{path.name} has no column {chosen!r}: name one of {named}")
    return chosen


def _on_one_line(name: str) -> str:
    return " ".join(name.split())


def column_names(path: Path) -> list[str]:
    """The names of the columns; of a .txt file "text". Errors as in ``read_texts``."""
    return column_types(path).names


def column_types(path: Path) -> pa.Schema:
    """The columns, text where the file has no types; of a JSON lines file those of all its lines.

    Raises:
        ValueError: the file cannot be read, a name is not UTF-8 text, or two columns have the same one.
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
    """The values of a column: of any type where the file holds types, otherwise str; ``Unreadable`` for a bad row."""
    return format_of(path).values(path, column)


def read_columns(path: Path, columns: Sequence[str]) -> Iterator[pa.Table]:
    """The values of these columns, some rows a table: text where the file has no types, null in a bad row."""
    return format_of(path).tables(path, columns)
