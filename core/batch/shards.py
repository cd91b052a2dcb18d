"""The parts that a file of texts is worked on in. What a shard holds depends on its number alone."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from core.batch.texts import Row, read_texts

FIRST, DOUBLED = 32, 5  # rows of the first shard, so that results show early; each of the next ones is twice as large


def start_of(shard: int) -> int:
    """The number of rows before a shard; shards are counted from 0."""
    small = min(shard, DOUBLED)
    return FIRST * (2**small - 1) + (shard - small) * FIRST * 2**DOUBLED


def count_shards(n_rows: int) -> int:
    """How many shards hold so many rows."""
    shard = 0
    while start_of(shard) < n_rows:
        shard += 1
    return shard


class ShardReader:
    """Reads shards of a file. One that comes after the last one read is read on from there.

    Args:
        path, column: as ``core.batch.texts.read_texts`` takes them.
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
