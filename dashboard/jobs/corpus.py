"""Runs many texts through a checkpoint in the background.

The user's texts stay in a folder of their session, which is deleted with the session.
"""

from collections.abc import Sequence
from pathlib import Path
from time import monotonic

import pyarrow as pa
import pyarrow.compute as pc

from dashboard.jobs.job import Job
from dashboard.jobs.uploaded_file import UploadedFile
from dashboard.runs.checkpoints import about, folder_of, title
from dashboard.runs.loaded import load
from dashboard.runs.sources import Source
from dashboard.sessions.folders import delete_folder, make_folder
from dashboard.sessions.owned import one_a_session

N_FIRST = 8  # rows that this process runs, while the job's process starts


class CorpusRun:
    """A background run of texts through one or two checkpoints.

    Args:
        source: source of the texts.
        names: names of the checkpoints, one or two.
        device: device of the networks.

    Attributes:
        classes: classes of the first checkpoint, kept in case it is removed.
        titles: titles of the checkpoints, kept in case one is removed.
    """

    def __init__(self, source: Source, names: Sequence[str], device: str):
        self.source, self.names = source, tuple(names)
        self.classes, self.titles = about(names[0]).classes, [title(name) for name in names]
        self._first: tuple[int, float] | None = None  # amount and time when ``pace`` was first asked for
        self.folder = folder = make_folder(self)
        self._finished = [_FinishedRows(folder / str(k), name) for k, name in enumerate(names)]
        self._finished[0].first = _run_first(names[0], device, source)  # before the jobs, as it may raise an error
        _write_texts(source, folder / "texts.parquet")
        self._jobs = [self._start(k, folder, device) for k in range(len(names))]

    def _start(self, k: int, folder: Path, device: str) -> Job:
        finished = self._finished[k]
        files = [str(folder / "texts.parquet"), "--out", str(finished.folder)]
        arguments = ["batch", finished.name, *files, "--device", device, "--workers", "1"]
        total, models = len(self.source.rows), {"ROUTESCOPE_MODELS": str(folder_of(finished.name).parent)}
        log = folder / f"log{k}.txt"
        return Job("core", arguments, log, total, lambda: len(finished.rows()), models, texts=total, goes_on=True)

    @property
    def runs(self) -> bool:
        """Whether any checkpoint has texts left to run."""
        return any(job.runs for job in self._jobs)

    @property
    def place(self) -> str:
        """A phrase for the jobs that this run waits for; "" while one of its own is running."""
        unfinished = [job for job in self._jobs if job.runs]
        return unfinished[0].place if unfinished and all(job.waits for job in unfinished) else ""

    @property
    def failed(self) -> str:
        """The reason why a job ended early; "" if none did."""
        return next((job.failed for job in self._jobs if job.failed), "")

    @property
    def share(self) -> float:
        """The finished share of the work, 0 to 1."""
        total = sum(job.total for job in self._jobs)
        return sum(job.done for job in self._jobs) / total if total else 1.0

    @property
    def pace(self) -> tuple[float, float] | None:
        """The texts per second since this was first asked for, and the seconds left; None while they are unknown.

        A text counts once for each checkpoint.
        """
        done, now = sum(job.done for job in self._jobs), monotonic()
        first, since = self._first = self._first or (done, now)
        if done == first:
            return None
        rate = (done - first) / (now - since)
        return rate, (sum(job.total for job in self._jobs) - done) / rate

    def cancel(self) -> None:
        """Stop the jobs; finished rows are kept."""
        for job in self._jobs:
            job.cancel()

    def close(self) -> None:
        """Stop the jobs, and delete all files."""
        self.cancel()
        delete_folder(self.folder)

    def results(self) -> pa.Table:
        """The finished rows: number, text, truth, class, second, certainty, entropy, settled_at, notice, error.

        ``second`` is the second checkpoint's class, or null if there is none or it has not finished the row.
        """
        rows = self._finished[0].rows()
        source = self.source.rows.slice(0, len(rows))
        second = (
            self._finished[1].rows()["class"].combine_chunks() if len(self.names) > 1 else pa.array([], pa.string())
        )
        second = pa.concat_arrays([second[: len(rows)], pa.nulls(max(0, len(rows) - len(second)), pa.string())])
        columns = {name: rows[name] for name in ("class", "certainty", "entropy", "settled_at", "notice")}
        error = pc.coalesce(source["error"], rows["error"])
        return pa.table(
            {"number": rows["number"], "text": source["text"], "truth": source["truth"], "second": second}
            | columns
            | {"error": error}
        )


class _FinishedRows:
    """The finished rows of a batch. Each of its files is read once.

    Attributes:
        first: rows to show before the batch has finished any.
    """

    def __init__(self, folder: Path, name: str):
        from core.batch.folder import SCHEMA, Folder

        self.folder, self.name = folder, name
        self.first: pa.Table = SCHEMA.empty_table()
        self._batch, self._all = Folder(folder), None
        self._parts = [SCHEMA.empty_table()]  # and the tables of the finished shards

    def rows(self) -> pa.Table:
        """The finished rows, up to the first one that is not finished."""
        import pyarrow.parquet as pq

        from core.batch.folder import SCHEMA

        if self._all is None and self._batch.table.is_file():
            self._all, self._parts = pq.read_table(self._batch.table, columns=SCHEMA.names), []
        if self._all is not None:
            return self._all
        while (file := self._batch.shard(len(self._parts) - 1)).is_file():
            try:
                self._parts.append(pq.read_table(file))
            except OSError:  # the batch has just merged it into the table
                break
        read = pa.concat_tables(self._parts)
        return read if len(read) >= len(self.first) else self.first


def _write_texts(source: Source, path: Path) -> None:
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"text": source.to_run}), path, row_group_size=10_000)


def _run_first(name: str, device: str, source: Source) -> pa.Table:
    """Run the first rows in this process."""
    from core.batch.texts import Row
    from core.batch.work import results_table
    from core.networks.many import Result, run_texts

    rows = [Row(text) for text in source.to_run.slice(0, N_FIRST).to_pylist()]
    texts = {k: row.text for k, row in enumerate(rows) if row.text is not None}
    checkpoint = load(name, about(name).version, device)
    results = dict(zip(texts, run_texts(checkpoint, list(texts.values())), strict=True))
    return results_table(1, rows, [results.get(k) or Result(None) for k in range(len(rows))], checkpoint.classes)


class Workspace:
    """The uploaded file of one session, and its run.

    Attributes:
        upload: file.
        run: run; None before the first one.
    """

    def __init__(self) -> None:
        self._folder = make_folder(self)
        self.run: CorpusRun | None = None
        self.upload = UploadedFile(self._folder / "upload")

    def start(self, source: Source, names: Sequence[str], device: str) -> None:
        """Start a run, replacing the one before if the new one can start."""
        run = CorpusRun(source, names, device)
        if self.run:
            self.run.close()
        self.run = run

    def cancel(self) -> None:
        """Stop the run; finished rows are kept."""
        if self.run:
            self.run.cancel()

    def close(self) -> None:
        """Stop the run, and delete all files."""
        if self.run:
            self.run.close()
        self.run = None
        delete_folder(self._folder)


@one_a_session
def workspace() -> Workspace:
    """The workspace of this session, deleted when it ends."""
    return Workspace()
