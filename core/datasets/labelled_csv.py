"""Reads CSV files with class, title and text: the format of the eight datasets by Zhang, Zhao and LeCun (2015)."""

import csv
import gzip
import html
import io
import zlib
from collections.abc import Callable
from pathlib import Path

import regex

from core.datasets.split import Split, check_request
from core.inputs.text import tokenize

_BARE = regex.compile(r"&?#(\d{2,5});")  # in these files many character references have lost their &
NAMES = {"train": ("train.csv", "train.sample.csv"), "test": ("test.csv",)}


def reader(classes: tuple[str, ...]) -> Callable[..., Split]:
    """Make a function that reads the splits of a corpus with these classes."""

    def texts(folder: Path, split: str, n_classes: int = len(classes)) -> Split:
        """Read texts with their class.

        Args:
            folder: folder with train.csv, or a sample of it as train.sample.csv, and test.csv; each may be gzipped.
            split: train or test.

        Raises:
            ValueError: there is no such split or number of classes, or the folder lacks the split.
        """
        check_request(split, n_classes, classes)
        return read(folder, NAMES[split], classes)

    return texts


def read(folder: Path, names: tuple[str, ...], classes: tuple[str, ...]) -> Split:
    """Read the first of these files that exists, with title and text joined into one text.

    Args:
        folder: folder of the files.
        names: names of the files; each may be gzipped.
        classes: names of the classes, which the files number from 1.

    Raises:
        ValueError: no file exists, the file is damaged, or a row is not class, title, text.
    """
    paths = [folder / (name + end) for name in names for end in ("", ".gz") if (folder / (name + end)).is_file()]
    if not paths:
        raise ValueError(f"{folder} holds no {' or '.join(names)}")
    path, words, labels = paths[0], [], []
    try:
        content = path.read_bytes()
        lines = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
        for number, row in enumerate(csv.reader(io.StringIO(lines, newline=""), strict=True), 1):
            if len(row) != 3 or row[0] not in {str(k + 1) for k in range(len(classes))}:
                raise ValueError(f"row {number} is not class 1 to {len(classes)}, title, text")
            text_words = [word.text for word in tokenize(unescape(f"{row[1]} {row[2]}"))]
            if text_words:  # a few rows have no text
                words.append(text_words)
                labels.append(int(row[0]) - 1)
    except (OSError, EOFError, ValueError, csv.Error, zlib.error) as error:
        raise ValueError(f"{path} cannot be read: {error}") from None
    return Split(words, labels, classes)


def unescape(text: str) -> str:
    """Resolve character references, and replace backslashes by spaces."""
    return html.unescape(_BARE.sub(r"&#\1;", text)).replace("\\", " ")
