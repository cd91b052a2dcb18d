"""Shards, the parts in which a file of texts is processed. The rows of a shard depend only on its number."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from core.batch.texts import Row, read_texts

FIRST = 32  # rows of the first shard; few, so that the first results come early
DOUBLED = 5  # number of shards after the first that are twice as large as the one before; later ones are equal


def start_of(shard: int) -> int:
    """The number of rows before a shard; shards are numbered from 0."""
    small = min(shard, DOUBLED)
    return FIRST * (2**small - 1) + (shard - small) * FIRST * 2**DOUBLED


def count_shards(n_rows: int) -> int:
    """The number of shards for n_rows rows."""
    shard = 0
    while start_of(shard) < n_rows:
        shard += 1
    return shard


class ShardReader:
    """Reads shards of a file. Later shards continue where the last one ended; an earlier one starts over.

    Args:
        path, column: as in ``core.batch.texts.read_texts``.
    """

    def __init__(self, path: Path, column: str):
        self._path, self._column = path, column
        self._restart()

    def read(self, shard: int) -> list[Row]:
        """The rows of a shard."""
        start, end = start_of(shard), start_of(shard + 1)
        if start < self._at:
            self._restart()
        rows = list(islice(self._rows, start - self._at, end - self._at))
        self._at = end
        return rows

    def _restart(self) -> None:
        self._rows: Iterator[Row] = read_texts(self._path, self._column)
        self._at = 0
