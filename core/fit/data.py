"""Reads a file of texts with labels, checks it, and divides it into texts to train on, to choose on and to test on."""

import hashlib
import math
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from core.batch.texts import MAX_CHARACTERS, TOO_LONG, read_column, to_row
from core.datasets.split import Split
from core.files import sha256_of
from core.fit.columns import MAX_CLASSES, Columns
from core.inputs.text import replace_breaks, tokenize
from core.manifest import MAX_CLASS_NAME
from core.networks.reading import MAX_WORDS

MAX_TEXTS = 50_000  # texts that are used; of more, a random sample
MIN_TEXTS = 10  # texts that each label needs
MAX_LABELS = 10_000  # different labels after which reading stops
TEST, DEV = 5, 10  # one in five texts is a test text, and one in ten chooses the weights
SEVERAL = "a text that occurs with several labels"
SEED = 0  # of the sample and of the division


@dataclass(frozen=True, eq=False)
class OwnData:
    """The texts of a file, divided.

    Args:
        columns: columns of the file.
        train, dev, test: texts to train on, to choose weights on, and to test on. No text is in two of them.
        notes: one sentence for each kind of row that was left out.
        sha256: sha256 of the file.
    """

    columns: Columns
    train: Split
    dev: Split
    test: Split
    notes: tuple[str, ...]
    sha256: str

    @property
    def classes(self) -> tuple[str, ...]:
        """The labels, in order."""
        return self.train.classes

    @property
    def counts(self) -> list[int]:
        """The number of texts of each class, in all three parts."""
        labels = Counter([*self.train.labels, *self.dev.labels, *self.test.labels])
        return [labels[k] for k in range(len(self.classes))]

    def __len__(self) -> int:
        return len(self.train) + len(self.dev) + len(self.test)


def read(path: Path, columns: Columns, max_texts: int = MAX_TEXTS) -> OwnData:
    """``read_anew``, or what it returned before for the same file. The last two are kept."""
    about = path.stat() if path.is_file() else None
    return _read(path, columns, max_texts, about and (about.st_mtime_ns, about.st_size))


@lru_cache(maxsize=2)
def _read(path: Path, columns: Columns, max_texts: int, version: tuple[int, int] | None) -> OwnData:
    return read_anew(path, columns, max_texts)


def read_anew(path: Path, columns: Columns, max_texts: int = MAX_TEXTS) -> OwnData:
    """Read and divide a file. The same file gives the same division.

    Rows without a text or a label, texts that are too long, and repeated texts are left out and counted in ``notes``.
    A text that occurs with several labels is left out altogether.

    Args:
        path: a .csv, .tsv, .jsonl or .parquet file.
        columns: its columns.
        max_texts: as ``MAX_TEXTS``.

    Raises:
        ValueError: the file cannot be read; it has fewer than two labels or more than ``MAX_CLASSES``; a label has
            fewer than ``MIN_TEXTS`` texts, in the file or in the sample; or two labels differ only by case or spaces.
    """
    table = _Table(max_texts)
    values = zip(read_column(path, columns.text), read_column(path, columns.label), strict=True)
    for number, (text, label) in enumerate(values, 1):
        table.add(number, text, label)
    table.check(path.name, columns)
    classes = tuple(sorted(table.counts, key=_order))
    kept = table.kept(classes)
    parts = _divide(kept, len(classes))
    train, dev, test = (Split([kept[k][0] for k in part], [kept[k][1] for k in part], classes) for part in parts)
    return OwnData(columns, train, dev, test, tuple(table.notes()), sha256_of(path))


