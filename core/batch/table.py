"""The table of a batch: the results of all shards, one column per class, and the input's columns."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from core.batch.folder import COMPRESSION, SCHEMA, Folder
from core.batch.texts import column_types, read_columns
from core.files import writing

SHARDS_IN_GROUP = 64  # shards per row group of the table


class InputColumns:
    """The columns of a batch's input other than the texts, read some rows at a time.

    Args:
        path, column: file and column of the texts, as in ``core.batch.texts.read_texts``.
        taken: names of the table's other columns. An input column with one of these names gets the prefix "input".

    Attributes:
        schema: schema of these columns in the table.
    """

    def __init__(self, path: Path, column: str, taken: Iterable[str]):
        types = column_types(path)
        columns = [name for name in types.names if name != column]
        self.schema, names = pa.schema([]), set(taken)
        for name in columns:
            free = _free_name(name, names)
            names.add(free)
            self.schema = self.schema.append(types.field(name).with_name(free))
        self._tables = read_columns(path, columns) if columns else iter(())
        self._read = self.schema.empty_table()

    def take(self, n: int) -> pa.Table:
        """Read the next n rows; a table without columns if the input has no other columns."""
        while self.schema.names and len(self._read) < n:
            read = next(self._tables).rename_columns(self.schema.names).cast(self.schema)
            self._read = pa.concat_tables([self._read, read])
        taken, self._read = self._read.slice(0, n), self._read.slice(n)
        return taken


def _free_name(name: str, taken: set[str]) -> str:
    return name if name not in taken else _free_name(f"input {name}", taken)


def write_table(folder: Folder, n_shards: int, classes: Sequence[str], path: Path, column: str) -> None:
    """Write the table of all shards, whole or not at all, then delete the shards' files.

    Args:
        folder: folder of the batch.
        n_shards: number of shards in the batch.
        classes: class names of the network.
        path, column: file and column of the texts, as in ``core.batch.texts.read_texts``.
    """
    by_class = pa.schema([(f"probability of {name}", pa.float32()) for name in classes])
    inputs = InputColumns(path, column, taken=[*SCHEMA.names, *by_class.names])
    schema = pa.schema([*SCHEMA, *by_class, *inputs.schema])
    with writing(folder.table) as part, pq.ParquetWriter(part, schema, compression=COMPRESSION) as writer:
        for start in range(0, n_shards, SHARDS_IN_GROUP):
            shards = range(start, min(start + SHARDS_IN_GROUP, n_shards))
            results = pa.concat_tables(pq.read_table(folder.shard(shard)) for shard in shards)
            chances = [pc.list_element(results["probabilities"], k) for k in range(len(classes))]
            columns = [*results.columns, *chances, *inputs.take(len(results)).columns]
            writer.write_table(pa.table(columns, schema=schema))
    folder.delete_shards()
