"""The file of texts and labels that a user trains a network on: its columns, and a look at what a training reads."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from dashboard.runs import sources

MAX_ROWS, MAX_CHARACTERS = 20_000, 3_000_000  # rows, and characters of all texts: their states take a few gigabytes
TOO_MUCH = (
    f"This file holds too much for the page, which trains on at most {MAX_ROWS:,} rows and "
    f"{MAX_CHARACTERS // 10**6} million characters: run python -m core fit on it instead."
)
N_SHOWN, MAX_CELL = 5, 300  # rows of the look, and characters of each value
UNSPEAKABLE = re.compile("[\0\ud800-\udfff]")  # characters that no command line can hold


@dataclass(frozen=True, eq=False)
class OwnColumns:
    """The columns of a file.

    Args:
        names: all of them.
        text, label: those that probably hold the texts and the labels.
    """

    names: Sequence[str]
    text: str
    label: str


@dataclass(frozen=True, eq=False)
class OwnLook:
    """A look at what a training reads.

    Args:
        rows: text and label of the first rows, cut.
        counts: number of texts by label.
        n_train, n_dev, n_test: number of texts to train on, to choose the weights on, and to test on.
        n_words: number of words of all these texts.
        notes: one sentence for each kind of row that is left out.
    """

    rows: Sequence[tuple[str, str]]
    counts: dict[str, int]
    n_train: int
    n_dev: int
    n_test: int
    n_words: int
    notes: Sequence[str]


def guess_columns(path: Path) -> OwnColumns:
    """The columns of a file, with guesses which hold texts and labels.

    Raises:
        ValueError: the file cannot be read, holds too much, or has only one column.
    """
    from core.fit.columns import choose_columns

    names = sources.column_names(path)
    try:
        chosen = choose_columns(path)
        return OwnColumns(names, chosen.text, chosen.label)
    except ValueError:
        if len(names) < 2:
            raise
    text = sources.likely_column(path, names)  # no column looks like labels, perhaps because the rows are sorted
    return OwnColumns(names, text, next(name for name in names if name != text))


def look_at(path: Path, text: str, label: str) -> OwnLook:
    """A look at a file.

    Args:
        path: path of a .csv, .tsv, .jsonl or .parquet file.
        text, label: its columns.

    Raises:
        ValueError: one sentence that says why no network can be trained on it here.
    """
    from core.batch.texts import read_column
    from core.fit.columns import Columns
    from core.fit.data import read_anew

    if UNSPEAKABLE.search(text + label):
        raise ValueError("The name of a column holds a character that no name can have: rename the column.")
    _check_amount(path, text)
    data = read_anew(path, Columns(text, label))  # not its cache, which would outlast the session
    first = zip(*(islice(read_column(path, column), N_SHOWN) for column in (text, label)), strict=True)
    return OwnLook(
        rows=[(_shown(text), _shown(label)) for text, label in first],
        counts=dict(zip(data.classes, data.counts, strict=True)),
        n_train=len(data.train),
        n_dev=len(data.dev),
        n_test=len(data.test),
        n_words=sum(len(words) for part in (data.train, data.dev, data.test) for words in part.words),
        notes=data.notes,
    )


@dataclass(frozen=True)
class WrongText:
    """A test text that a network gets wrong, and the word that its answer rests on most, if that was measured.

    Args:
        text: the text as it is in the file.
        label: its label in the file.
        answer: the network's answer.
        certainty: probability of the answer.
        place: index of the word without which this probability falls furthest; None if it was not measured.
        word: this word.
        without: probability of the answer with this word masked.
        then: answer with this word masked.
    """

    text: str
    label: str
    answer: str
    certainty: float = 0.0
    place: int | None = None
    word: str = ""
    without: float = 0.0
    then: str = ""


def wrong_texts(path: Path, text: str, label: str, folder: Path, most: int) -> tuple[int, list[WrongText]]:
    """The number of test texts that a network gets wrong, and some of them.

    They are those in "mistakes" (``core.measured.store``), in its order, or evenly spaced ones.

    Args:
        path, text, label: file that the network learned from, and its columns.
        folder: folder of the network.
        most: largest number of texts.
    """
    import numpy as np

    from core.fit.columns import Columns
    from core.fit.data import read_anew

    test = read_anew(path, Columns(text, label)).test
    with np.load(folder / "given.npz", allow_pickle=False) as file:
        given = file["given"]
    wrong = np.flatnonzero(given != np.array(test.labels)).tolist()
    measured = _mistakes(folder)
    some = [*measured] or [wrong[len(wrong) * k // min(most, len(wrong))] for k in range(min(most, len(wrong)))]
    in_file = _as_in_file(path, text, [test.words[k] for k in some[:most]])
    name = test.classes.__getitem__
    return len(wrong), [
        WrongText(typed, name(test.labels[k]), name(given[k]), *_rests_on(measured.get(k), name))
        for k, typed in zip(some, in_file, strict=False)
    ]


def _mistakes(folder: Path) -> dict[int, tuple[float, int, str, float, int]]:
    """The rows of "mistakes" in the folder of a network, by the index of the text; empty if it was not measured."""
    import numpy as np

    path = folder / "mistakes.npz"
    if not path.is_file():
        return {}
    with np.load(path, allow_pickle=False) as file:
        columns = [file[name].tolist() for name in ("texts", "certainty", "word", "named", "without", "then")]
    return {row[0]: tuple(row[1:]) for row in zip(*columns, strict=True)}


def _rests_on(row: tuple[float, int, str, float, int] | None, name: Callable[[int], str]) -> tuple:
    """The last fields of a ``WrongText``."""
    return (*row[:4], name(row[4])) if row else ()


def _as_in_file(path: Path, column: str, of_words: Sequence[list[str]]) -> list[str]:
    """The texts with these words as they are in the file; those that were cut are joined from their words."""
    from core.batch.texts import read_column, to_row
    from core.inputs.text import as_typed

    found = {"".join(words): as_typed(words) for words in of_words}  # words hold all signs of a text but its spaces
    for row in map(to_row, read_column(path, column)):
        if (signs := "".join((row.text or "").split())) in found:
            found[signs] = row.text or ""
    return [found["".join(words)] for words in of_words]


def _check_amount(path: Path, column: str) -> None:
    """Raise ValueError if a file has more rows or characters than the page takes."""
    from core.batch.texts import read_column, to_row

    n_characters = 0
    for n_rows, row in enumerate(map(to_row, read_column(path, column)), 1):
        n_characters += len(row.text or "")
        if n_rows > MAX_ROWS or n_characters > MAX_CHARACTERS:
            raise ValueError(TOO_MUCH)


def _shown(value: object) -> str:
    """A value as text that a table can show."""
    from core.batch.texts import Unreadable

    text = "" if value is None else value.error if isinstance(value, Unreadable) else str(value)
    short = text if len(text) <= MAX_CELL else f"{text[:MAX_CELL]}…"
    return short.encode(errors="replace").decode()
