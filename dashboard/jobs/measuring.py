"""Measures a checkpoint on the test split of its corpus in the background."""

from core.datasets import BY_SENTENCE, CORPORA, is_here
from dashboard.jobs.job import Background, Job, last_bar
from dashboard.public import is_public
from dashboard.runs.checkpoints import about, describe_again, folder_of, known
from dashboard.runs.evidence import evidence_of
from dashboard.runs.files import model_files
from dashboard.sessions.folders import delete_folder, make_folder
from dashboard.sessions.models import uploaded
from dashboard.sessions.owned import one_a_session

FEW = 100  # texts from which a badge is measured
COMMANDS = {  # the command and its options for each quantity
    "accuracy": ("evaluate", "--keep"),
    "badge": ("evidence", "--workers", "1", "--limit", str(FEW)),
    "evidence": ("evidence", "--workers", "1"),
}


def unmeasured(name: str) -> list[str]:
    """The quantities in ``COMMANDS`` that were not measured here for a checkpoint; none for a shipped one."""
    if model_files(name).is_shipped:
        return []
    evidence, learned_from_file = evidence_of(name), bool(about(name).examples)
    # The texts of a user's file are not here any more, so what its training has measured is all that can be measured.
    is_whole = evidence is not None and (learned_from_file or not evidence.command.endswith(f" --limit {FEW}"))
    measured = {"accuracy": about(name).metrics.test.accuracy is not None, "badge": evidence is not None}
    return [quantity for quantity, is_here in (measured | {"evidence": is_whole}).items() if not is_here]


def reason_not_to_measure(name: str) -> str:
    """A sentence on why a checkpoint cannot be measured on this server; "" if it can."""
    if is_public() and name not in uploaded():
        return "What is measured is kept in its folder: that is for whoever runs this server."
    described = about(name)
    if described.examples:
        return "It learned from a file that is not kept on this server."
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
    """The current or last measurement of a session.

    Attributes:
        name: name of the checkpoint.
        quantity: key of ``COMMANDS``.
    """

    def __init__(self) -> None:
        self._folder = make_folder(self)
        self.name, self.quantity = "", ""

    @property
    def state(self) -> tuple[float, str]:
        """The finished share of the work, 0 to 1, and a phrase for the current step."""
        _, done, total = last_bar(self._folder / "log.txt")
        if place := self.place:
            return 0.0, place
        return (done / total, f"{done:,} of {total:,}") if total else (0.0, "reading the test split")

    def start(self, quantity: str, name: str, device: str) -> None:
        """Start a measurement; do nothing if one is running or the checkpoint cannot be measured here."""
        if self.runs or reason_not_to_measure(name):
            return
        self.name, self.quantity = name, quantity
        command, *options = COMMANDS[quantity]
        log, models = self._folder / "log.txt", {"ROUTESCOPE_MODELS": str(folder_of(name).parent)}
        log.unlink(missing_ok=True)
        arguments = [command, name, *options, "--device", device, "--progress"]
        self.job = Job("core", arguments, log, 1000, lambda: round(1000 * self.state[0]), models)

    def cancel(self) -> None:
        """Stop the measurement."""
        super().cancel()
        self.job = None

    def take(self) -> bool:
        """Show the result in this session, once, and return whether this call did it."""
        if self.job is None or self.job.runs or self.job.failed:
            return False
        self.job = None
        if self.name in known():
            describe_again(self.name)
        return True

    def close(self) -> None:
        """Stop the measurement, and delete all files."""
        self.cancel()
        delete_folder(self._folder)


@one_a_session
def measurement() -> Measurement:
    """The measurement of this session."""
    return Measurement()
