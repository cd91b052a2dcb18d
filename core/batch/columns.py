"""Guesses which column of a file holds the texts, by the columns' names and their first values."""

from collections.abc import Mapping, Sequence
from itertools import islice, zip_longest
from pathlib import Path
from statistics import fmean
from typing import Any

from core.batch.texts import choose_column, column_names, read_column, read_columns

SAMPLED = 1000  # rows by which columns are guessed
TEXTS = ("text", "sentence", "review", "message", "comment", "question", "document", "content", "body", "tweet")


def choose_texts(path: Path, column: str | None = None) -> str:
    """The column with the texts: the given one, or a guess. Errors as in ``core.batch.texts.choose_column``."""
    names = column_names(path)
    if column is not None or len(names) < 2:
        return choose_column(path, column)
    rows = sample_rows(path, names, SAMPLED)
    return guess_texts(names, {name: [row[k] for row in rows if row[k]] for k, name in enumerate(names)})


def guess_texts(names: Sequence[str], values: Mapping[str, Sequence[str]]) -> str:
    """The column whose name says that it holds texts, or the one with the longest values.

    Args:
        names: columns to choose from.
        values: the first values of each column.
    """
    return by_name(names, TEXTS) or max(names, key=lambda name: _mean_length(values[name]))


def sample_rows(path: Path, names: Sequence[str], n: int) -> list[list[str]]:
    """The first n rows of a file as texts, "" for a missing value; one list per row, in the order of ``names``."""
    if path.suffix.lower() == ".parquet":  # read by column, so that a text that many rows share is made only once
        rows = zip_longest(*(_values(path, name, n) for name in names))
    else:
        tables = read_columns(path, names)
        rows = (row for table in tables for row in zip(*(column.to_pylist() for column in table.columns), strict=True))
    return [["" if value is None else str(value) for value in row] for row in islice(rows, n)]


def _values(path: Path, name: str, n: int) -> list[Any]:
    """The first n values of a column of a Parquet file; none if it holds neither texts nor numbers."""
    try:
        return list(islice(read_column(path, name), n))
    except ValueError:
        return []


def by_name(names: Sequence[str], wanted: Sequence[str]) -> str | None:
    """The first of the wanted names that a column has, ignoring case; None if there is none."""
    lower = {name.strip().lower(): name for name in reversed(names)}
    return next((lower[name] for name in wanted if name in lower), None)


def _mean_length(values: Sequence[str]) -> float:
    return fmean(map(len, values)) if values else 0.0
