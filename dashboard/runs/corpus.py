"""Many texts through a checkpoint in the background: a test split, or a file of the user's own.

The user's texts stay in a folder of this session alone. It is deleted with the session.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import streamlit as st

from core.datasets import CORPORA, folder_of, imdb, read_split
from core.datasets.smallnorb import CORPUS as PICTURES
from dashboard.runs.checkpoints import about, load, survey
from dashboard.runs.jobs import Job, delete_folder, make_folder

MAX_ROWS = 100_000
LARGEST = 100_000_000  # characters of all texts of a file, and bytes of a column of Parquet
TOO_MUCH = f"This file holds too much for the page, which takes {MAX_ROWS:,} rows. Use python -m core batch."
N_FIRST = 8  # rows that are run here, while the process starts
SUFFIXES = ("csv", "jsonl", "parquet", "txt")


@dataclass(frozen=True, eq=False)
class Source:
    """Texts and, where it is known, the class of each.

    Args:
        title: what they are, in words.
        rows: text, truth and error; each is null where there is none.
    """

    title: str
    rows: pa.Table

    @property
    def has_truth(self) -> bool:
        """Whether the class of any text is known."""
        return self.rows["truth"].null_count < len(self.rows)


def checkpoints() -> list[str]:
    """Names of the checkpoints that read texts."""
    return [name for name, described in survey()[0].items() if described.corpus != PICTURES.name]


def same_classes(name: str) -> list[str]:
    """Names of the other checkpoints with these classes."""
    return [other for other in checkpoints() if other != name and about(other).classes == about(name).classes]


def read_test_split(name: str) -> Source:
    """The official test split of the corpus that a checkpoint was trained on.

    Raises:
        ValueError: it is not on this machine.
    """
    return _read_test_split(about(name).corpus, about(name).classes)


@st.cache_resource(max_entries=2, show_spinner="Reading the test split …")
def _read_test_split(corpus: str, classes: tuple[str, ...]) -> Source:
    record = CORPORA[corpus.split("_documents")[0]]
    if record is imdb.CORPUS:
        texts, labels = imdb.texts_of(folder_of(corpus), "test")
    else:
        from core.inputs.text import as_typed

        split = read_split(corpus, folder_of(corpus), "test", len(classes))
        texts, labels = [as_typed(words) for words in split.words], split.labels
    return _source(f"{record.title_in(len(classes))}, the test split", texts, [classes[label] for label in labels])


def column_names(path: Path) -> list[str]:
    """The columns of a file of the user's. Errors as in ``read_file``."""
    from core.batch import texts

    _check_size(path)
    return texts.column_names(path)


def read_file(path: Path, column: str, truth: str | None, classes: Sequence[str]) -> Source:
    """The texts of a file of the user's.

    Args:
        path: a .txt, .csv, .jsonl or .parquet file.
        column: of the texts.
        truth: the column of their classes, if any: their names, or their numbers from 0 or from 1.
        classes: of the checkpoint.

    Raises:
        ValueError: the file cannot be read, or holds too much.
    """
    from core.batch import texts

    _check_size(path)
    rows, n_characters = [], 0
    for row in islice(texts.read_texts(path, column), MAX_ROWS + 1):
        rows.append(row)
        n_characters += len(row.text or "")
        if n_characters > LARGEST or len(rows) > MAX_ROWS:
            raise ValueError(
                f"This file holds too much for the page: at most {MAX_ROWS:,} rows. Use python -m core batch."
            )
    labels = _class_names(islice(texts.read_column(path, truth), len(rows)), classes) if truth else None
    return _source("your file", [row.text for row in rows], labels, [row.error or None for row in rows])


def _check_size(path: Path) -> None:
    """Raise ValueError for a Parquet file whose columns are much larger than the file."""
    if path.suffix.lower() != ".parquet":
        return
    import pyarrow.parquet as pq

    try:
        groups = pq.read_metadata(path)
        sizes = [groups.row_group(k).total_byte_size for k in range(groups.num_row_groups)]
    except (pa.ArrowException, OSError, ValueError):
        return  # whoever reads it says so
    if sum(sizes) > LARGEST or groups.num_rows > MAX_ROWS:
        raise ValueError(TOO_MUCH)


def _class_names(values: Iterator[object], classes: Sequence[str]) -> list[str | None]:
    """The class that each value names, by its name or its number; another value stays as it is."""
    labels = [None if value is None or value == "" else str(value).strip() for value in values]
    distinct = set(labels) - {None}
    by_name = {name.casefold(): name for name in classes}
    first = 0 if "0" in distinct else 1
    numbers = {str(first + k): name for k, name in enumerate(classes)}
    names = by_name if any(label.casefold() in by_name for label in distinct) else numbers
    return [label and names.get(label.casefold(), label) for label in labels]


def _source(
    title: str, texts: Sequence[str | None], truth: Sequence[str | None] | None, errors: Sequence[str | None] = ()
) -> Source:
    none = pa.nulls(len(texts), pa.string())
    columns = {
        "text": pa.array(texts, pa.string()),
        "truth": none if truth is None else pa.array(truth, pa.string()),
        "error": pa.array(errors, pa.string()) if errors else none,
    }
    return Source(title, pa.table(columns))


