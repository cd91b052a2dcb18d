"""Trains networks on a user's own texts in the background, one routing or several on the same texts."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.json_files import read_json
from dashboard.jobs.job import Background, Job, last_bar
from dashboard.jobs.own_choices import FitOrder, routings
from dashboard.runs.own_file import WrongText, wrong_texts
from dashboard.sessions.folders import delete_folder, make_folder
from dashboard.sessions.models import session_models
from dashboard.sessions.owned import one_a_session

# Shares of the work for one network, roughly, after reading the texts, training, testing, and fitting simpler models.
READ, TRAINED, TESTED, COMPARED = 0.2, 0.4, 0.45, 0.5
CANCELLED = "you cancelled it"
N_WRONG = 100  # wrongly answered texts that are shown


@dataclass(frozen=True, eq=False)
class OwnTrained:
    """A trained network of this session.

    Args:
        routing: key of its routing.
        name: name of the checkpoint.
        n_wrong: number of test texts that it gets wrong.
        wrong: some of these texts.
    """

    routing: str
    name: str
    n_wrong: int
    wrong: Sequence[WrongText]


class FitJob(Background):
    """The current or last training of one session on its own texts.

    Attributes:
        order: its settings; None before the first training.
        trained: the trained networks; empty until the training has ended.
        comparison: the tables and the advice of several routings; empty for one.
        missing: routings of a comparison that ended before they were trained.
        stopped: the reason for that; "" if the training came to its end.
    """

    def __init__(self) -> None:
        self._folder = make_folder(self)
        self._file = self._folder / ".texts"
        self.order: FitOrder | None = None
        self.trained: list[OwnTrained] = []
        self.comparison: dict[str, Any] = {}
        self.missing: list[str] = []
        self.stopped = ""
        self._curves: dict[str, list[dict[str, float | None]]] = {}

    @property
    def state(self) -> tuple[float, str]:
        """The finished share of the work, 0 to 1, and a phrase for the current step."""
        if place := self.place:
            return 0.0, place
        if self.order is None:
            return 0.0, ""
        names = self.order.names
        k = sum((self._folder / name / "evidence.json").is_file() for name in names[:-1])
        share, phrase = self._state_of(names[k])
        if len(names) > 1:
            phrase = f"{routings()[self.order.routings[k]]} ({k + 1} of {len(names)}), {phrase}"
        return (k + share) / len(names), phrase

    def _state_of(self, name: str) -> tuple[float, str]:
        """``state`` of the training of one network."""
        title, done, total = last_bar(self._folder / ".log")
        share = done / max(1, total)
        if (self._folder / name / "weights.safetensors").is_file():
            return self._state_of_trained(name, title, share, f"{done:,} of {total:,}")
        if title == "hidden states":
            return share * READ, f"reading the texts, {done:,} of {total:,} batches"
        if title.startswith(f"{name}-seed-"):
            return READ + share * (TRAINED - READ), f"step {done:,} of at most {total:,}"
        return 0.0, "starting"

    @staticmethod
    def _state_of_trained(name: str, title: str, share: float, of: str) -> tuple[float, str]:
        """``state`` after the training of a network.

        Args:
            title, share: the last bar, and its finished share.
            of: a phrase for its amounts.
        """
        if title == name:
            return COMPARED + share * (1 - COMPARED), f"testing its picture, {of} texts"
        if title == "mistakes":  # as in core.fit.mistakes, which imports PyTorch
            return COMPARED, f"looking for the words behind wrong answers, {of} texts"
        if title == "units":  # as in core.measured.unit_runs, which imports PyTorch
            return COMPARED, f"measuring what its units take and do, {of} texts"
        if title.startswith("fitting "):  # as in core.fit.baselines, which imports PyTorch
            phrase = f"comparing it with simpler models: {title} ({of} steps), then the test of its picture"
            return TESTED + share * (COMPARED - TESTED), phrase
        if title == "hidden states":
            return TESTED, f"comparing it with simpler models: reading the texts for one, {of} batches"
        if title == "split":
            return COMPARED, f"counting how certain it is, {of} texts"
        if title:  # the bar of the training
            return TRAINED, "testing it on the other texts"
        return TRAINED + share * (TESTED - TRAINED), f"testing it on the other texts, {of}"

    @property
    def curves(self) -> dict[str, list[dict[str, float | None]]]:
        """The evaluations so far, by the title of the routing, as ``core.fit.progress`` writes them."""
        if self._curves or self.order is None:
            return self._curves
        from core.fit.progress import read_progress

        folder = self._folder / ".training" / self.order.name
        by_routing = dict(zip(self.order.routings, self.order.names, strict=True))
        found = {routings()[key]: read_progress(folder / f"{n}-seed-0.progress.json") for key, n in by_routing.items()}
        return {title: evaluations for title, evaluations in found.items() if evaluations}

    def start(self, file: Path, order: FitOrder, device: str) -> None:
        """Start a training; do nothing if one is running.

        Args:
            file: file with the texts. It is copied, so that the user can upload another one meanwhile.
            order: settings of the training.
            device: device of the training.

        Raises:
            ValueError: this session holds too many networks.
            OSError: the file cannot be copied.
        """
        if self.runs:
            return
        session = session_models()
        session.check_room(len(order.routings))
        self._delete_files()
        self._file = self._folder / ".texts" / file.name
        self._file.parent.mkdir()
        shutil.copyfile(file, self._file)
        self.order = FitOrder(order.text, order.label, order.routings, order.encoder, session.free_name(order.name))
        options = self.order.options(device, self._compared)
        models = {"ROUTESCOPE_MODELS": str(self._folder)}
        arguments = ["fit", str(self._file), *options]
        self.job = Job(
            "core", arguments, self._folder / ".log", 1000, lambda: round(1000 * self.state[0]), variables=models
        )

    @property
    def failed(self) -> str:
        """The reason why the training ended early and left nothing; "" if it did not."""
        return "" if self.trained else super().failed

    def cancel(self) -> None:
        """Stop the training, and delete its files. The routings of a comparison that have finished are kept."""
        super().cancel()
        if self._compared.is_file() and not self.trained:
            self.stopped = CANCELLED
        else:
            self._delete_files()

    def take(self) -> bool:
        """Give the trained networks to the session, once, and return whether this call did it.

        Of a comparison that ended early, these are the ones in its table.
        """
        if self.trained or self.order is None or self.job is None or self.job.runs:
            return False
        compared = read_json(self._compared) if self._compared.is_file() else {}
        if self.job.failed and not compared:
            return False
        self._curves, self.stopped, self.comparison = self.curves, self.stopped or self.job.failed, compared
        finished = [row["routing"] for row in compared["table"]] if compared else self.order.routings
        self.missing = [routing for routing in self.order.routings if routing not in finished]
        for routing, name in zip(self.order.routings, self.order.names, strict=True):
            if routing not in finished:
                continue
            folder = self._folder / name
            wrong = wrong_texts(self._file, self.order.text, self.order.label, folder, N_WRONG)
            self.trained.append(OwnTrained(routing, session_models().adopt(folder), *wrong))
        self._delete_folder()
        return True

    @property
    def _compared(self) -> Path:
        """The file of a comparison, which grows with each routing that has finished."""
        return self._folder / ".compared.json"

    def _delete_files(self) -> None:
        """Forget the last training, and delete its files; networks that the session has are kept."""
        self.job, self.order, self.trained, self.comparison, self._curves = None, None, [], {}, {}
        self.missing, self.stopped = [], ""
        self._delete_folder()

    def _delete_folder(self) -> None:
        for path in self._folder.iterdir():
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)

    def close(self) -> None:
        """Stop the training, and delete all files."""
        super().cancel()
        delete_folder(self._folder)


@one_a_session
def fit_job() -> FitJob:
    """The training of this session on its own texts."""
    return FitJob()
