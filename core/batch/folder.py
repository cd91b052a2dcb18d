"""The folder of a batch: one file per finished shard, the final table, and one trace per text if asked for."""

import io
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from core.files import write

COMPRESSION = "zstd"
SCHEMA = pa.schema(
    {
        "number": pa.int64(),
        "text": pa.string(),
        "class": pa.string(),
        "probabilities": pa.list_(pa.float32()),
        "certainty": pa.float32(),
        "entropy": pa.float32(),
        "settled_at": pa.int32(),
        "notice": pa.string(),
        "error": pa.string(),
    }
)


@dataclass(frozen=True)
class Folder:
    """Paths of a batch's files."""

    path: Path

    @property
    def record(self) -> Path:
        """The description of the batch."""
        return self.path / "batch.json"

    @property
    def table(self) -> Path:
        """The results of all shards, with the input's columns."""
        return self.path / "table.parquet"

    def shard(self, shard: int) -> Path:
        """The results of a shard, counted from 0, with the columns of ``SCHEMA``."""
        return self.path / "shards" / f"{shard:06}.parquet"

    def trace(self, number: int) -> Path:
        """The trace of a row, counted from 1."""
        return self.path / "traces" / f"{number:07}.npz"

    def find_other(self) -> Path | None:
        """A file or folder with the name of one that a batch makes, where no batch has begun; None if there is none."""
        made = self.table, self.shard(0).parent, self.trace(1).parent
        return next((path for path in made if path.exists()), None)

    def make(self, traces: bool) -> None:
        """Make the folder, with or without one for traces."""
        self.shard(0).parent.mkdir(parents=True, exist_ok=True)
        if traces:
            self.trace(1).parent.mkdir(parents=True, exist_ok=True)

    def write_shard(self, shard: int, results: pa.Table) -> None:
        """Write the results of a shard, whole or not at all."""
        content = io.BytesIO()
        pq.write_table(results, content, compression=COMPRESSION)
        write(self.shard(shard), content.getvalue())

    def delete_shards(self) -> None:
        """Delete the files of all shards."""
        for file in self.shard(0).parent.glob("[0-9]*.parquet*"):  # the unfinished ones, too
            file.unlink(missing_ok=True)
        with suppress(OSError):
            self.shard(0).parent.rmdir()
