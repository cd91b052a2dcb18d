"""Trains an EM head over a transformer in the background."""

import shutil

from core.datasets import CORPORA, is_here
from core.datasets import folder_of as data_of
from dashboard.jobs.job import Background, Job, last_bar
from dashboard.sessions.folders import delete_folder, make_folder
from dashboard.sessions.models import session_models, transformers
from dashboard.sessions.owned import one_a_session

N_CLASSES = (5, 2)
READING = 400  # thousandths of the work for reading the texts, roughly; the rest is for training


def has_texts() -> bool:
    """Whether this machine has the texts for training a head."""
    return is_here(CORPORA["sst"])


class HeadJob(Background):
    """The current or last training of one session.

    Attributes:
        name: name of its checkpoint.
        ended: name under which the session has the trained checkpoint; "" until it is trained.
    """

    def __init__(self) -> None:
        self._folder = make_folder(self)
        self.name, self.ended = "", ""

    @property
    def state(self) -> tuple[float, str]:
        """The finished share of the work, 0 to 1, and a phrase for the current step."""
        what, done, total = last_bar(self._folder / "log.txt")
        if place := self.place:
            return 0.0, place
        if not what:
            return 0.0, "loading the transformer"
        is_read = what != "hidden states"
        share = (READING * is_read + done / max(1, total) * ((1000 - READING) if is_read else READING)) / 1000
        return share, f"step {done:,} of {total:,}" if is_read else f"reading the texts, {done:,} of {total:,} batches"

    def start(self, transformer: str, n_classes: int, name: str, device: str) -> None:
        """Start a training; do nothing if one is running.

        Args:
            transformer: a key of ``transformers``.
            n_classes: number of classes.
            name: wanted name of the checkpoint.
            device: device of the training.
        """
        if self.runs:
            return
        self.name, self.ended = session_models().free_name(name), ""
        shutil.rmtree(self._folder / self.name, ignore_errors=True)
        options = ["--name", self.name, "--classes", str(n_classes), "--device", device]
        options += ["--data", str(data_of("sst")), "--out", str(self._folder)]
        log = self._folder / "log.txt"
        arguments = [transformers()[transformer], *options]
        self.job = Job("core.training.head", arguments, log, 1000, lambda: round(1000 * self.state[0]))

    def cancel(self) -> None:
        """Stop the training, and delete its files."""
        super().cancel()
        for path in self._folder.iterdir():
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
        self.job = None

    def take(self) -> bool:
        """Give the trained checkpoint to the session, once, and return whether this call did it."""
        folder = self._folder / self.name
        if self.ended or self.job is None or self.job.runs or self.failed or not folder.is_dir():
            return False
        self.ended = session_models().adopt(folder)
        return True

    def close(self) -> None:
        """Stop the training, and delete all files."""
        super().cancel()
        delete_folder(self._folder)


@one_a_session
def head_training() -> HeadJob:
    """The training of this session."""
    return HeadJob()
