"""The 500 sentences that come with the program: film, product and news talk, written for it and free to use (CC0)."""

import csv
from functools import cache
from pathlib import Path
from typing import NamedTuple

PATH = Path(__file__).with_name("sentences.tsv")
LICENCE = "CC0 1.0"


class Sentence(NamedTuple):
    """One of the sentences.

    Attributes:
        text: sentence.
        topic: film, product, world, sports, business or science.
        grade: 1 (very negative) to 5 (very positive); None for news.
        negation, contrast: whether it has a negation, or a turn such as "but".
    """

    text: str
    topic: str
    grade: int | None
    negation: bool
    contrast: bool


@cache
def sentences() -> tuple[Sentence, ...]:
    """All sentences, in the order of the file."""
    with PATH.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return tuple(
        Sentence(
            row["text"],
            row["topic"],
            int(row["label"]) if row["label"] else None,
            row["negation"] == "1",
            row["contrast"] == "1",
        )
        for row in rows
    )