@dataclass
class _Table:
    """The rows that were read so far.

    Attributes:
        counts: number of texts of each label.
        first: first row of each label.
        spellings: the label of each spelling without case and spaces.
        labels: the label of each text, by its hash, and its first row; None for the label if it has several.
        sample: hash and text of a uniform sample of the texts.
        left_out: number of rows that are left out, and the first of them, by reason.
    """

    max_texts: int
    counts: Counter[str] = field(default_factory=Counter)
    first: dict[str, int] = field(default_factory=dict)
    spellings: dict[str, str] = field(default_factory=dict)
    labels: dict[bytes, tuple[str | None, int]] = field(default_factory=dict)
    sample: list[tuple[bytes, str]] = field(default_factory=list)
    left_out: dict[str, tuple[int, int]] = field(default_factory=dict)
    n_rows: int = 0
    n_different: int = 0
    drawn: random.Random = field(default_factory=lambda: random.Random(SEED))

    def add(self, number: int, text: Any, label: Any) -> None:
        """Take one row."""
        self.n_rows = number
        row, named = to_row(text), to_row(_as_text(label))
        if row.error or not (row.text or "").strip():
            return self._leave_out(number, _reason(row.error))
        if named.error or not (named.text or "").strip():
            return self._leave_out(number, "without a label")
        if next(tokenize(replace_breaks(row.text or "")), None) is None:
            return self._leave_out(number, "a text without a word")
        name = (named.text or "").strip()
        self._check_label(number, name)
        key = hashlib.blake2b(" ".join((row.text or "").split()).casefold().encode(), digest_size=16).digest()
        if key in self.labels:
            known, row_before = self.labels[key]
            if known == name:
                return self._leave_out(number, "a repeated text")
            if known is not None:
                self.labels[key] = None, row_before
                self.counts[known] -= 1
                self._leave_out(row_before, SEVERAL)
            return self._leave_out(number, SEVERAL)
        self.labels[key] = name, number
        self.counts[name] += 1
        self._keep(key, row.text or "")

    def _keep(self, key: bytes, text: str) -> None:
        """Keep a text in the sample, in which every text of the file has the same chance to be."""
        self.n_different += 1
        if len(self.sample) < self.max_texts:
            self.sample.append((key, text))
        elif (place := self.drawn.randrange(self.n_different)) < self.max_texts:
            self.sample[place] = key, text

    def _check_label(self, number: int, name: str) -> None:
        """Raise ValueError if a label is too long, or differs from another one only by case or spaces."""
        self.first.setdefault(name, number)
        spelled = self.spellings.setdefault(" ".join(name.split()).casefold(), name)
        if spelled != name:
            raise ValueError(
                f"The label {name!r:.60} of row {number:,} differs from {spelled!r:.60} of row {self.first[spelled]:,} "
                "only by case or spaces: write both the same way."
            )
        if len(name) > MAX_CLASS_NAME:
            raise ValueError(
                f"The label of row {number:,} has {len(name):,} characters, wanted at most {MAX_CLASS_NAME}."
            )
        if len(self.first) > MAX_LABELS:
            raise ValueError(
                f"There are more than {MAX_LABELS:,} labels, wanted 2 to {MAX_CLASSES}: name another column."
            )

    def _leave_out(self, number: int, reason: str) -> None:
        n, first = self.left_out.get(reason, (0, number))
        self.left_out[reason] = n + 1, min(first, number)

    def check(self, name: str, columns: Columns) -> None:
        """Raise ValueError unless there are enough labels, with enough texts each."""
        labels = {label: n for label, n in self.counts.items() if n}
        self.counts = Counter(labels)
        if not labels:
            first = min((row for _, row in self.left_out.values()), default=0)
            reasons = f": row {first:,}, the first, is {next(iter(self.left_out))}" if first else ""
            raise ValueError(
                f"{name} has no row with a text and a label in {columns.text!r} and {columns.label!r}{reasons}."
            )
        if len(labels) < 2:
            raise ValueError(f"All texts have the label {next(iter(labels))!r:.60}: at least two labels are needed.")
        if len(labels) > MAX_CLASSES:
            raise ValueError(
                f"The column {columns.label!r} has {len(labels):,} different labels, wanted 2 to {MAX_CLASSES}: name "
                "another column."
            )
        self._check_counts(self.counts, "Add some")

    def _check_counts(self, counts: Counter[str], advice: str, where: str = "") -> None:
        """Raise ValueError unless each label has enough texts."""
        label = min(self.counts, key=lambda label: counts[label])
        if (n := counts[label]) < MIN_TEXTS:
            often = "once" if n == 1 else f"{n} times"
            raise ValueError(
                f"The label {label!r:.60}, first in row {self.first[label]:,}, occurs {often}{where}: each label needs "
                f"at least {MIN_TEXTS} different texts. {advice}, or leave its rows out."
            )

    def kept(self, classes: tuple[str, ...]) -> list[tuple[list[str], int]]:
        """The words and the class of each text of the sample. Raises ValueError if a label has too few of them."""
        named = [(text, name) for key, text in self.sample if (name := self.labels[key][0]) is not None]
        where = f" in the random sample of {len(self.sample):,} texts that is used"
        self._check_counts(Counter(name for _, name in named), "Give a smaller file with more of them", where)
        numbers = {name: k for k, name in enumerate(classes)}
        return [(first_words(text), numbers[name]) for text, name in named]

    def notes(self) -> Iterator[str]:
        """One sentence for each reason for which rows were left out."""
        for reason, (n, first) in self.left_out.items():
            rows, are = ("row", "is") if n == 1 else ("rows", "are")
            where = f"row {first:,}" if n == 1 else f"the first is row {first:,}"
            yield f"{n:,} {rows} ({where}) {are} left out: {reason}."
        if self.n_different > len(self.sample):
            yield f"A random sample of {len(self.sample):,} of {self.n_different:,} different texts is used."


def _as_text(label: Any) -> Any:
    """A label as text: whole numbers without a point, and None for what is no number (NaN)."""
    if isinstance(label, bool | int):
        return str(label)
    if not isinstance(label, float):
        return label
    if math.isnan(label):
        return None
    if label.is_integer():
        return str(int(label))
    short = np.float32(label)
    return str(short if short == label else label)  # 0.1 in 32 bits has a longer name in 64


def _reason(error: str) -> str:
    """The reason for which a row is left out, from the error of its text."""
    if "UTF-8" in error:
        return "not in UTF-8, so save the file as UTF-8"
    if error.startswith(TOO_LONG):
        return f"a text of more than {MAX_CHARACTERS:,} characters"
    return f"unreadable ({error.rstrip('.')})" if error and "no text" not in error else "without a text"


def first_words(text: str) -> list[str]:
    """The words of a text, at most as many as networks read, without HTML's line breaks."""
    return [word.text for word in islice(tokenize(replace_breaks(text)), MAX_WORDS)]


def _order(name: str) -> tuple[bool, float, str]:
    """A key that sorts labels that are numbers by size, and others by name."""
    try:
        number = float(name)
    except ValueError:
        number = math.nan
    return (True, 0.0, name) if math.isnan(number) else (False, number, name)


def _divide(kept: list[tuple[list[str], int]], n_classes: int) -> tuple[list[int], list[int], list[int]]:
    """Divide texts into those to train on, to choose on and to test on, with the same shares of each class in each."""
    drawn = random.Random(SEED)
    train, dev, test = [], [], []
    for k in range(n_classes):
        members = [number for number, (_, label) in enumerate(kept) if label == k]
        drawn.shuffle(members)
        n_test, n_dev = max(1, len(members) // TEST), max(1, len(members) // DEV)
        test += members[:n_test]
        dev += members[n_test : n_test + n_dev]
        train += members[n_test + n_dev :]
    return sorted(train), sorted(dev), sorted(test)