class CorpusRun:
    """Texts on their way through a checkpoint, and through a second one if asked for.

    Args:
        source: of the texts.
        names: of the checkpoints, one or two.
        device: that they run on.
    """

    def __init__(self, source: Source, names: Sequence[str], device: str):
        self.source, self.names = source, tuple(names)
        self.folder = folder = make_folder(self)
        self._finished = [_FinishedRows(folder / str(k), name) for k, name in enumerate(names)]
        _write_texts(source, folder / "texts.parquet")
        self._jobs = [self._start(k, folder, device) for k in range(len(names))]
        self._finished[0].first = _run_first(names[0], device, source)

    def _start(self, k: int, folder: Path, device: str) -> Job:
        finished = self._finished[k]
        files = [str(folder / "texts.parquet"), "--out", str(finished.folder)]
        arguments = ["batch", finished.name, *files, "--device", device, "--workers", "1"]
        return Job("core", arguments, folder / f"log{k}.txt", len(self.source.rows), lambda: len(finished.rows()))

    @property
    def runs(self) -> bool:
        """Whether any checkpoint has texts left to run."""
        return any(job.runs for job in self._jobs)

    @property
    def waits(self) -> bool:
        """Whether nothing runs until other users' jobs have ended."""
        return self.runs and all(job.waits for job in self._jobs if job.runs)

    @property
    def failed(self) -> str:
        """Why a job ended early; empty if none did."""
        return next((job.failed for job in self._jobs if job.failed), "")

    @property
    def share(self) -> float:
        """How much of the work is done, 0 to 1."""
        total = sum(job.total for job in self._jobs)
        return sum(job.done for job in self._jobs) / total if total else 1.0

    def cancel(self) -> None:
        """Stop; the rows so far stay."""
        for job in self._jobs:
            job.cancel()

    def close(self) -> None:
        """Stop, and delete all files."""
        self.cancel()
        delete_folder(self.folder)

    def results(self) -> pa.Table:
        """The rows so far: number, text, truth, class, second, certainty, entropy, settled_at, notice, error.

        second: the class that the second checkpoint gives; null where there is none, or where it has not come so far.
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
    """The rows that a batch has finished, read once each.

    Attributes:
        first: the first rows, to show before the batch has any.
    """

    def __init__(self, folder: Path, name: str):
        from core.batch.folder import SCHEMA, Folder

        self.folder, self.name = folder, name
        self.first: pa.Table = SCHEMA.empty_table()
        self._batch, self._parts, self._all = Folder(folder), [SCHEMA.empty_table()], None

    def rows(self) -> pa.Table:
        """The rows from the first one on, without gaps."""
        import pyarrow.parquet as pq

        if self._all is None and self._batch.table.is_file():
            self._all = pq.read_table(self._batch.table)
        if self._all is not None:
            return self._all
        while (file := self._batch.shard(len(self._parts) - 1)).is_file():
            try:
                self._parts.append(pq.read_table(file))
            except OSError:  # the table was just made of it
                break
        read = pa.concat_tables(self._parts)
        return read if len(read) >= len(self.first) else self.first


def _write_texts(source: Source, path: Path) -> None:
    import pyarrow.parquet as pq

    pq.write_table(source.rows.select(["text"]), path, row_group_size=10_000)


def _run_first(name: str, device: str, source: Source) -> pa.Table:
    """The results of the first rows, run here; none if they cannot be run."""
    from core.batch.networks import Result, run_texts
    from core.batch.texts import Row
    from core.batch.work import results_table

    rows = [Row(text) for text in source.rows["text"].slice(0, N_FIRST).to_pylist()]
    texts = {k: row.text for k, row in enumerate(rows) if row.text is not None}
    checkpoint = load(name, about(name).sha256, device)
    results = dict(zip(texts, run_texts(checkpoint, list(texts.values())), strict=True))
    return results_table(1, rows, [results.get(k) or Result(None) for k in range(len(rows))], checkpoint.classes)


class Workspace:
    """The files of one session: its uploaded file, and its run."""

    def __init__(self) -> None:
        self._folder = make_folder(self)
        self.run: CorpusRun | None = None
        self._upload = ""

    def keep_upload(self, file_id: str, name: str, content: bytes) -> Path:
        """Write an uploaded file, in place of the one before, and return where it is."""
        path = self._folder / f"upload.{name.rpartition('.')[2].lower()}"
        if file_id != self._upload:
            for old in self._folder.glob("upload.*"):
                old.unlink()
            path.write_bytes(content)
            self._upload = file_id
        return path

    def start(self, source: Source, names: Sequence[str], device: str) -> None:
        """Start a run in place of the one before."""
        if self.run:
            self.run.close()
        self.run = CorpusRun(source, names, device)

    def cancel(self) -> None:
        """Stop the run; its rows so far stay."""
        if self.run:
            self.run.cancel()

    def close(self) -> None:
        """Stop the run, and delete all files."""
        if self.run:
            self.run.close()
        self.run = None
        delete_folder(self._folder)


@st.cache_resource(scope="session", on_release=Workspace.close, show_spinner=False)
def workspace() -> Workspace:
    """The files of this session, deleted when it ends."""
    return Workspace()
