"""The training of an EM head over a transformer of the user's own, in the background."""

import shutil

from core.datasets import CORPORA, is_here
from core.datasets import folder_of as data_of
from dashboard.jobs.job import Background, Job, last_bar
from dashboard.sessions.folders import delete_folder, make_folder
from dashboard.sessions.models import free_name, session_models, transformers
from dashboard.sessions.owned import one_a_session

N_CLASSES = (5, 2)
READING = 400  # thousandths of the work that reading the texts takes, roughly; training takes the rest


def has_texts() -> bool:
    """Whether the texts that a head is trained on are on this machine."""
    return is_here(CORPORA["sst"])


class HeadTraining(Background):
    """The training of one session that runs, or the last that ran.

    Attributes:
        name: of its checkpoint.
        ended: the name under which the session has the trained checkpoint; empty until it is trained.
    """

    def __init__(self) -> None:
        self._folder = make_folder(self)
        self.name, self.ended = "", ""

    @property
    def state(self) -> tuple[float, str]:
        """How much of the work is done, 0 to 1, and what is being done."""
        what, done, total = last_bar(self._folder / "log.txt")
        if place := self.place:
            return 0.0, place
        if not what:
            return 0.0, "loading the transformer"
        is_read = what != "hidden states"
        share = (READING * is_read + done / max(1, total) * ((1000 - READING) if is_read else READING)) / 1000
        return share, f"step {done:,} of {total:,}" if is_read else f"reading the texts, {done:,} of {total:,} batches"

    def start(self, transformer: str, n_classes: int, name: str, device: str) -> None:
        """Start it; nothing happens while it runs.

        Args:
            transformer: a key of ``transformers``.
        """
        if self.runs:
            return
        self.name, self.ended = free_name(name), ""
        shutil.rmtree(self._folder / self.name, ignore_errors=True)
        options = ["--name", self.name, "--classes", str(n_classes), "--device", device]
        options += ["--data", str(data_of("sst")), "--out", str(self._folder)]
        log = self._folder / "log.txt"
        arguments = [transformers()[transformer], *options]
        self.job = Job("core.training.head", arguments, log, 1000, lambda: round(1000 * self.state[0]))

    def cancel(self) -> None:
        """Stop it, and delete what it wrote."""
        super().cancel()
        for path in self._folder.iterdir():
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
        self.job = None

    def take(self) -> bool:
        """Give the trained checkpoint to the session, once; whether it was given now."""
        folder = self._folder / self.name
        if self.ended or self.job is None or self.job.runs or self.failed or not folder.is_dir():
            return False
        self.ended = session_models().adopt(folder)
        return True

    def close(self) -> None:
        """Stop it, and delete all files."""
        super().cancel()
        delete_folder(self._folder)


@one_a_session
def head_training() -> HeadTraining:
    """The training of this session."""
    return HeadTraining()
