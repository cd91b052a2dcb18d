"""Reads the texts of the page My texts: a test split, or a user's file."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import isnan
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import streamlit as st

from core.datasets import Corpus, corpus_of, folder_of, imdb, is_here, read_split
from dashboard.runs.checkpoints import about, known

MAX_ROWS = 100_000
MAX_CHARACTERS = 100_000_000  # characters of all texts and classes of a file; bytes of a Parquet column
MAX_LABEL = 200  # characters; a longer value is not a class, and is cut
TOO_MUCH = (
    f"This file holds too much for the page, which takes at most {MAX_ROWS:,} rows and "
    f"{MAX_CHARACTERS // 10**6} million characters: run python -m core batch on it instead."
)
MAX_COLUMNS, MAX_NAMES = 500, 100_000  # columns, and characters of all their names
SAMPLED, GUESSED = 100, 50  # rows and columns that are read to guess the column with the texts
SEEN = 1000  # characters of each value that are read for the guess
# Words in names of columns that hold texts, that cannot hold texts, and that probably hold something else.
TEXT_NAMES = {"text", "review", "sentence", "comment", "content", "body", "message", "document", "description", "tweet"}
NEVER_TEXT_NAMES = {"id", "ids", "uuid", "guid", "key", "index", "url", "date", "time"}
OTHER_NAMES = {"label", "class", "source", "author"}  # the last known word counts: "class description" is a text


@dataclass(frozen=True, eq=False)
class Source:
    """Texts and, if known, their classes.

    Args:
        title: phrase for the texts.
        rows: columns text, truth and error, with nulls.
        is_joined: whether the texts were put together from a corpus's own words.
        counted_from: the number of the first class, 0 or 1, if a file numbers them; else None.
    """

    title: str
    rows: pa.Table
    is_joined: bool = False
    counted_from: int | None = None

    @property
    def to_run(self) -> pa.ChunkedArray:
        """The texts; null for one that cannot be run, although ``rows`` may show its beginning."""
        return pc.if_else(self.rows["error"].is_null(), self.rows["text"], None)

    @property
    def has_truth(self) -> bool:
        """Whether the class of any text is known."""
        return self.rows["truth"].null_count < len(self.rows)


def same_classes(name: str) -> list[str]:
    """The names of other checkpoints with the same classes."""
    return [other for other in known() if other != name and about(other).classes == about(name).classes]


def has_test_split(name: str) -> bool:
    """Whether this machine has the corpus of a checkpoint."""
    corpus = corpus_of(about(name).corpus)
    return corpus is not None and is_here(corpus)


def is_joined(corpus: Corpus) -> bool:
    """Whether a corpus has words instead of texts, which are joined to be run as texts."""
    return corpus is not imdb.CORPUS


def may_read_split(name: str) -> bool:
    """Whether the texts of the test split are here as a network read them."""
    corpus = corpus_of(about(name).corpus)
    return corpus is not None and is_joined(corpus) and has_test_split(name)


def read_test_split(name: str) -> Source:
    """Read the official test split of the corpus that a checkpoint was trained on.

    Raises:
        ValueError: this machine does not have it.
    """
    return _read_test_split(about(name).corpus, about(name).classes)


@st.cache_resource(max_entries=2, show_spinner="Reading the test split …")
def _read_test_split(corpus: str, classes: tuple[str, ...]) -> Source:
    record = corpus_of(corpus)
    if not is_joined(record):
        texts, labels = imdb.read_raw(folder_of(corpus), "test")
    else:
        from core.inputs.text import as_typed

        split = read_split(corpus, folder_of(corpus), "test", len(classes))
        texts, labels = [as_typed(words) for words in split.words], split.labels
    source = _source(f"{record.title_in(len(classes))}, the test split", texts, [classes[label] for label in labels])
    return replace(source, is_joined=is_joined(record))


def column_names(path: Path) -> list[str]:
    """The columns of a user's file. Errors as in ``read_file``."""
    from core.batch import texts

    _check_size(path)
    names = texts.column_names(path)
    if len(names) > MAX_COLUMNS or sum(map(len, names)) > MAX_NAMES:
        letters = f"with {sum(map(len, names)):,} characters in their names. "
        most = f"The page takes at most {MAX_COLUMNS:,} columns, and {MAX_NAMES:,} characters in their names."
        raise ValueError(f"This file has {len(names):,} columns, {letters}{most}")
    return names


def likely_column(path: Path, columns: Sequence[str]) -> str:
    """The column that most likely holds the texts, judged by its name and the length of its first values.

    A column without letters ranks last, and a column of identifiers just before it. Errors as in ``read_file``.
    """
    columns = columns[:GUESSED]
    lengths = _lengths_of_texts(path, columns) if len(columns) > 1 else {}

    def rank(column: str) -> tuple[bool, bool, int, int]:
        """Rank a column by its letters, by words in its name, and by the length of its values."""
        words = re.findall("[a-z]+", re.sub("(?<=[a-z])(?=[A-Z])", " ", column).casefold())
        meanings = [1 if word in TEXT_NAMES else -1 for word in words if word in TEXT_NAMES | OTHER_NAMES]
        length = lengths.get(column, 0)
        return length > 0, NEVER_TEXT_NAMES.isdisjoint(words), meanings[-1] if meanings else 0, length

    return max(columns, key=rank)


