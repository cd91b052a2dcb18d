"""Small files of texts and labels for tests."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

GOOD = ("warm", "funny", "lovely", "bright", "moving")
BAD = ("cold", "dull", "ugly", "grim", "empty")


def write_rows(path: Path, rows: Iterable[Sequence[str]], head: Sequence[str] = ("review", "stars")) -> Path:
    """Write a CSV file with these rows, and return its path."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(head)
        writer.writerows(rows)
    return path


def reviews(n: int = 60) -> list[tuple[str, str]]:
    """Texts of two classes that differ in one word, in turn."""
    words = [GOOD, BAD]
    return [(f"a {words[k % 2][k // 2 % 5]} film about number {k}", ("good", "bad")[k % 2]) for k in range(n)]
