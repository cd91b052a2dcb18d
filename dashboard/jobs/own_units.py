"""Measures the units of a network on a user's own texts in the background.

The texts, and what is measured on them, stay in a folder of their session, which is deleted with the session.
"""

import shutil
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import monotonic

from numpy import ndarray

from dashboard.jobs.job import SHORT, Background, Job, last_bar
from dashboard.jobs.own_choices import workers
from dashboard.jobs.uploaded_file import UploadedFile
from dashboard.runs import checkpoints
from dashboard.runs.own_file import UNSPEAKABLE
from dashboard.runs.own_units import measured_in
from dashboard.sessions.folders import delete_folder, make_folder
from dashboard.sessions.owned import one_a_session

MAX_NETWORKS = 4  # networks whose units are kept for a session
LIMIT = 10_000  # texts that are measured; of more, evenly spaced ones


@dataclass(frozen=True, eq=False)
class OwnUnits:
    """Units on a user's texts.

    Args:
        sha256: checksum of the network's weights.
        kept, shown: arrays "units" and "shown" of ``core.measured.store``.
    """

    sha256: str
    kept: dict[str, ndarray]
    shown: dict[str, ndarray]


class UnitsJob(Background):
    """The current or last measurement of a session on its own texts.

    Attributes:
        name: name of its network.
        upload: the file that the user has uploaded.
    """

    def __init__(self) -> None:
        self._folder = make_folder(self)
        self.name = ""
        self.upload = UploadedFile(self._folder / "upload")
        self._measured: dict[str, OwnUnits] = {}  # by network, the last one last
        self._first: tuple[int, float] | None = None  # amount and time when ``state`` was first asked for

    @property
    def state(self) -> tuple[float, str]:
        """The finished share of the work, 0 to 1, and a phrase for the current step."""
        if place := self.place:
            return 0.0, place
        _, done, total = last_bar(self._folder / "log.txt")
        if not total:
            return 0.0, "reading the texts"
        return done / total, "naming the units" if done == total else f"{done:,} of {total:,} texts"

    @property
    def left(self) -> float | None:
        """Seconds until all texts are read; None while they are unknown."""
        _, done, total = last_bar(self._folder / "log.txt")
        now = monotonic()
        first, since = self._first = self._first or (done, now)
        return None if done in (first, total) else (now - since) * (total - done) / (done - first)

    def start(self, file: Path, column: str, name: str, device: str) -> None:
        """Start a measurement; do nothing if one is running.

        Args:
            file: file of the texts. It is copied, so that the user can upload another one meanwhile.
            column: its column with the texts.
            name: name of the network.
            device: device of the network.

        Raises:
            ValueError: the file cannot be read, or no command can name the column.
            OSError: the file cannot be copied.
        """
        if self.runs:
            return
        if UNSPEAKABLE.search(column):
            raise ValueError("The name of the column holds a character that no name can have: rename the column.")
        n = _count(file, column)
        delete_folder(self._folder / "work")
        work, log = self._folder / "work", self._folder / "log.txt"
        work.mkdir()
        log.unlink(missing_ok=True)
        shutil.copyfile(file, work / file.name)
        self.name, self._first = name, None
        options = [f"--text={column}", "--out", str(work), "--limit", str(LIMIT), "--workers", str(workers())]
        arguments = ["units", name, "--texts", str(work / file.name), *options, "--device", device, "--json"]
        models = {"ROUTESCOPE_MODELS": str(checkpoints.folder_of(name).parent)}
        self.job = Job("core", arguments, log, 1000, lambda: round(1000 * self.state[0]), models, texts=n)

    def cancel(self) -> None:
        """Stop the measurement, and delete its files."""
        super().cancel()
        self.job = None
        delete_folder(self._folder / "work")

    def take(self) -> bool:
        """Keep the result for this session, once, and return whether this call did it."""
        if self.job is None or self.job.runs or self.job.failed:
            return False
        self.job = None
        measured = measured_in(self._folder / "work", self.name) if self.name in checkpoints.known() else None
        delete_folder(self._folder / "work")
        if measured is None:
            return False
        self._measured.pop(self.name, None)
        self._measured[self.name] = OwnUnits(checkpoints.about(self.name).sha256, *measured)
        for name in list(self._measured)[:-MAX_NETWORKS]:
            del self._measured[name]
        return True

    def measured_on(self, name: str) -> OwnUnits | None:
        """The units of a network on the user's texts; None if they are not measured with its current weights."""
        own = self._measured.get(name)
        return own if own and own.sha256 == checkpoints.about(name).sha256 else None

    def close(self) -> None:
        """Stop the measurement, and delete all files."""
        super().cancel()
        delete_folder(self._folder)


def _count(file: Path, column: str) -> int:
    """The number of rows of a file, as far as it takes to see that a measurement is not short."""
    from core.batch.texts import read_texts

    return sum(1 for _ in islice(read_texts(file, column), SHORT + 1))


@one_a_session
def units_job() -> UnitsJob:
    """The measurement of this session on its own texts."""
    return UnitsJob()
