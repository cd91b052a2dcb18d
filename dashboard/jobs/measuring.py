"""Measuring a checkpoint on the test split of its corpus, in the background."""

from core.datasets import BY_SENTENCE, CORPORA, is_here
from dashboard.jobs.job import Background, Job, last_bar
from dashboard.public import is_public
from dashboard.runs.checkpoints import about, describe_again, folder_of, known
from dashboard.runs.evidence import evidence_of
from dashboard.runs.files import model_files
from dashboard.sessions.folders import delete_folder, make_folder
from dashboard.sessions.models import uploaded
from dashboard.sessions.owned import one_a_session

COMMANDS = {"accuracy": ("evaluate", "--keep"), "evidence": ("evidence", "--workers", "1")}  # by what they measure


def unmeasured(name: str) -> list[str]:
    """What has not been measured here of a checkpoint: keys of ``COMMANDS``. Shipped ones were measured once."""
    if model_files(name).is_shipped:
        return []
    measured = {"accuracy": about(name).metrics.test.accuracy, "evidence": evidence_of(name)}
    return [what for what, value in measured.items() if value is None]


def why_not_here(name: str) -> str:
    """Why a checkpoint cannot be measured on this server, in a sentence; "" if it can."""
    if is_public() and name not in uploaded():
        return "What is measured is kept in its folder: that is for whoever runs this server."
    described = about(name)
    corpus = CORPORA.get(described.corpus.removesuffix(BY_SENTENCE))
    if corpus is None:
        return "It was trained on texts that this program does not have."
    title = corpus.title_in(len(described.classes))
    if described.classes not in corpus.classes:
        return f"Its classes are not those of {title}."
    if not is_here(corpus):
        return f"{title}, which it was trained on, is not on this server."
    return ""


class Measurement(Background):
    """What a session measures, or the last that it measured.

    Attributes:
        name: of the checkpoint.
        what: a key of ``COMMANDS``.
    """

    def __init__(self) -> None:
        self._folder = make_folder(self)
        self.name, self.what = "", ""

    @property
    def state(self) -> tuple[float, str]:
        """How much of the work is done, 0 to 1, and what is being done."""
        _, done, total = last_bar(self._folder / "log.txt")
        if place := self.place:
            return 0.0, place
        return (done / total, f"{done:,} of {total:,}") if total else (0.0, "reading the test split")

    def start(self, what: str, name: str, device: str) -> None:
        """Start it; nothing happens while one runs, or where a visitor may not."""
        if self.runs or why_not_here(name):
            return
        self.name, self.what = name, what
        command, *options = COMMANDS[what]
        log, models = self._folder / "log.txt", {"ROUTESCOPE_MODELS": str(folder_of(name).parent)}
        log.unlink(missing_ok=True)
        arguments = [command, name, *options, "--device", device, "--progress"]
        self.job = Job("core", arguments, log, 1000, lambda: round(1000 * self.state[0]), models)

    def cancel(self) -> None:
        super().cancel()
        self.job = None

    def take(self) -> bool:
        """Show what was measured in this session, once; whether it was now."""
        if self.job is None or self.job.runs or self.job.failed:
            return False
        self.job = None
        if self.name in known():
            describe_again(self.name)
        return True

    def close(self) -> None:
        """Stop it, and delete all files."""
        self.cancel()
        delete_folder(self._folder)


@one_a_session
def measurement() -> Measurement:
    """The measurement of this session."""
    return Measurement()
