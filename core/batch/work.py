"""The work of each process in a batch: runs the texts of one shard and writes their results."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from core import zoo
from core.batch.folder import SCHEMA, Folder
from core.batch.shards import ShardReader, start_of
from core.batch.texts import Row
from core.files import write
from core.networks.many import Result, explain_many, failure, run_texts
from core.networks.summary import summarize_trace
from core.trace import Trace


@dataclass(frozen=True)
class Work:
    """A function that runs a shard and writes its results.

    Any process that can reach the file and the folder can call it.

    Args:
        model: name of the checkpoint.
        weights: sha256 of its weights file.
        device: as in ``core.zoo.load``.
        path, column: as in ``core.batch.texts.read_texts``.
        folder: folder of the results.
        traces: whether to write the trace of every text too, and to summarize these traces.
    """

    model: str
    weights: str
    device: str
    path: Path
    column: str
    folder: Folder
    traces: bool = False

    def __call__(self, shard: int) -> dict[str, Any]:
        """Run a shard, write its file, and return its number and its number of rows."""
        checkpoint = load(self.model, self.device)
        if checkpoint.sha256 != self.weights:
            raise ValueError(f"{self.model} does not have the weights that the batch started with")
        rows = _reader(self.path, self.column).read(shard)
        first = start_of(shard) + 1
        texts = {number: row.text or "" for number, row in enumerate(rows, first) if not row.error}
        if self.traces:
            traces = explain_many(checkpoint, texts.values())
            run = {number: self._write_trace(trace, number) for number, trace in zip(texts, traces, strict=True)}
        else:
            run = dict(zip(texts, run_texts(checkpoint, list(texts.values())), strict=True))
        results = [run.get(number) or Result(None, error=row.error) for number, row in enumerate(rows, first)]
        self.folder.write_shard(shard, results_table(first, rows, results, checkpoint.classes))
        return {"shard": shard, "rows": len(rows)}

    def _write_trace(self, trace: Trace | Exception, number: int) -> Result:
        """Write the trace of a text, unless its run failed, and return its result."""
        if isinstance(trace, Exception):
            return failure(trace)
        write(self.folder.trace(number), trace.to_npz())
        return Result(summarize_trace(trace))


def results_table(first: int, rows: list[Row], results: list[Result], classes: tuple[str, ...]) -> pa.Table:
    """The table of results of consecutive rows, whose first number is ``first``."""
    summaries = [result.summary for result in results]
    columns: dict[str, Iterable[Any]] = {
        "number": range(first, first + len(rows)),
        "text": [row.text for row in rows],
        "class": [summary and classes[summary.best] for summary in summaries],
        "probabilities": [summary and summary.probabilities for summary in summaries],
        "certainty": [summary and summary.certainty for summary in summaries],
        "entropy": [summary and summary.entropy for summary in summaries],
        "settled_at": [summary and summary.settled_at for summary in summaries],
        "notice": [summary and (" ".join(summary.notices) or None) for summary in summaries],
        "error": [result.error or None for result in results],
    }
    return pa.table([pa.array(columns[field.name], field.type) for field in SCHEMA], schema=SCHEMA)


@lru_cache(maxsize=1)
def load(model: str, device: str) -> zoo.Checkpoint:
    """Load a checkpoint once per process. Errors as in ``core.zoo.load``."""
    return zoo.load(model, device)


@lru_cache(maxsize=1)
def _reader(path: Path, column: str) -> ShardReader:
    return ShardReader(path, column)
