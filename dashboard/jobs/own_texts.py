"""Trains networks on a user's own texts in the background, one routing or several on the same texts."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.json_files import read_json
from dashboard.jobs.job import Background, Job, last_bar
from dashboard.jobs.own_choices import FitOrder, routings
from dashboard.runs.own_file import wrong_texts
from dashboard.sessions.folders import delete_folder, make_folder
from dashboard.sessions.models import session_models
from dashboard.sessions.owned import one_a_session

# Shares of the work for one network, roughly: reading the texts, training, and comparing with simpler models.
READ, TRAINED, COMPARED = 0.3, 0.7, 0.8
N_WRONG = 3  # wrongly answered texts that are shown


@dataclass(frozen=True, eq=False)
class OwnTrained:
    """A trained network of this session.

    Args:
        routing: key of its routing.
        name: name of the checkpoint.
        n_wrong: number of test texts that it gets wrong.
        wrong: some of these texts, with their labels.
    """

    routing: str
    name: str
    n_wrong: int
    wrong: Sequence[tuple[str, str]]


class FitJob(Background):
    """The current or last training of one session on its own texts.

    Attributes:
        order: its settings; None before the first training.
        trained: the trained networks; empty until all are trained.
        comparison: the table and the advice of several routings; empty for one.
    """

    def __init__(self) -> None:
        self._folder = make_folder(self)
        self._file = self._folder / "texts"
        self.order: FitOrder | None = None
        self.trained: list[OwnTrained] = []
        self.comparison: dict[str, Any] = {}
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
        title, done, total = last_bar(self._folder / "log.txt")
        share = done / max(1, total)
        if title != name and (self._folder / name / "weights.safetensors").is_file():
            return TRAINED, "comparing it with simpler models"
        if title == "hidden states":
            return share * READ, f"reading the texts, {done:,} of {total:,} batches"
        if title.startswith(f"{name}-seed-"):
            return READ + share * (TRAINED - READ), f"step {done:,} of at most {total:,}"
        if title == name:
            return COMPARED + share * (1 - COMPARED), f"testing its picture, {done:,} of {total:,} texts"
        return 0.0, "starting"

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
        self._file = self._folder / "texts" / file.name
        self._file.parent.mkdir()
        shutil.copyfile(file, self._file)
        self.order = FitOrder(order.text, order.label, order.routings, order.encoder, session.free_name(order.name))
        options = self.order.options(device, self._folder / "compared.json")
        models = {"ROUTESCOPE_MODELS": str(self._folder)}
        arguments = ["fit", str(self._file), *options]
        self.job = Job(
            "core", arguments, self._folder / "log.txt", 1000, lambda: round(1000 * self.state[0]), variables=models
        )

    def cancel(self) -> None:
        """Stop the training, and delete its files."""
        super().cancel()
        self._delete_files()

    def take(self) -> bool:
        """Give the trained networks to the session, once, and return whether this call did it."""
        if self.trained or self.order is None or self.job is None or self.job.runs or self.job.failed:
            return False
        self._curves = self.curves
        for routing, name in zip(self.order.routings, self.order.names, strict=True):
            folder = self._folder / name
            wrong = wrong_texts(self._file, self.order.text, self.order.label, folder, N_WRONG)
            self.trained.append(OwnTrained(routing, session_models().adopt(folder), *wrong))
        if (compared := self._folder / "compared.json").is_file():
            self.comparison = read_json(compared)
        self._delete_folder()
        return True

    def _delete_files(self) -> None:
        """Forget the last training, and delete its files; networks that the session has are kept."""
        self.job, self.order, self.trained, self.comparison, self._curves = None, None, [], {}, {}
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