def _lengths_of_texts(path: Path, columns: Sequence[str]) -> dict[str, int]:
    """The number of letters in the first values of each column; 0 if all are numbers."""
    from core.batch import texts

    if path.suffix.lower() == ".parquet":  # columns are stored separately, so only those with texts are read
        types = texts.column_types(path)
        columns = [column for column in columns if texts.is_text(types.field(column).type)]
        sampled = {column: list(islice(texts.read_column(path, column), SAMPLED)) for column in columns}
    else:
        table = next(texts.read_columns(path, columns), None)
        sampled = table.slice(0, SAMPLED).to_pydict() if table else {}
    return {column: sum(map(_letters, values)) for column, values in sampled.items()}


def _letters(value: str | None) -> int:
    """The number of letters at the beginning of a value."""
    return sum(map(str.isalpha, (value or "")[:SEEN]))


def read_file(path: Path, column: str, truth: str | None, classes: Sequence[str]) -> Source:
    """Read the texts of a user's file.

    Args:
        path: path of a .txt, .csv, .tsv, .jsonl or .parquet file.
        column: column of the texts.
        truth: column of their classes, if any: names, or numbers from 0 or 1.
        classes: classes of the checkpoint.

    Raises:
        ValueError: the file cannot be read, is too large or has no text.
    """
    from core.batch import texts

    _check_size(path)
    rows, n_characters = [], 0
    for row in islice(texts.read_texts(path, column), MAX_ROWS + 1):
        rows.append(row)
        n_characters += len(row.text or "")
        if n_characters > MAX_CHARACTERS or len(rows) > MAX_ROWS:
            raise ValueError(TOO_MUCH)
    if not rows:
        raise ValueError("This file holds no text.")
    labels = counted_from = None
    if truth is not None:
        values = islice(texts.read_column(path, truth), len(rows))
        labels, counted_from = _class_names(_within(values, MAX_CHARACTERS - n_characters), classes)
    source = _source(path.name, [row.text for row in rows], labels, [row.error or None for row in rows])
    return replace(source, counted_from=counted_from)


def _check_size(path: Path) -> None:
    """Raise ValueError for a packed file, and for a Parquet file that is too large once unpacked."""
    if path.suffix.lower() == ".gz":
        raise ValueError(f"{path.name} is packed: unpack it, and give that file.")
    if path.suffix.lower() != ".parquet":
        return
    from core.batch.pages import BY_DIFFERENCE, pages

    size = 0
    for page in pages(path):
        size += page.size
        if size > MAX_CHARACTERS:
            raise ValueError(TOO_MUCH)
        if page.encoding == BY_DIFFERENCE:
            raise ValueError(
                f"{path.name} holds texts as their differences (DELTA_BYTE_ARRAY), which says nothing of their size: "
                "write it with the usual encoding, and give that file."
            )


def _within(values: Iterator[object], most: int) -> Iterator[object]:
    """Yield the values; ValueError when the texts among them exceed ``most`` characters."""
    for value in values:
        most -= len(value) if isinstance(value, str) else 0
        if most < 0:
            raise ValueError(TOO_MUCH)
        yield value


def _class_names(values: Iterator[object], classes: Sequence[str]) -> tuple[list[str | None], int | None]:
    """The class that each value names, by name or number, and the number of the first class; other values are kept.

    Numbers count from 1 only if the number of classes is among them and 0 is not: a file need not have every class.
    """
    labels = list(map(_label, values))
    distinct = set(labels) - {None}
    by_name = {name.casefold(): name for name in classes}
    first = int(str(len(classes)) in distinct and "0" not in distinct)
    by_number = {str(first + k): name for k, name in enumerate(classes)}
    is_numbered = not any(label.casefold() in by_name for label in distinct)
    names = by_number if is_numbered else by_name
    named = {label: names.get(label.casefold(), label) for label in distinct}
    counted_from = first if is_numbered and not distinct.isdisjoint(by_number) else None
    return [named.get(label) for label in labels], counted_from


def _label(value: object) -> str | None:
    """A value as the name or number of a class, in a form that Arrow and screens can take; None if it is empty."""
    from core.batch.texts import Unreadable

    if value is None or value == "" or isinstance(value, Unreadable):
        return None
    if isinstance(value, float):  # as pandas stores whole numbers in a column where some are missing
        if isnan(value):
            return None
        value = int(value) if value.is_integer() else value
    text = str(value)
    short = text.strip() if len(text) <= MAX_LABEL else f"{text[:MAX_LABEL]}…"
    return short.encode(errors="replace").decode()


def _source(
    title: str, texts: Sequence[str | None], truth: Sequence[str | None] | None, errors: Sequence[str | None] = ()
) -> Source:
    """Make a source from lists; None for values that are missing."""
    none = pa.nulls(len(texts), pa.string())
    columns = {
        "text": pa.array(texts, pa.string()),
        "truth": none if truth is None else pa.array(truth, pa.string()),
        "error": pa.array(errors, pa.string()) if errors else none,
    }
    return Source(title, pa.table(columns))
