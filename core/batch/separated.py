"""Reads CSV and TSV files: finds the separator, and refuses unmatched quotes."""

import csv
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

import pyarrow as pa

from core.batch.lines import TOO_LONG, Unreadable, check_columns, read_lines, suffix_of, tables_of, text_columns

MAX_VALUE = 2**20  # characters
SEPARATORS = ",;\t|"  # the most usual one first
STATED = re.compile(rf"sep=([{SEPARATORS}])")  # first line of some files for Excel, which states the separator
SAMPLE, SAMPLED_LINES = 20, 1000  # rows by which the separator is chosen, and lines in which they are looked for
TOO_MANY = "This row has more values than there are columns: a text that holds the separator needs quotes."
MISMATCHED = "quotes do not match: close each quote, and double those inside a text."

csv.field_size_limit(MAX_VALUE)


def columns(path: Path) -> pa.Schema:
    """The columns in the header. ``columns``, ``values`` and ``tables`` are as in ``core.batch.formats.Format``."""
    return text_columns(_header_and_rows(path)[0])


def values(path: Path, column: str) -> Iterator[str | Unreadable | None]:
    """Yield the values of a column."""
    header, rows = _header_and_rows(path)
    place = header.index(column)
    for row in rows:
        yield row if isinstance(row, Unreadable) else _at(row, place)


def tables(path: Path, columns: Sequence[str]) -> Iterator[pa.Table]:
    """Yield tables of these columns."""
    header, rows = _header_and_rows(path)
    places = [header.index(column) for column in columns]
    yield from tables_of(columns, ([_at(row, place) for place in places] for row in rows))


def _at(row: list[str] | Unreadable, place: int) -> str | None:
    """The value at a place of a row; None if the row is unreadable or too short."""
    return row[place] if isinstance(row, list) and place < len(row) else None


def _header_and_rows(path: Path) -> tuple[list[str], Iterator[list[str] | Unreadable]]:
    records = _records(path)
    header = next(filter(None, records), [])  # blank lines may precede it
    if isinstance(header, Unreadable):
        raise ValueError(f"{path.name} cannot be read as CSV: {header.error}")
    check_columns(path, len(header))
    if header.count("") > 1:  # empty columns of a spreadsheet: two columns must not have the same name
        header = [name or f"column {k}" for k, name in enumerate(header, 1)]
    return header, (
        Unreadable(TOO_MANY) if isinstance(row, list) and any(row[len(header) :]) else row for row in records
    )


def _separator(path: Path) -> str:
    """Find the separator: the one stated in the first line, or else the one that fits most of the first rows.

    A row fits if it has as many values as the header, at least two.
    """
    if stated := STATED.fullmatch(next(read_lines(path), "")):
        return stated[1]
    if suffix_of(path) == ".tsv":
        return "\t"

    def fit(separator: str) -> tuple[int, int]:
        """The number of rows that fit, and the number of values in the header."""
        lengths: list[int] = []
        with suppress(csv.Error, ValueError):  # the rows before an unreadable one are enough
            lines = islice(read_lines(path), SAMPLED_LINES)
            rows = filter(None, csv.reader(lines, delimiter=separator))
            lengths.extend(map(len, islice(rows, 1 + SAMPLE)))
        header, *rows = lengths or [0]
        return (rows.count(header), header) if header > 1 else (0, 0)

    return max(SEPARATORS, key=fit)


def _records(path: Path) -> Iterator[list[str] | Unreadable]:
    """Yield the header and the rows of a CSV file.

    Raises:
        ValueError: a row has unmatched quotes, which may turn the rest of the file into one text.
    """
    separator, last = _separator(path), ""  # last: the line that was read last

    def lines() -> Iterator[str]:
        nonlocal last
        for number, last in enumerate(read_lines(path)):
            is_stated = number == 0 and STATED.fullmatch(last)
            yield "\n" if is_stated else f"{last}\n"  # a line break inside quotes belongs to the text

    rows = csv.reader(lines(), delimiter=separator, strict=True)
    while True:
        first = rows.line_num + 1
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:  # the reader continues with the next line
            if rows.line_num > first or "unexpected end" in str(error):
                raise ValueError(f"{path.name} has a row in line {first} whose {MISMATCHED}") from None
            row = Unreadable(TOO_LONG) if "field limit" in str(error) else _read_loosely(last, separator)
        yield row


def _read_loosely(line: str, separator: str) -> list[str] | Unreadable:
    """The values of a line whose quotes do not enclose whole values."""
    try:
        return next(csv.reader([f"{line}\n"], delimiter=separator))
    except csv.Error as error:
        return Unreadable(f"This row is not CSV: {error}.")
