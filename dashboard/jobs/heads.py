"""Trains an EM head over a transformer in the background."""

import shutil

from core.datasets import CORPORA, is_here
from core.datasets import folder_of as data_of
from dashboard.jobs.job import Background, Job, last_bar
from dashboard.sessions.folders import delete_folder, make_folder
from dashboard.sessions.models import session_models, transformers
from dashboard.sessions.owned import one_a_session

N_CLASSES = (5, 2)  # choices for the number of classes
READING = 400  # thousandths of the work that reading the texts takes, roughly; the rest is training


def has_texts() -> bool:
    """Whether this machine has the texts for training a head."""
    return is_here(CORPORA["sst"])


class HeadJob(Background):
    """The current or last training of one session.

    Attributes:
        name: name of its checkpoint.
        trained_name: name under which the session has the trained checkpoint; "" until it is trained.
    """

    def __init__(self) -> None:
        self._folder = make_folder(self)
        self.name, self.trained_name = "", ""

    @property
    def state(self) -> tuple[float, str]:
        """The finished share of the work, 0 to 1, and a phrase for the current step."""
        title, done, total = last_bar(self._folder / ".log")
        if place := self.place:
            return 0.0, place
        if not title:
            return 0.0, "loading the transformer"
        share = done / max(1, total)
        if title == "hidden states":
            return share * READING / 1000, f"reading the texts, {done:,} of {total:,} batches"
        return (READING + share * (1000 - READING)) / 1000, f"step {done:,} of {total:,}"

    def start(self, transformer: str, n_classes: int, name: str, device: str) -> None:
        """Start a training; do nothing if one is running.

        Args:
            transformer: key of ``transformers``.
            n_classes: number of classes.
            name: wanted name of the checkpoint.
            device: device of the training.

        Raises:
            ValueError: this session holds too many networks.
        """
        if self.runs:
            return
        session_models().check_room()
        self.name, self.trained_name = session_models().free_name(name), ""
        shutil.rmtree(self._folder / self.name, ignore_errors=True)
        options = ["--name", self.name, "--classes", str(n_classes), "--device", device]
        options += ["--data", str(data_of("sst")), "--out", str(self._folder)]
        log = self._folder / ".log"
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
        if self.trained_name or self.job is None or self.job.runs or self.failed or not folder.is_dir():
            return False
        self.trained_name = session_models().adopt(folder)
        return True

    def close(self) -> None:
        """Stop the training, and delete all files."""
        super().cancel()
        delete_folder(self._folder)


@one_a_session
def head_training() -> HeadJob:
    """The training of this session."""
    return HeadJob()
